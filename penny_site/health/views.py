from dataclasses import asdict

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse

from penny_site.health.parts import is_ready, readiness


@login_not_required
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers."""
    return HttpResponse("alive\n", content_type="text/plain")


@login_not_required
def readyz(request: HttpRequest) -> JsonResponse:
    """Everything that Penny needs is there: 200, otherwise 503. Without a session only names and states are told."""
    parts = readiness()
    ready = is_ready(parts)
    shown = (
        ("name", "is_ok", "is_required", "text", "advice")
        if request.user.is_authenticated
        else ("name", "is_ok", "is_required")
    )
    told = [{key: value for key, value in asdict(part).items() if key in shown} for part in parts]
    return JsonResponse({"ready": ready, "parts": told}, status=200 if ready else 503)
