"""Browsers, the web page and programs: their sockets read the conversation themselves.

Nothing is queued for them (devices/sockets/window.py).
"""

from devices import events, protocol
from devices.channels.channel import Can, Limits, Line, Piece, Target
from devices.models import Device


class Sockets:
    can = frozenset({Can.HOLD_CONVERSATION, Can.PAGE_WORDS, Can.QUOTE, Can.IMAGES, Can.TYPE})
    limits = Limits(protocol.FRAME_BYTES - 32 * 1024, 1)
    is_queued = False
    line: Line | None = None

    def reaches(self, device: Device) -> bool:
        return device.is_connected

    def comes_back(self, device: Device) -> bool:
        return True  # it reads the conversation then

    def written(self, markdown: str) -> str:
        return markdown

    async def send(self, device: Device, piece: Piece) -> str:
        """Wake the socket, which sends what is stored."""
        await events.asend({"type": "wake", "seq": 0, "frame": None}, events.device_group(device.pk))
        return ""

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        """Sockets show reactions as messages of the conversation."""

    async def type(self, device: Device, is_typing: bool) -> None:
        """Sockets show the turn itself."""

    async def delete(self, device: Device, part_id: str) -> None:
        """A message that is deleted from the conversation is gone."""


CHANNEL = Sockets()
