import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect, retarget

from devices.access.pairing import is_another_open, open_code, paired_since
from devices.models import Device, PairingCode, digest
from penny_site.backups.download import Download
from penny_site.health import parts
from penny_site.requests import OwnerRequest, shown_once
from penny_site.settings_pages import machine, model_page, notification_views
from penny_site.setup.page import ASK, BROWSERS, BUILDS, build_path, setup_page

TEMPLATE = "penny_site/setup.html"
TESTABLE = ("model", "browser", "signal", *machine.TESTABLE)
RENEWALS_MOST = 10
OFFERED_CODE = "offered_code"  # in the session: the digest of its newest code
RENEWALS_LEFT = frozenset(map(str, range(RENEWALS_MOST + 1)))


def is_paired() -> bool:
    return Device.objects.paired().exists()


@require_safe
def setup(request: OwnerRequest) -> HttpResponse:
    page = setup_page(request) | {"renewals": RENEWALS_MOST, "opens_itself": True}
    if request.htmx:
        return _refresh(request, page)
    return render(request, TEMPLATE, page)


def _refresh(request: OwnerRequest, page: dict[str, Any]) -> HttpResponse:
    """Answer the page's poll: another screen, or what changed on the one that it shows."""
    current, screen = request.GET.get("screen"), page["screen"]
    if current == screen:
        is_list = screen == BROWSERS
        return render(request, "penny_site/_setup_devices.html", page) if is_list else HttpResponse(status=204)
    if current == ASK:  # the owner answered in the sidebar
        return HttpResponseClientRedirect(reverse("feed"))
    return retarget(render(request, "penny_site/_setup_screen.html", page), "#screen")


@require_POST
def setup_test(request: OwnerRequest, part: str) -> HttpResponse:
    if part not in TESTABLE:
        raise Http404
    result = parts.try_part(part)
    if request.htmx:
        return render(request, "penny_site/_setup_result.html", {"result": result})
    template, context = _page_of(part, request)
    return render(request, template, context | {"results": [result]})


def _page_of(part: str, request: OwnerRequest) -> tuple[str, dict[str, Any]]:
    """Return the template and the context of the page that shows a part."""
    if part == "signal":
        return notification_views.TEMPLATE, notification_views.page(request)
    if part == "model":
        return model_page.TEMPLATE, model_page.model_page()
    if part in machine.TESTABLE:
        return machine.TEMPLATE, machine.page(request)
    return TEMPLATE, setup_page(request)


@require_http_methods(["GET", "POST"])
def setup_code(request: OwnerRequest) -> HttpResponse:
    """Open a code (POST), or answer 204 until a device paired or the code expired (GET).

    The page polls with GET every 2 s.
    """
    context = _open_new_code(request) if request.method == "POST" else _code_progress(request.GET.get("since", ""))
    if context is None:
        return HttpResponse(status=204)
    renewals = _renewals_left(request)
    context |= {"renewals": renewals, "opens_itself": bool(renewals and context.get("is_over"))}
    if request.htmx:
        return shown_once(render(request, "penny_site/_setup_code.html", context))
    return shown_once(render(request, TEMPLATE, setup_page(request) | context))


def _renewals_left(request: OwnerRequest) -> int:
    """Return how often the page may still ask for a code by itself: the sidebar finds none that is over."""
    text = (request.POST if request.method == "POST" else request.GET).get("renewals", "")
    return max(0, int(text) - (request.method == "POST")) if text in RENEWALS_LEFT else 0


def _open_new_code(request: OwnerRequest) -> dict[str, Any] | None:
    """Open a code. One that the page asks for by itself takes the place of none that the owner asked for elsewhere."""
    by_itself = "renewals" in request.POST and "pressed" not in request.POST
    if by_itself and is_another_open(request.session.get(OFFERED_CODE, "")):
        return None
    now = timezone.now()
    code = open_code()
    request.session[OFFERED_CODE] = digest(code)
    return {"code": f"{code[:4]} {code[4:]}", "opened_at": now, "expires_at": now + PairingCode.LIFETIME}


def _code_progress(text: str) -> dict[str, Any] | None:
    """Return what happened to the code of this time: a device, its expiry, None for nothing."""
    try:
        opened_at = parse_datetime(text)
    except ValueError:
        opened_at = None
    if opened_at is None or timezone.is_naive(opened_at):
        return {}
    device = paired_since(opened_at)
    if device:
        return {"paired": device}
    return (
        {"is_over": True} if timezone.now() > opened_at + PairingCode.LIFETIME + datetime.timedelta(seconds=1) else None
    )


@require_GET
def extension(request: OwnerRequest, browser: str) -> HttpResponseBase:
    if browser not in BUILDS:
        raise Http404
    path = build_path(browser)
    if not path.is_file():
        return render(request, "penny_site/not_built.html", {"browser": browser}, status=404)
    return Download(path)
