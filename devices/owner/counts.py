"""Tell the open pages of the owner what their header counts."""

from django.db import transaction
from django.utils import timezone

from devices import events, protocol
from devices.models import Ask, Device
from thoughts.models import Thought


def current_counts() -> protocol.CountsChanged:
    questions = Ask.objects.open().filter(is_background=True, expires_at__gt=timezone.now())
    return protocol.CountsChanged(
        finds=Thought.objects.unread().count(),
        questions=len({ask.prompt for ask in questions}),
        browsers=Device.objects.connected().filter(kind=Device.Kind.BROWSER).count(),
    )


def tell_counts() -> None:
    """Send them after the commit."""
    transaction.on_commit(lambda: events.send_frame(current_counts(), events.FEED_GROUP))
