"""Telling Penny something from inside the test process, on whatever channel: what becomes a message, and what she says
to it.
"""

from typing import Any
from uuid import uuid4

from agents.models import Run
from agents.turns import start
from devices import protocol
from devices.access.handshake import web_device
from devices.models import Device, Message
from devices.owner.account import the_owner


def tell(text: str, device: Device | None = None, **fields: Any) -> Run:
    """Send a message as a device would; return its run. What is no command waits in it for a worker."""
    run = start.start_turn(the_owner(), device or web_device(), protocol.ChatSend(turn_id=uuid4(), text=text, **fields))
    assert run is not None
    return run


def said_to(run: Run) -> Message:
    return Message.objects.get(turn_id=run.turn_id, direction=Message.Direction.OUT)


def answer(text: str, device: Device | None = None, **fields: Any) -> Message:
    """Tell Penny something that she answers at once, and return what she said."""
    return said_to(tell(text, device, **fields))
