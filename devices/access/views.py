"""The view that pairs a device."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from devices.access import pairing
from devices.protocol import PairRequest


@csrf_exempt  # no cookie counts here: an unpaired device proves itself by the code
@login_not_required
@require_POST
def pair(request: HttpRequest) -> JsonResponse:
    """Pair a device. A web page is refused before its code is checked."""
    origin = request.headers.get("Origin")
    is_page = origin is None and "Sec-Fetch-Site" in request.headers  # a page whose browser hides its origin
    if is_page or not pairing.is_device_origin(origin):
        return _refusal(403, "web_origin", "A web page cannot pair. Use the extension's sidebar, or a program.")
    if request.content_type != "application/json":
        return _refusal(400, "not_json", "Send JSON with the content type application/json.")
    try:
        response = pairing.pair(
            PairRequest.model_validate_json(request.body), origin or "", request.META["REMOTE_ADDR"]
        )
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "body"
        return _refusal(400, "bad_request", f"{where}: {error.errors()[0]['msg']}.")
    except pairing.PairingRefused as error:
        return _refusal(error.status, error.code, str(error))
    return JsonResponse(response.model_dump(mode="json"), status=201)


def _refusal(status: int, code: str, message: str) -> JsonResponse:
    return JsonResponse({"code": code, "message": message}, status=status)
