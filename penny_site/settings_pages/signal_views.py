"""Enter, prove and remove numbers on Signal, and link the account, on the page Notifications."""

import time
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from devices.access.revoke import revoke
from devices.channels.signal import own_numbers
from devices.models import Device
from penny_site.forms import SignalNumberForm
from penny_site.requests import OwnerRequest, shown_once
from penny_site.settings_pages import notification_views, signal_account


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
        return _redirect_to_signal()
    return render(
        request, notification_views.TEMPLATE, notification_views.page(request) | {"number_form": form}, status=422
    )


@require_POST
def setup_signal_name(request: OwnerRequest) -> HttpResponse:
    if signal_account.name_on_signal():
        messages.success(request, "Signal shows Penny's name and picture now.")
    else:
        messages.error(request, "Signal did not take them: its server refused, or the account is a number of yours.")
    return _redirect_to_signal()


@require_POST
def setup_signal_trust(request: OwnerRequest) -> HttpResponse:
    if signal_account.trust_on_signal():
        messages.success(request, "Trusted. What waited is on its way.")
    else:
        messages.error(request, "Signal's server did not take that. Look whether it runs, and try again.")
    return _redirect_to_signal()


@require_POST
def setup_signal_forget(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(Device.objects.active(), pk=pk, kind=Device.Kind.SIGNAL)
    revoke(device)
    messages.success(request, f"What comes from {device.address} is refused from now on. Enter it again to undo that.")
    return _redirect_to_signal()


@require_GET
def setup_signal_code(request: OwnerRequest) -> HttpResponse:
    """Return the picture that a phone scans. Each request gets a new one, valid for a minute."""
    picture = signal_account.fetch_signal_qr() if settings.SIGNAL_URL else None
    if picture is None:
        raise Http404
    return shown_once(HttpResponse(picture, content_type="image/png"))


@require_GET
def setup_signal_new_code(request: OwnerRequest) -> HttpResponse:
    """Show a new code, under a new address: browsers would show the cached picture again."""
    return render(request, "penny_site/settings/_signal_code.html", {"at": time.time_ns()})


def _redirect_to_signal() -> HttpResponse:
    return redirect(f"{reverse('notifications')}#signal")
