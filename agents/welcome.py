"""What a device is told first: who it is, what was granted, what runs, what waits for an answer."""

import json
from typing import Any

import structlog
from constance import config
from django.contrib.auth.models import User
from redis.exceptions import RedisError

from agents.models import Run
from agents.streaming import snapshot_key
from devices import asks, conversation, grants, protocol
from devices.delivery import Window
from devices.models import Device
from devices.owner import owner_name
from devices.redis import sync_client
from thoughts.models import Thought

log = structlog.get_logger("penny.sockets")


def first_seq(owner: User, cursor: int | None) -> int:
    """Return the `seq` after which messages are sent: the cursor, or the last 50 where there is none."""
    last = conversation.last_seq(owner)
    return max(0, last - protocol.FIRST_MESSAGES) if cursor is None else min(cursor, last)


def first_frames(device: Device, owner: User, window: Window) -> list[protocol.ServerFrame]:
    """Return `welcome`, the running turns with their text so far, and the questions that are open."""
    welcome = protocol.Welcome(
        device=device.info(),
        owner=protocol.OwnerInfo(name=owner_name(), timezone=str(config.TIMEZONE)),
        grants=grants.current_infos(),
        unread_thoughts=Thought.objects.unread().count(),
        seq=conversation.last_seq(owner),
    )
    running = Run.objects.filter(kind=Run.Kind.TURN, state=Run.State.RUNNING, message__owner=owner).select_related("message")
    return [welcome, *(_started(run, window) for run in running), *asks.shown_now()]


def _started(run: Run, window: Window) -> protocol.TurnStarted:
    """Return the turn as it stands; pieces that are part of it already are not sent again."""
    assert run.turn_id is not None
    assert run.message is not None
    try:
        kept = sync_client().get(snapshot_key(run.turn_id))
    except RedisError as error:
        log.warning("snapshot.lost", error=type(error).__name__)
        kept = None
    nothing = {"attempt": run.attempt, "index": 0, "text": "", "device_label": run.message.device_label}
    so_far: dict[str, Any] = json.loads(str(kept)) if kept else nothing
    window.turns[str(run.turn_id)] = (so_far["attempt"], so_far["index"])
    return protocol.TurnStarted(turn_id=run.turn_id, attempt=so_far["attempt"], device_label=so_far["device_label"], text=so_far["text"])
