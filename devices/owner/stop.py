"""The owner's stop of everything, stored in the database.

Everything that makes a call checks it, until the owner resumes.
"""

from datetime import datetime

from devices.db import one_at_a_time
from devices.models import Stop


def is_stopped() -> bool:
    return Stop.objects.filter(resumed_at=None).exists()


def active_stop() -> Stop | None:
    return Stop.objects.filter(resumed_at=None).first()


def stop_everything(device_label: str, now: datetime) -> Stop:
    """Stop everything in the caller's transaction; return the active stop."""
    one_at_a_time("stop")
    return active_stop() or Stop.objects.create(device_label=device_label[:64], stopped_at=now)


def resume_everything(now: datetime) -> bool:
    return bool(Stop.objects.filter(resumed_at=None).update(resumed_at=now))
