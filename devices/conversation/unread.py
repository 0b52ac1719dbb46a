"""Tell every device and every open page how many thoughts are new."""

from django.db import transaction

from devices import events, protocol
from devices.owner.counts import tell_counts
from thoughts.models import Thought


def unread_finds() -> int:
    return Thought.objects.unread().count()


def tell_unread() -> None:
    """Send the count of new thoughts after the commit."""
    transaction.on_commit(_send_count)


def _send_count() -> None:
    events.send_frame(protocol.ThoughtsCount(unread=unread_finds()))
    tell_counts()
