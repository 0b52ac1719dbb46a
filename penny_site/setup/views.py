import datetime
import time
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from devices.access.pairing import open_code, paired_since
from devices.access.revoke import revoke
from devices.channels.signal import own_numbers
from devices.models import Device, PairingCode
from penny_site.backups import make
from penny_site.backups.download import Download
from penny_site.forms import SignalNumberForm
from penny_site.health import model, parts
from penny_site.requests import OwnerRequest
from penny_site.setup import signal_account
from penny_site.setup.page import BUILDS, TESTABLE, build_path, setup_page


def is_paired() -> bool:
    return Device.objects.paired().exists()


@require_safe
def setup(request: OwnerRequest) -> HttpResponse:
    if not request.htmx:
        return render(request, "penny_site/setup.html", setup_page())
    page, linked_before = setup_page(), request.GET.get("linked")
    has_link_changed = (
        linked_before is not None
        and page["signal"]["is_set"]
        and page["signal"]["is_linked"] != (linked_before == "yes")
    )
    return render(request, "penny_site/_setup_state.html", page | {"has_link_changed": has_link_changed})


@require_POST
def setup_test(request: OwnerRequest, part: str) -> HttpResponse:
    if part not in (*TESTABLE, "signal"):
        raise Http404
    result = parts.try_part(part)
    if request.htmx:
        return render(request, "penny_site/_setup_result.html", {"result": result})
    return render(request, "penny_site/setup.html", setup_page() | {"results": [result]})


@require_http_methods(["GET", "POST"])
def setup_code(request: OwnerRequest) -> HttpResponse:
    """Open a code (POST), or answer 204 until a device paired or the code expired (GET).

    The page polls with GET every 2 s.
    """
    context = _open_new_code() if request.method == "POST" else _code_progress(request.GET.get("since", ""))
    if context is None:
        return HttpResponse(status=204)
    if request.htmx:
        return render(request, "penny_site/_setup_code.html", context)
    return render(request, "penny_site/setup.html", setup_page() | context)


def _open_new_code() -> dict[str, Any]:
    now = timezone.now()
    code = open_code()
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


@require_POST
def setup_signal(request: OwnerRequest) -> HttpResponse:
    """Add a number of the owner's: Penny treats its Signal messages as theirs."""
    form = SignalNumberForm(request.POST)
    if form.is_valid():
        number = form.save()
        if own_numbers.is_proven(number):
            messages.success(request, f"{number.address} is yours. Write to Penny from it.")
        else:
            messages.info(request, f"Now show that {number.address} is yours: write the code to Penny from it.")
        return redirect(f"{reverse('setup')}#signal")
    return render(request, "penny_site/setup.html", setup_page() | {"number_form": form}, status=422)


@require_POST
def setup_signal_name(request: OwnerRequest) -> HttpResponse:
    if signal_account.name_on_signal():
        messages.success(request, "Signal shows Penny's name and picture now.")
    else:
        messages.error(request, "Signal did not take them: its server refused, or the account is a number of yours.")
    return redirect(f"{reverse('setup')}#signal")


@require_POST
def setup_signal_trust(request: OwnerRequest) -> HttpResponse:
    if signal_account.trust_on_signal():
        messages.success(request, "Trusted. What waited is on its way.")
    else:
        messages.error(request, "Signal's server did not take that. Look whether it runs, and try again.")
    return redirect(f"{reverse('setup')}#signal")


@require_POST
def setup_signal_forget(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(Device.objects.active(), pk=pk, kind=Device.Kind.SIGNAL)
    revoke(device)
    messages.success(request, f"What comes from {device.address} is refused from now on. Enter it again to undo that.")
    return redirect(f"{reverse('setup')}#signal")


@require_GET
def setup_signal_code(request: OwnerRequest) -> HttpResponse:
    """Return the picture that a phone scans. Each request gets a new one, valid for a minute."""
    picture = signal_account.fetch_signal_qr() if settings.SIGNAL_URL else None
    if picture is None:
        raise Http404
    response = HttpResponse(picture, content_type="image/png")
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def setup_signal_new_code(request: OwnerRequest) -> HttpResponse:
    """Show a new code, under a new address: browsers would show the cached picture again."""
    return render(request, "penny_site/_signal_code.html", {"at": time.time_ns()})


@require_GET
def setup_models(request: OwnerRequest) -> HttpResponse:
    context = {"servers": model.find_local_models()}
    if request.htmx:
        return render(request, "penny_site/_setup_models.html", context)
    return render(request, "penny_site/setup.html", setup_page() | context)


@require_GET
def extension(request: OwnerRequest, browser: str) -> HttpResponseBase:
    if browser not in BUILDS:
        raise Http404
    path = build_path(browser)
    if not path.is_file():
        return render(request, "penny_site/not_built.html", {"browser": browser}, status=404)
    return Download(path)


@require_POST
def back_up(request: OwnerRequest) -> HttpResponse:
    """Have the worker make a backup: it may take longer than a request should."""
    current_app.send_task("penny.back_up", queue="runs")
    if request.htmx:
        return render(request, "penny_site/_setup_backing_up.html")
    messages.success(request, "A backup is being made. It stands in the list when it is done.")
    return redirect("setup")


@require_GET
def backup(request: OwnerRequest, name: str) -> HttpResponseBase:
    path = make.find_sendable(name)
    if path is None:
        raise Http404
    return Download(path)
