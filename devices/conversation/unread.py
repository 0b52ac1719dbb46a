"""How many thoughts are new, told to every device and every open feed."""

from django.db import transaction

from devices import events, protocol
from thoughts.models import Thought


def tell_unread() -> None:
    """Tell how many thoughts are new, once this transaction is committed."""
    transaction.on_commit(_tell)


def _tell() -> None:
    count = protocol.ThoughtsCount(unread=Thought.objects.unread().count())
    for group in (events.OWNER_GROUP, events.FEED_GROUP):
        events.send_frame(count, group)
