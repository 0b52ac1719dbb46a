"""After a restore: what waits, and a button for each that switches it on again."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from agents.model_choice.in_use import models_in_use
from devices.access.waiting import switch_on
from devices.models import Device
from penny_site.requests import OwnerRequest
from thoughts.subscriptions.models import Subscription


@require_safe
def restored(request: OwnerRequest) -> HttpResponse:
    rows = {
        "devices": Device.objects.waiting(),
        "subscriptions": Subscription.objects.waiting(),
        "key_is_lost": models_in_use().trouble != "",
    }
    return render(request, "penny_site/restored.html", rows)


@require_POST
def device_on(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(Device.objects.waiting(), pk=pk)
    words = "is switched on again." if switch_on(device) else "was entered again meanwhile, and needs no switch."
    messages.success(request, f"“{device}” {words}")
    return redirect("restored")


@require_POST
def subscription_on(request: OwnerRequest, pk: int) -> HttpResponse:
    subscription = get_object_or_404(Subscription.objects.waiting(), pk=pk)
    Subscription.objects.filter(pk=pk).update(waits=False)
    messages.success(request, f"“{subscription}” may read your feed again.")
    return redirect("restored")


@require_POST
def leave_off(request: OwnerRequest) -> HttpResponse:
    """Leave everything that still waits revoked for good."""
    Device.objects.waiting().update(waits=False)
    Subscription.objects.waiting().delete()
    messages.success(request, "The others stay off. Pair or add again what you need.")
    return redirect("setup")
