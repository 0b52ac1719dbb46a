"""The page Notifications: muting, the settings, and where Penny reaches the owner."""

from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST

from agents.outbox import notify
from devices.owner import clock, muting
from penny_site.requests import OwnerRequest, redirect_with_undo
from penny_site.settings_pages.forms import NotificationsForm
from penny_site.settings_pages.reach import reach_context
from penny_site.settings_pages.save import save_or_reset

TEMPLATE = "penny_site/settings/notifications.html"
FIRST = ("QUIET_FROM", "QUIET_TO", "NOTIFY_CHANNEL")  # the others are under More


@require_http_methods(["GET", "HEAD", "POST"])
def notifications(request: OwnerRequest) -> HttpResponse:
    if request.htmx:
        return _signal_state(request)
    posted = NotificationsForm(request.POST if request.method == "POST" else None)
    answer, form = save_or_reset(request, posted, reverse("notifications"))
    if answer:
        return answer
    return render(request, TEMPLATE, page(request, form), status=422 if form.is_bound and form.errors else 200)


def page(request: OwnerRequest, form: Any = None) -> dict[str, Any]:
    """Return the context of the page. `form`: the settings as the owner edited them."""
    now, form = timezone.now(), form or NotificationsForm()
    more = [row for row in form.rows if row.setting.name not in FIRST]
    return reach_context() | {
        "form": form,
        "wrong": form.is_bound and len(form.errors),
        "rows": [row for row in form.rows if row.setting.name in FIRST],
        "more": more,
        "more_is_open": any(row.is_changed or row.field.errors for row in more) or bool(form["strong_most"].errors),
        "waiting": notify.why_waiting(now),
        "muted": muting.muted_until(now),
        "mute_until_tomorrow": _mute_address(clock.next_day(now)),
    }


def _signal_state(request: OwnerRequest) -> HttpResponse:
    """Show the current state of Signal. The page polls every 5 s."""
    context, linked_before = reach_context(), request.GET.get("linked")
    has_link_changed = (
        linked_before is not None
        and context["signal"]["is_set"]
        and context["signal"]["is_linked"] != (linked_before == "yes")
    )
    return render(request, "penny_site/settings/_signal_state.html", context | {"has_link_changed": has_link_changed})


@require_POST
def mute(request: OwnerRequest) -> HttpResponse:
    """Mute until `?until=`, without a valid time until the owner unmutes."""
    now = timezone.now()
    before = muting.muted_until(now)
    muting.mute_until(_parse_moment(request.GET.get("until", "")))
    until = muting.muted_until(now)
    words = (
        f"Muted {muting.muted_in_words(until, now)}. Answers still come."
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
