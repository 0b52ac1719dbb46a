"""Add, test, remove and restore the outlets for notifications, on the page Notifications."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from devices.access.revoke import revoke
from devices.channels import routing
from devices.channels.registry import outlet_kinds
from devices.models import Device
from penny_site.forms import OutletForm, PushForm
from penny_site.requests import OwnerRequest
from penny_site.settings_pages import notification_views
from penny_site.settings_pages.reach import TEST, Outlet


@require_POST
def subscribe(request: OwnerRequest) -> HttpResponse:
    form = PushForm(request.POST)
    if form.is_valid():
        messages.success(request, f"{form.save()} shows what Penny finds for you, also with her page closed.")
    else:
        messages.error(
            request, "This browser gave no address for notifications. Allow them for this page, and try again."
        )
    return _redirect_to_outlets()


@require_POST
def record_use(request: OwnerRequest) -> HttpResponse:
    """Record that the owner uses a subscribed browser: it then gets the notifications."""
    browsers = Device.objects.active().filter(kind=Device.Kind.PUSH, address=request.POST.get("endpoint", ""))
    browsers.update(used_at=timezone.now())
    return HttpResponse(status=204)


@require_POST
def add(request: OwnerRequest) -> HttpResponse:
    form = OutletForm(request.POST)
    if form.is_valid():
        messages.success(request, f"{form.save()} is an outlet now.")
        return _redirect_to_outlets()
    return render(
        request, notification_views.TEMPLATE, notification_views.page(request) | {"outlet_form": form}, status=422
    )


@require_POST
def test(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = _get_outlet(pk)
    if device.revoked_at is not None:
        return _say_that_it_ended(request, device)
    routing.queue(
        device,
        None,
        "You asked for a test.",
        key=f"{TEST}{uuid4()}",
        text="This is a test: what Penny finds for you arrives.",
    )
    return _redirect_to_outlets()


@require_GET
def state(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Show the state of the outlet's last delivery. The page polls every 2 s during a test, which may end it."""
    return render(request, "penny_site/settings/_outlet_state.html", {"outlet": Outlet.of(_get_outlet(pk))})


@require_POST
def remove(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = _get_outlet(pk)
    if device.revoked_at is not None:
        return _say_that_it_ended(request, device)
    revoke(device)
    if request.POST.get("unsubscribed"):  # the browser ended the subscription, which the server cannot restore
        messages.success(request, f"{device} shows no notifications any more. Have them shown here again to undo that.")
    else:
        messages.success(request, f"{device} is no outlet any more.", extra_tags=reverse("outlet_restore", args=[pk]))
    return _redirect_to_outlets()


@require_POST
def restore(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Undo the removal of an outlet, unless it was added again."""
    device = get_object_or_404(Device, pk=pk, kind__in=outlet_kinds())
    if not Device.objects.active().filter(kind=device.kind, address=device.address).exists():
        Device.objects.filter(pk=pk).update(revoked_at=None, waits=False)
    messages.success(request, f"{device} is an outlet again.")
    return _redirect_to_outlets()


def _get_outlet(pk: UUID) -> Device:
    """Return an outlet, also one that ended while its page was open: a push service says so of a browser."""
    return get_object_or_404(Device, pk=pk, kind__in=outlet_kinds())


def _say_that_it_ended(request: OwnerRequest, device: Device) -> HttpResponse:
    messages.error(request, f"{device} is no outlet any more. To have notifications there again, add it anew.")
    return _redirect_to_outlets()


def _redirect_to_outlets() -> HttpResponse:
    return redirect(f"{reverse('notifications')}#outlets")
