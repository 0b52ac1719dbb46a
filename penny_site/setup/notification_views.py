"""The page about notifications, and muting them."""

from datetime import datetime

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from agents.outbox import notify
from devices.owner import clock, muting
from penny_site.forms import NotificationsForm
from penny_site.requests import OwnerRequest, redirect_with_undo


@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: OwnerRequest) -> HttpResponse:
    now = timezone.now()
    form = NotificationsForm(request.POST) if request.method == "POST" else NotificationsForm.from_settings()
    if form.is_valid():
        form.save()
        messages.success(request, "Kept. It holds from now on.")
        return redirect("notifications")
    state = {
        "waiting": notify.why_waiting(now),
        "muted": muting.muted_until(now),
        "mute_until_tomorrow": _mute_address(clock.next_day(now)),
    }
    return render(request, "penny_site/notifications.html", {"form": form, **state}, status=422 if form.errors else 200)


@require_POST
def mute(request: OwnerRequest) -> HttpResponse:
    """Mute until `?until=`, without a valid time until the owner unmutes."""
    now = timezone.now()
    before = muting.muted_until(now)
    muting.mute_until(_parse_moment(request.GET.get("until", "")))
    until = muting.muted_until(now)
    words = (
        f"Muted {muting.muted_in_words(until, now)}. Answers come as ever."
        if until
        else "That time is over: nothing is muted."
    )
    return redirect_with_undo(
        request, words, _mute_address(before) if before else reverse("unmute"), home="notifications"
    )


@require_POST
def unmute(request: OwnerRequest) -> HttpResponse:
    before = muting.muted_until(timezone.now())
    muting.unmute()
    return redirect_with_undo(
        request, "No longer muted.", _mute_address(before) if before else "", home="notifications"
    )


def _mute_address(until: datetime) -> str:
    return f"{reverse('mute')}?{urlencode({'until': until.isoformat()})}"


def _parse_moment(text: str) -> datetime | None:
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    return moment if moment is not None and timezone.is_aware(moment) else None
