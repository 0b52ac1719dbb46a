"""Have the sockets of the open pages count anew (agents/frames/counts.py). A lost wake-up costs the next change."""

from typing import Any

from django.db import transaction

from devices import events

LOOK: dict[str, Any] = {"type": "counts.look"}


def tell_counts() -> None:
    """Have them count after the commit."""
    transaction.on_commit(lambda: events.send(LOOK, events.FEED_GROUP))
