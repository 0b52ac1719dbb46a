"""What a device is told first: who it is, what was granted, what runs, what waits for an answer."""

from datetime import timedelta
from uuid import UUID

from constance import config
from django.contrib.auth.models import User
from django.utils import timezone

from agents.models import Run
from agents.runs.stream import SoFar, so_far
from agents.turns import finish
from devices import protocol
from devices.access import versions
from devices.conversation import messages
from devices.grants import asks, grants
from devices.models import Device, Message
from devices.owner.account import owner_name
from devices.sockets.window import NOTHING, Window
from thoughts.models import Thought

MISSED = timedelta(seconds=2)  # a wake-up that was not lost is heard long before


def first_seq(owner: User, cursor: int | None) -> int:
    """Return the `seq` after which messages are sent: the cursor, or the last 50 where there is none.

    A cursor beyond the last message comes from before a backup was restored: it says nothing of what the device has of
    this conversation.
    """
    last = messages.last_seq(owner)
    return max(0, last - protocol.FIRST_MESSAGES) if cursor is None or cursor > last else cursor


def first_frames(device: Device, owner: User, window: Window) -> list[protocol.ServerFrame]:
    """Return `welcome`, the running turns with their text so far, and the questions that are open."""
    welcome = protocol.Welcome(
        device=device.info(),
        owner=protocol.OwnerInfo(name=owner_name(), timezone=str(config.TIMEZONE)),
        grants=grants.current_infos(),
        unread_thoughts=Thought.objects.unread().count(),
        seq=messages.last_seq(owner),
        misfit=versions.misfit(device.client),
    )
    own = {"message__owner": owner, "message__seq__gt": 0}  # of a temporary one hears who asked, when they ask again
    running = Run.objects.filter(kind=Run.Kind.TURN, state=Run.State.RUNNING, **own).select_related("message")
    return [welcome, *(_started(run, window) for run in running), *asks.shown_now()]


def standing_now() -> list[protocol.ServerFrame]:
    """Return how everything stands of which a device is told only when it changes."""
    count = protocol.ThoughtsCount(unread=Thought.objects.unread().count())
    return [protocol.GrantsSync(grants=grants.current_infos()), count, *asks.shown_now()]


def _started(run: Run, window: Window) -> protocol.TurnStarted:
    """Return the turn as it stands; pieces that are part of it already are not sent again."""
    assert run.turn_id is not None
    assert run.message is not None
    found = so_far(run.turn_id) or SoFar(run.attempt, 0, run.message.device_label, "")
    window.turns[str(run.turn_id)] = (found.attempt, found.index)
    return found.frame(run.turn_id)


def caught_up(turn_id: UUID, window: Window) -> protocol.TurnStarted | None:
    """Return a running turn as it stands, if that is more than a socket that missed a piece has sent."""
    found = so_far(turn_id)
    if found is None or (found.attempt, found.index) <= window.turns.get(str(turn_id), NOTHING):
        return None
    window.turns[str(turn_id)] = (found.attempt, found.index)
    return found.frame(turn_id)


def ends_missed(owner: User, turn_ids: list[str], sent: int) -> list[protocol.TurnDone | protocol.TurnFailed]:
    """Return the ends of those turns that are over although a socket still shows them as running: the wake-up was lost.

    `sent`: the last message that went out. An end waits for its message.
    """
    asked = {"message__owner": owner, "message__direction": Message.Direction.IN, "message__turn_id__in": turn_ids}
    over = Run.objects.exclude(state__in=Run.OPEN).filter(**asked, ended_at__lt=timezone.now() - MISSED)
    answers = Message.all_rows.filter(owner=owner, direction=Message.Direction.OUT, seq__lte=sent)
    found = {message.turn_id: message for message in answers.filter(turn_id__in=[run.turn_id for run in over])}
    return [finish.end_of(run, found[run.turn_id]) for run in over if run.turn_id in found]
