"""Headers on every answer, and the owner's timezone."""

import zoneinfo
from collections.abc import Callable
from urllib.parse import urlsplit

import structlog
from constance import config
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils import timezone

from agents.api.schemas import ErrorBody, ErrorDetail
from devices import disk
from devices.access import sign_ins
from penny_site.requests import is_from_here

log = structlog.get_logger("penny.pages")
Answer = Callable[[HttpRequest], HttpResponseBase]

# With those that Django's own SecurityMiddleware sets (nosniff, Referrer-Policy, Cross-Origin-Opener-Policy) on every
# answer, whoever gave it: a page, a picture, a static file, a redirect, a refusal.
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Frame-Options": "DENY",
    "Permissions-Policy": ", ".join(
        f"{name}=()"
        for name in (
            "accelerometer", "autoplay", "browsing-topics", "camera", "display-capture", "encrypted-media",
            "fullscreen", "geolocation",
            "gyroscope", "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
            "publickey-credentials-get",
            "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
        )
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    # browsers look up the names of all links of a plain-http page, before anybody follows one
    "X-DNS-Prefetch-Control": "off",
}  # fmt: skip
# Where the owner may go before a password is set, once Penny is reached from other machines.
# The handbook shows nothing of theirs then.
BEFORE_PASSWORD = {
    "password",
    "sign_in",
    "sign_in_link",
    "sign_out",
    "help",
    "help_page",
    "help_picture",
    "passkey_sign_in",
    "passkey_begin_signing_in",
    "healthz",
    "readyz",
    "pair",
}


# On these pages alone the browser may be asked for a passkey.
WITH_PASSKEYS = {"sign_in", "sign_ins", "sign_in_link"}
_NO_PASSKEYS = "publickey-credentials-get=()"


def headers(answer: Answer) -> Answer:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if request.resolver_match is not None and request.resolver_match.url_name in WITH_PASSKEYS:
            response.headers["Permissions-Policy"] = HEADERS["Permissions-Policy"].replace(
                _NO_PASSKEYS, "publickey-credentials-get=(self)"
            )
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def one_address(answer: Answer) -> Answer:
    """Lead a page that was opened as localhost to the one public address: sockets accept that Origin alone, and cookies
    belong to it.
    """
    public = urlsplit(settings.PUBLIC_URL)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        here = urlsplit(f"//{request.get_host()}")
        is_alias = settings.IS_LOOPBACK and here.hostname != public.hostname and here.port == public.port
        if is_alias and request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate":
            return redirect(settings.PUBLIC_URL + request.get_full_path())
        return answer(request)

    return middleware


def own_writes(answer: Answer) -> Answer:
    """Refuse what a page of another site sends: browsers say where a request comes from. Pairing has a rule of its own,
    and programs prove themselves by a token that no page has.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if (
            is_from_here(request)
            or request.method in ("GET", "HEAD", "OPTIONS")
            or request.path_info == "/api/pair"
            or _is_api(request)
        ):
            return answer(request)
        return HttpResponse("Only Penny's own pages may send this.\n", status=403, content_type="text/plain")

    return middleware


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/v1/")


class DiskFull:
    """What could not be stored because the disk is full is answered by a page, or a line for a program, that says
    so.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._answer(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if not disk.is_full(error):
            return None
        log.warning("page.disk_full")
        if _is_api(request):
            refused = ErrorDetail(message=disk.REFUSED, type="server_error", code=disk.DiskFull.code)
            return JsonResponse(ErrorBody(error=refused).model_dump(), status=507)
        if request.path_info.startswith("/api/"):
            return JsonResponse({"code": disk.DiskFull.code, "message": disk.REFUSED}, status=507)
        return render(request, "507.html", status=507)


def owner(answer: Answer) -> Answer:
    """Show dates in the owner's timezone; off loopback ask for a password before anything else."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return answer(request)
        sign_ins.record_use(request.session.session_key)
        if not settings.IS_LOOPBACK and not request.user.has_usable_password() and not _is_open(request):
            return redirect("password")
        with timezone.override(zoneinfo.ZoneInfo(config.TIMEZONE)):
            return answer(request)

    return middleware


def _is_open(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in BEFORE_PASSWORD
    except Resolver404:
        return False
