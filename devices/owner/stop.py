"""The owner's stop of everything, stored in the database.

Everything that makes a call checks it, until the owner resumes.
"""

from datetime import datetime

from django.db import transaction

from devices import events, protocol
from devices.db import one_at_a_time
from devices.models import Stop


def is_stopped() -> bool:
    return Stop.objects.filter(resumed_at=None).exists()


def active_stop() -> Stop | None:
    return Stop.objects.filter(resumed_at=None).first()


def stop_everything(device_label: str, now: datetime) -> Stop:
    """Stop everything in the caller's transaction; return the active stop."""
    one_at_a_time("stop")
    stop = active_stop() or Stop.objects.create(device_label=device_label[:64], stopped_at=now)
    _tell_stop()
    return stop


def resume_everything(now: datetime) -> bool:
    is_changed = bool(Stop.objects.filter(resumed_at=None).update(resumed_at=now))
    _tell_stop()
    return is_changed


def stop_state() -> protocol.StopChanged:
    return protocol.StopChanged(is_stopped=is_stopped())


def _tell_stop() -> None:
    """Tell it to every device and to the header of every open page, after the commit."""

    def send() -> None:
        for group in (events.OWNER_GROUP, events.FEED_GROUP):
            events.send_frame(stop_state(), group)

    transaction.on_commit(send)
