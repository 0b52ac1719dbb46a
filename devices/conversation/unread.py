"""Tell every device and every open feed how many thoughts are new."""

from django.db import transaction

from devices import events, protocol
from thoughts.models import Thought


def tell_unread() -> None:
    """Send the count of new thoughts after the commit."""
    transaction.on_commit(_send_count)


def _send_count() -> None:
    count = protocol.ThoughtsCount(unread=Thought.objects.unread().count())
    for group in (events.OWNER_GROUP, events.FEED_GROUP):
        events.send_frame(count, group)
