"""What the header of every page counts. Counted here alone: for the page, for its socket, and for the welcome."""

from django.utils import timezone

from agents.models import Run
from devices import protocol
from devices.conversation.unread import unread_finds
from devices.models import Ask, Device


def current_counts() -> protocol.CountsChanged:
    return protocol.CountsChanged(
        finds=unread_finds(),
        questions=len({ask.prompt for ask in Ask.objects.of_background(timezone.now())}),
        browsers=Device.objects.connected().filter(kind=Device.Kind.BROWSER).count(),
        running=Run.objects.filter(state=Run.State.RUNNING).count(),
    )
