"""Send messages to Penny within the test process, as any device."""

from typing import Any
from uuid import uuid4

from agents.models import Run
from agents.turns import start
from devices import protocol
from devices.access.handshake import web_device
from devices.models import Device, Message
from devices.owner.account import the_owner


def send_message(text: str, device: Device | None = None, **fields: Any) -> Run:
    """Send a message as a device would; return its run, which waits for a worker."""
    run = start.start_turn(the_owner(), device or web_device(), protocol.ChatSend(turn_id=uuid4(), text=text, **fields))
    assert run is not None
    return run


def reply_to(run: Run) -> Message:
    return Message.objects.get(turn_id=run.turn_id, direction=Message.Direction.OUT)


def immediate_answer(text: str, device: Device | None = None, **fields: Any) -> Message:
    """Send a message that Penny answers at once; return the answer."""
    return reply_to(send_message(text, device, **fields))
