"""The owner's word that everything stops. It stands in the database, and whatever would make a call looks there, until
they say go on.
"""

from datetime import datetime

from devices.db import one_at_a_time
from devices.models import Stop


def is_stopped() -> bool:
    return Stop.objects.filter(resumed_at=None).exists()


def standing() -> Stop | None:
    """Return the stop that stands now, if one does."""
    return Stop.objects.filter(resumed_at=None).first()


def begin(device_label: str, now: datetime) -> Stop:
    """Stop within the caller's transaction, or return the stop that stands already."""
    one_at_a_time("stop")
    return standing() or Stop.objects.create(device_label=device_label[:64], stopped_at=now)


def end(now: datetime) -> bool:
    """Let work go on; return whether anything was stopped."""
    return bool(Stop.objects.filter(resumed_at=None).update(resumed_at=now))
