"""A channel of the tests' own, as a module beside those of Penny would be: pigeons, which carry thirty letters each."""

from devices.channels.channel import Can, Limits, Line, Piece, Target
from devices.models import Device

arrived: list[tuple[str, str]] = []
heard: list[str] = []


class Pigeons:
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
        """They have none."""

    async def type(self, device: Device, is_typing: bool) -> None:
        """Nor do they write."""

    async def delete(self, device: Device, sent: str) -> None:
        """Nor come back."""


async def listen() -> None:
    heard.append("coo")


CHANNEL = Pigeons()
