"""Middleware: response headers, one address, compression, reloaded forms, a full disk, the owner."""

import zoneinfo
from collections.abc import Callable
from urllib.parse import urlsplit

import structlog
from constance import config
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils import timezone

from devices import disk
from devices.access import sign_ins
from penny_site.errors import program_error
from penny_site.requests import SHOWN_ONCE, is_api

PARTS_MOST = 10
log = structlog.get_logger("penny.pages")
GetResponse = Callable[[HttpRequest], HttpResponseBase]

# Headers of every response, also of static files, redirects and refusals. Django's SecurityMiddleware adds nosniff,
# Referrer-Policy and Cross-Origin-Opener-Policy.
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
    # Over plain http, browsers would resolve the host of every link on a page.
    "X-DNS-Prefetch-Control": "off",
}  # fmt: skip
# URL names that work before a password is set, off loopback. The handbook then shows nothing of the owner's.
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


# URL names of the pages that may ask the browser for a passkey.
WITH_PASSKEYS = {"sign_in", "sign_ins", "sign_in_link"}
_NO_PASSKEYS = "publickey-credentials-get=()"


def headers(get_response: GetResponse) -> GetResponse:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if request.resolver_match is not None and request.resolver_match.url_name in WITH_PASSKEYS:
            response.headers["Permissions-Policy"] = HEADERS["Permissions-Policy"].replace(
                _NO_PASSKEYS, "publickey-credentials-get=(self)"
            )
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def one_address(get_response: GetResponse) -> GetResponse:
    """Redirect a page under an alias such as localhost to the public address.

    Sockets accept only that Origin, and the cookies belong to it.
    """
    public = urlsplit(settings.PUBLIC_URL)

    def middleware(request: HttpRequest) -> HttpResponseBase:
        here = urlsplit(f"//{request.get_host()}")
        is_alias = settings.IS_LOOPBACK and here.hostname != public.hostname and here.port == public.port
        if is_alias and request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate":
            return redirect(settings.PUBLIC_URL + request.get_full_path())
        return get_response(request)

    return middleware


class Compression(GZipMiddleware):
    """Compress texts that Penny's own pages or the owner asked for; the browser says which these are.

    The length of a compressed body tells something about what is in it: a page of another site could have the browser
    ask for a body that repeats its words beside a secret (BREACH). A page that shows one is sent as it is.
    """

    FROM_HERE = ("same-origin", "none")
    TEXTS = ("text/", "application/json", "application/javascript", "application/manifest+json", "image/svg+xml")

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_whole_text = response.status_code == 200 and response.get("Content-Type", "").startswith(self.TEXTS)
        is_secret = response.get("Cache-Control") == SHOWN_ONCE
        if is_secret or not is_whole_text or request.headers.get("Sec-Fetch-Site") not in self.FROM_HERE:
            return response
        return super().process_response(request, response)


def page_above(get_response: GetResponse) -> GetResponse:
    """Lead a browser that opens an address for forms alone, as a reload after one does, to the page above it."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_opened = request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate"
        above = _address_above(request.path_info) if response.status_code == 405 and is_opened else ""
        return redirect(f"{settings.BASE_PATH}{above}") if above else response

    return middleware


def _address_above(path: str) -> str:
    """Return the nearest address above that exists, "" for none. It may lead further up itself."""
    parts = path.strip("/").split("/")[:PARTS_MOST]
    for count in range(len(parts) - 1, -1, -1):
        above = "/".join(["", *parts[:count], ""])
        try:
            resolve(above)
        except Resolver404:
            continue
        return above
    return ""


class DiskFull:
    """Answer a request that failed on a full disk with a page or a JSON error (HTTP 507)."""

    def __init__(self, get_response: GetResponse) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if not disk.is_full(error):
            return None
        log.warning("page.disk_full")
        if is_api(request):
            return program_error(507, disk.DiskFull.code, disk.REFUSED)
        if request.path_info.startswith("/api/"):
            return JsonResponse({"code": disk.DiskFull.code, "message": disk.REFUSED}, status=507)
        return render(request, "507.html", status=507)


def owner(get_response: GetResponse) -> GetResponse:
    """Activate the owner's timezone. Off loopback, first demand a password."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return get_response(request)
        sign_ins.record_use(request.session.session_key)
        if not settings.IS_LOOPBACK and not request.user.has_usable_password() and not _is_open(request):
            return redirect("password")
        with timezone.override(zoneinfo.ZoneInfo(config.TIMEZONE)):
            return get_response(request)

    return middleware


def _is_open(request: HttpRequest) -> bool:
    try:
        return resolve(request.path_info).url_name in BEFORE_PASSWORD
    except Resolver404:
        return False
