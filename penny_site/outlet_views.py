"""The outlets through which Penny may tell the owner what they did not ask for: on the setup page."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from devices.channels import routing
from devices.channels.registry import outlet_kinds
from devices.models import Device
from devices.revoking import revoke
from penny_site.forms import OutletForm, PushForm
from penny_site.requests import OwnerRequest
from penny_site.setup import setup_page


@require_POST
def subscribe(request: OwnerRequest) -> HttpResponse:
    """Take the subscription of the browser that asks."""
    form = PushForm(request.POST)
    if form.is_valid():
        messages.success(request, f"{form.save()} shows what Penny finds for you, also with her page closed.")
    else:
        messages.error(request, "This browser gave no address for notifications. Allow them for this page, and try again.")
    return _back()


@require_POST
def add(request: OwnerRequest) -> HttpResponse:
    form = OutletForm(request.POST)
    if form.is_valid():
        messages.success(request, f"{form.save()} is an outlet now.")
        return _back()
    return render(request, "penny_site/setup.html", setup_page() | {"outlet_form": form}, status=422)


@require_POST
def test(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = _outlet(pk)
    routing.queue(device, None, "You asked for a test.", key=f"test:{uuid4()}", text="This is a test: what Penny finds for you arrives.")
    messages.success(request, f"A test is on its way to {device}.")
    return _back()


@require_POST
def remove(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = _outlet(pk)
    revoke(device)
    messages.success(request, f"{device} is no outlet any more. Add it again to undo that.")
    return _back()


def _outlet(pk: UUID) -> Device:
    return get_object_or_404(Device.objects.active(), pk=pk, kind__in=outlet_kinds())


def _back() -> HttpResponse:
    return redirect(f"{reverse('setup')}#outlets")
