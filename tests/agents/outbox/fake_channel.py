"""A fake channel for tests: texts in capitals, in parts of thirty characters."""

from devices.channels.channel import Can, Limits, Line, Piece, Target
from devices.models import Device

arrived: list[tuple[str, str]] = []
incoming: list[str] = []


class FakeChannel:
    can: frozenset[Can] = frozenset()
    limits = Limits(30, 3)
    is_queued = True
    line: Line | None = None

    def reaches(self, device: Device) -> bool:
        return True

    def comes_back(self, device: Device) -> bool:
        return True

    def written(self, markdown: str) -> str:
        return markdown.upper()

    async def send(self, device: Device, piece: Piece) -> str:
        arrived.append((device.address, piece.text))
        return piece.key

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        """No reactions."""

    async def type(self, device: Device, is_typing: bool) -> None:
        """No typing indicator."""

    async def delete(self, device: Device, part_id: str) -> None:
        """No deletion."""


async def listen() -> None:
    incoming.append("coo")


CHANNEL = FakeChannel()
