"""What a socket sends by itself: the state at its start, and what it missed later."""

from datetime import timedelta
from uuid import UUID

from constance import config
from django.contrib.auth.models import User
from django.utils import timezone

from agents.acting.live import shown_errands
from agents.acting.obstacle import acting_state
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.runs.stream import TurnProgress, read_progress
from agents.thinking.looking import current_look
from agents.turns import finish
from devices import protocol
from devices.access import versions
from devices.conversation import deletion, messages, threads
from devices.conversation.unread import unread_finds
from devices.grants import asks, grants
from devices.models import Device, Message
from devices.owner.account import owner_name
from devices.owner.stop import stop_state
from devices.sockets.window import NOTHING, Window

MISSED = timedelta(seconds=2)  # a wake-up arrives earlier, or is lost


def first_seq(owner: User, cursor: int | None) -> int:
    """Return the `seq` after which messages are sent: the cursor, or the last 50 without one.

    A cursor beyond the last message is older than a restored backup, and is ignored.
    """
    last = messages.last_seq(owner)
    return max(0, last - protocol.FIRST_MESSAGES) if cursor is None or cursor > last else cursor


def first_frames(device: Device, owner: User, window: Window) -> list[protocol.ServerFrame]:
    infos = grants.current_infos()
    granted = grants.grant_frames(infos)
    welcome = protocol.Welcome(
        device=device.info(),
        owner=protocol.OwnerInfo(name=owner_name(), timezone=str(config.TIMEZONE)),
        grants=infos if len(granted) == 1 else [],
        unread_thoughts=unread_finds(),
        seq=messages.last_seq(owner),
        has_model=models_in_use().main is not None,
        misfit=versions.misfit(device.client),
    )
    own = {"message__owner": owner, "message__seq__gt": 0}  # a temporary turn is sent to nobody else
    underway = (Run.State.RUNNING, Run.State.PARKED)
    running = Run.objects.filter(kind=Run.Kind.TURN, state__in=underway, **own).select_related("message")
    pages = granted if len(granted) > 1 else []
    deleted_ranges = deletion.gone_before(owner, window.sent_seq)
    threads_now: list[protocol.ServerFrame] = [threads.sync_frame(), *([deleted_ranges] if deleted_ranges else [])]
    turns = (_turn_started(run, window) for run in running)
    states: list[protocol.ServerFrame] = [acting_state(), stop_state(), *threads_now]
    return [welcome, *pages, *states, *turns, *asks.shown_now(), *_looking(), *shown_errands()]


def current_state() -> list[protocol.ServerFrame]:
    """Return the state that devices are otherwise sent only when it changes."""
    count = protocol.ThoughtsCount(unread=unread_finds())
    granted, questions = grants.grant_frames(grants.current_infos()), asks.shown_now()
    states: list[protocol.ServerFrame] = [count, acting_state(), stop_state(), threads.sync_frame()]
    return [*granted, *states, *questions, *_looking(), *shown_errands()]


def _looking() -> list[protocol.LookingChanged]:
    look = current_look()
    return [protocol.LookingChanged(look=look)] if look else []


def _turn_started(run: Run, window: Window) -> protocol.TurnStarted:
    """Return a running turn. Its text so far is not sent again piece by piece."""
    assert run.turn_id is not None
    assert run.message is not None
    turn = read_progress(run.turn_id) or TurnProgress(run.attempt, 0, run.message.device_label, "")
    window.turns[str(run.turn_id)] = (turn.attempt, turn.index)
    return turn.frame(run.turn_id)


def missed_text(turn_id: UUID, window: Window) -> protocol.TurnStarted | None:
    """Return a running turn with its text, if the socket has missed a piece of it."""
    turn = read_progress(turn_id)
    if turn is None or (turn.attempt, turn.index) <= window.turns.get(str(turn_id), NOTHING):
        return None
    window.turns[str(turn_id)] = (turn.attempt, turn.index)
    return turn.frame(turn_id)


def missed_ends(owner: User, turn_ids: list[str], last_seq: int) -> list[protocol.TurnDone | protocol.TurnFailed]:
    """Return the ends of turns that the socket still shows as running: their wake-up was lost.

    `last_seq`: the last message that was sent. An end is not sent before its message.
    """
    conditions = {"message__owner": owner, "message__direction": Message.Direction.IN, "message__turn_id__in": turn_ids}
    over = Run.objects.exclude(state__in=Run.OPEN).filter(**conditions, ended_at__lt=timezone.now() - MISSED)
    answers = Message.all_rows.filter(owner=owner, direction=Message.Direction.OUT, seq__lte=last_seq)
    replies = {message.turn_id: message for message in answers.filter(turn_id__in=[run.turn_id for run in over])}
    return [finish.end_of(run, replies[run.turn_id]) for run in over if run.turn_id in replies]
