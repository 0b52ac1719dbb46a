"""When and where Penny tells the owner what they did not ask for just now, and being muted."""

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
from penny_site.requests import OwnerRequest, done


@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: OwnerRequest) -> HttpResponse:
    now = timezone.now()
    form = NotificationsForm(request.POST) if request.method == "POST" else NotificationsForm.as_set()
    if form.is_valid():
        form.save()
        messages.success(request, "Kept. It holds from now on.")
        return redirect("notifications")
    stands = {
        "waiting": notify.why_waiting(now),
        "muted": muting.muted_until(now),
        "mute_until_tomorrow": _muting(clock.next_day(now)),
    }
    return render(
        request, "penny_site/notifications.html", {"form": form, **stands}, status=422 if form.errors else 200
    )


@require_POST
def mute(request: OwnerRequest) -> HttpResponse:
    """Be silent until `?until=`, or until the owner says otherwise."""
    now = timezone.now()
    before = muting.muted_until(now)
    muting.mute_until(_moment(request.GET.get("until", "")))
    until = muting.muted_until(now)
    words = (
        f"Muted {muting.muted_in_words(until, now)}. Answers come as ever."
        if until
        else "That time is over: nothing is muted."
    )
    return done(request, words, _muting(before) if before else reverse("unmute"), home="notifications")


@require_POST
def unmute(request: OwnerRequest) -> HttpResponse:
    before = muting.muted_until(timezone.now())
    muting.unmute()
    return done(request, "No longer muted.", _muting(before) if before else "", home="notifications")


def _muting(until: datetime) -> str:
    """Return the address that mutes until then."""
    return f"{reverse('mute')}?{urlencode({'until': until.isoformat()})}"


def _moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    return found if found is not None and timezone.is_aware(found) else None
