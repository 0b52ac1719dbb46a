"""Record the health of the Signal line, and tell the owner when it changes.

A problem is reported once it has lasted for 10 s, at most every 6 hours.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from agents.signal import inbox
from devices.channels import routing
from devices.channels.signal import own_numbers
from devices.channels.signal.api import PROBLEMS, SignalProblem
from devices.channels.signal.channel import LINE
from devices.conversation import messages
from devices.models import Device, Message
from devices.models.deliveries import REFUSALS, UNREGISTERED, Delivery, LineState
from devices.owner import clock
from devices.owner.account import the_owner
from thoughts.text.labels import HOUSE

log = structlog.get_logger("penny.signal")
NO_ECHO = timedelta(seconds=25)  # without a receipt after an accepted message, the line counts as deaf
SAID_AFTER = timedelta(seconds=10)
TOLD_AGAIN = timedelta(hours=6)
MISSED = timedelta(seconds=20)
ASKED_AGAIN = timedelta(seconds=60)  # pause between checks of an unregistered number
KEPT = ("lost", "deaf", *REFUSALS)  # problems that last although the server answers
MISSED_SAID = (
    "I was not listening to Signal since {since}. What you wrote there meanwhile did not reach me: "
    "please write it again."
)
RETURNED = "Signal works again. What I had to say there is on its way."
UNTAKEN = "Something inside me went wrong with this message, so I did nothing with it. Please send it again."


def hold_line(me: UUID) -> bool:
    return LineState.of(LINE).hold(me, timezone.now())


def release_line(me: UUID) -> None:
    LineState.of(LINE).let_go(me)


@transaction.atomic
def drop_first() -> None:
    """Drop the first entry, which failed unexpectedly, and tell its sender."""
    if entry := inbox.next_entry():
        type(entry).objects.filter(pk=entry.pk).update(envelope=None)
        inbox.store_refusal(entry, UNTAKEN)


def note_unread() -> None:
    LineState.of(LINE).count_unread()


@transaction.atomic
def note_alive(account: str, version: str) -> bool:
    """Record that the server answers; return whether the line has just become deaf."""
    now, state = timezone.now(), LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    is_deaf = _receives_nothing(state, now)
    problem, text = state.problem, state.said
    if is_deaf and problem not in REFUSALS:
        assert state.accepted_at is not None
        problem, text = (
            "deaf",
            PROBLEMS["deaf"].format(since=clock.time_in_words(state.heard_at or state.accepted_at, now)),
        )
    elif problem not in KEPT:
        problem, text = "", ""
    _set_problem(state, problem, text, now)
    is_new = problem == "deaf" and state.problem != "deaf"
    missing = {"listening_since": None} if is_new else {}
    LineState.objects.filter(pk=state.pk).update(account=account, version=version[:32], checked_at=now, **missing)
    return is_new


def number_to_check(asked_at: datetime | None) -> Device | None:
    """Return a number to check an unregistered account with, None if no check is due."""
    state, now = LineState.of(LINE), timezone.now()
    since = max(filter(None, (state.problem_since, asked_at)), default=None)
    if state.problem != UNREGISTERED or (since and now - since < ASKED_AGAIN):
        return None
    return next(iter(own_numbers.proven_numbers()), None)


@transaction.atomic
def note_registered() -> None:
    state = LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    if state.problem == UNREGISTERED:
        _set_problem(state, "", "", timezone.now())


def _receives_nothing(state: LineState, now: datetime) -> bool:
    """Return whether no device has answered for 25 s after an accepted message.

    Always False until a device has sent a delivery receipt once: silence of the others proves nothing.
    """
    if (
        state.accepted_at is None
        or now - state.accepted_at < NO_ECHO
        or (state.heard_at and state.heard_at > state.accepted_at)
    ):
        return False
    deliveries = Delivery.objects.filter(device__kind=Device.Kind.SIGNAL)
    return deliveries.filter(arrived_at__isnull=False).exists()


@transaction.atomic
def note_problem(problem: SignalProblem) -> None:
    state = LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    _set_problem(state, problem.code, str(problem), timezone.now())
    LineState.objects.filter(pk=state.pk).update(checked_at=timezone.now())


@transaction.atomic
def record_disconnect(error: str) -> None:
    state = LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    LineState.objects.filter(pk=state.pk).update(reconnects=F("reconnects") + 1, listening_since=None)
    if state.problem in ("", "lost"):
        _set_problem(state, "lost", PROBLEMS["lost"], timezone.now())
    log.info("signal.lost", error=error)


def last_checked() -> datetime | None:
    """Return until when a process listened, None if none ever did; record that none does now."""
    state = LineState.of(LINE)
    LineState.objects.filter(pk=state.pk).update(listening_since=None)
    return state.checked_at


@transaction.atomic
def note_listening(missed_since: datetime | None) -> None:
    now, state = timezone.now(), LineState.objects.select_for_update().get_or_create(line=LINE)[0]
    if missed_since and now - missed_since > MISSED:
        _notify_owner(MISSED_SAID.format(since=clock.time_in_words(missed_since, now)))
    if state.problem == "lost":
        _set_problem(state, "", "", timezone.now())
    LineState.objects.filter(pk=state.pk, listening_since=None).update(listening_since=now)


def _set_problem(state: LineState, problem: str, text: str, now: datetime) -> None:
    if problem != state.problem:
        log.info("signal.stands", problem=problem or "well")
    since = state.problem_since if problem == state.problem else (now if problem else None)
    LineState.objects.filter(pk=state.pk).update(problem=problem, said=text, problem_since=since)
    if problem and since and now - since >= SAID_AFTER and (state.told_at is None or now - state.told_at > TOLD_AGAIN):
        _notify_owner(f"Signal: {text}")
        LineState.objects.filter(pk=state.pk).update(told_at=now, told=True)
    elif not problem and state.told:
        _notify_owner(RETURNED)
        LineState.objects.filter(pk=state.pk).update(told=False)


def _notify_owner(words: str) -> None:
    """Notify the owner in the conversation and on a device that is not reached over Signal."""
    if not own_numbers.proven_numbers():
        return
    message = messages.store_message(
        the_owner(),
        messages.render_content(words, []),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        origin=sorted(HOUSE),
    )
    routing.send_proactive(message, "You write to Penny over Signal.", without=Device.Kind.SIGNAL)
