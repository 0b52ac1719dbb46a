"""Apprise (ntfy, Matrix, mail, …): a device is one Apprise URL, which holds its own secrets."""

import asyncio
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from devices.channels.channel import Can, Limits, Line, NotSent, OutcomeUnknown, Piece, Target
from devices.channels.plain_words import plain_words
from devices.models import Device

# These run programs, or reach into the machine that Penny runs on.
REFUSED = {
    "syslog",
    "dbus",
    "qt",
    "glib",
    "kde",
    "gnome",
    "macosx",
    "windows",
    "json",
    "jsons",
    "xml",
    "xmls",
    "form",
    "forms",
}


class Apprise:
    can: frozenset[Can] = frozenset()
    limits = Limits(900, 1)
    is_queued = True
    line: Line | None = None

    def reaches(self, device: Device) -> bool:
        return True

    def comes_back(self, device: Device) -> bool:
        return True

    def written(self, markdown: str) -> str:
        return plain_words(markdown)

    async def send(self, device: Device, piece: Piece) -> str:
        """Send one part, never twice.

        Apprise reports only success. An outlet that reports failure may have taken the part.
        """
        less = f"{piece.less.label}: {piece.less.link}" if piece.less else ""
        body = "\n\n".join(filter(None, [piece.text, piece.link, less]))
        try:
            is_taken = await asyncio.to_thread(_notify, device.address, body)
        except TypeError as error:
            raise NotSent(f"Apprise cannot use that address ({type(error).__name__}).") from None
        if not is_taken:
            raise OutcomeUnknown("The outlet did not say that it took it.")
        return piece.key

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        """Apprise has no reactions."""

    async def type(self, device: Device, is_typing: bool) -> None:
        """Apprise has no typing indicator."""

    async def delete(self, device: Device, part_id: str) -> None:
        """Apprise cannot take a part back."""


def add_outlet(address: str, label: str) -> Device:
    """Store an outlet.

    Raises ValueError for an address that Apprise does not know, or that reaches into this machine.
    """
    import apprise

    schema = address.partition("://")[0].lower()
    if schema in REFUSED or not apprise.Apprise().add(address):
        raise ValueError("Apprise knows no such address. Write one such as ntfy://topic, or see its list of services.")
    fields = {"label": label[:64] or schema, "tool_use": False}
    return Device.objects.active().get_or_create(kind=Device.Kind.APPRISE, address=address, defaults=fields)[0]


def _notify(address: str, body: str) -> bool:
    import apprise

    from devices.channels.reach import only_public_or_typed

    outlet = apprise.Apprise()
    if not outlet.add(address):
        raise TypeError(address.partition("://")[0])
    _follow_no_redirect(outlet)
    with only_public_or_typed(*(server.host for server in outlet), *_further_hosts(address)):
        return bool(outlet.notify(body=body, title="Penny"))


def _further_hosts(address: str) -> list[str]:
    """What the owner typed behind the `?`, such as `smtp=mail.lan`."""
    return [value for _, value in parse_qsl(urlsplit(address).query)]


def _follow_no_redirect(outlet: Any) -> None:
    """Let no server lead Penny elsewhere, whatever `redirect=` in the address says."""
    for server in outlet:
        server.redirects = False


CHANNEL = Apprise()
