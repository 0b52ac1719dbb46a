from dataclasses import asdict

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse

from penny_site.health.parts import is_ready, readiness


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain")


@login_not_required
def readyz(request: HttpRequest) -> JsonResponse:
    """Answer 200 if every required part works, otherwise 503.

    A model that fails is told, and leaves Penny ready. Without a session the answer leaves out texts and advice, and
    nobody asks the model.
    """
    parts = readiness(asks_model=request.user.is_authenticated)
    ready = is_ready(parts)
    fields = (
        ("name", "is_ok", "is_required", "text", "advice")
        if request.user.is_authenticated
        else ("name", "is_ok", "is_required")
    )
    rows = [{key: value for key, value in asdict(part).items() if key in fields} for part in parts]
    answer = JsonResponse({"ready": ready, "parts": rows}, status=200 if ready else 503)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # Django logs a line for each 503
    return answer
