"""Have the sockets say anew whether Penny can act on pages, when something of it changed."""

from django.db import transaction

from devices import events


def look_at_acting() -> None:
    """Have them look after the commit. A lost wake-up costs the next look at the state."""
    transaction.on_commit(lambda: events.send({"type": "acting.look"}))
