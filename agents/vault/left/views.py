"""The page of what a browser brought. It opens by itself where Penny's extension is removed from a browser.

Its address names the browser by its id, which nobody can guess and which opens nothing without the owner's session.
"""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from agents.vault.forget.entries import moment_key, moment_of
from agents.vault.left.contents import PARTS, contents_of, delete_contents, restore_contents
from devices.access.revoke import revoke
from devices.models import Device
from penny_site.requests import OwnerRequest

TOO_LATE = "The ten minutes are over: that is gone for good."


@require_http_methods(["GET", "HEAD", "POST"])
def left(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Say what a browser brought and what goes with it. Delete the chosen parts, and unpair the browser if chosen."""
    device = get_object_or_404(Device, pk=pk, kind=Device.Kind.BROWSER)
    if request.method != "POST":
        context = {"device": device, "contents": contents_of(request.user, device)}
        return render(request, "agents/vault/left.html", context)
    parts = [part for part in PARTS if part in request.POST]
    moment = delete_contents(request.user, device, parts, with_answers="with_answers" in request.POST)
    if "unpair" in request.POST and device.revoked_at is None:
        revoke(device)
        messages.success(request, f"{device} is unpaired. It is let in no more.")
    if moment:
        undo = reverse("left_restore", args=[pk, moment_key(moment)])
        messages.success(request, "Deleted. For ten minutes you can undo that.", extra_tags=undo)
    elif parts or "unpair" not in request.POST:
        messages.error(request, "Nothing was deleted: choose what to delete first.")
    return redirect("left", pk)


@require_POST
def restore_left(request: OwnerRequest, pk: UUID, key: int) -> HttpResponse:
    try:
        is_back = restore_contents(request.user, moment_of(key))
    except OverflowError:
        is_back = False
    if is_back:
        messages.success(request, "It is back.")
    else:
        messages.error(request, TOO_LATE)
    return redirect("left", pk)
