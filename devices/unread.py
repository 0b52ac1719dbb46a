"""How many thoughts are new, told to every device."""

from django.db import transaction

from devices import events, protocol
from thoughts.models import Thought


def tell_unread() -> None:
    """Tell every device how many thoughts are new, once this transaction is committed."""
    transaction.on_commit(lambda: events.send_frame(protocol.ThoughtsCount(unread=Thought.objects.unread().count())))
