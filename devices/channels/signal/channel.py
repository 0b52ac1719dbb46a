"""Signal, through the owner's own signal-cli-rest-api. A device is one owner's number."""

from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.utils import timezone

from devices.channels.channel import Can, Line, NotSent, OutcomeUnknown, Piece, Target, TryLater
from devices.channels.signal import api, text
from devices.channels.signal.own_numbers import is_proven
from devices.db import in_db
from devices.models import Device
from devices.models.deliveries import Delivery, LineState

LINE = "signal"


class Signal:
    can = frozenset({Can.HOLD_CONVERSATION, Can.REACT, Can.TYPE, Can.EDIT, Can.DELETE, Can.QUOTE, Can.IMAGES})
    limits = text.LIMITS
    is_queued = True

    @property
    def line(self) -> Line:
        return Line(LINE, number, _explain)

    def reaches(self, device: Device) -> bool:
        """Return whether the line delivers, even if slowly or under a rate limit."""
        return _is_set_up(device) and LineState.of(LINE).problem in ("", "limited", "deaf", "lost")

    def comes_back(self, device: Device) -> bool:
        """Return whether the line may recover; a problem older than a day may last."""
        since = LineState.of(LINE).problem_since
        return _is_set_up(device) and (since is None or timezone.now() - since < Delivery.LATEST)

    def written(self, markdown: str) -> str:
        return text.styled(markdown)

    async def send(self, device: Device, piece: Piece) -> str:
        return str(await api.post_message(await _body(device, piece)))

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        body = {
            "recipient": device.address,
            "reaction": emoji or "👀",
            "target_author": target.author,
            "timestamp": target.timestamp,
        }
        await api.request_change("POST" if emoji else "DELETE", f"/v1/reactions/{await _account()}", body)

    async def type(self, device: Device, is_typing: bool) -> None:
        await api.request_change(
            "PUT" if is_typing else "DELETE", f"/v1/typing-indicator/{await _account()}", {"recipient": device.address}
        )

    async def delete(self, device: Device, part_id: str) -> None:
        body = {"recipient": device.address, "timestamp": int(part_id)}
        await api.request_change("DELETE", f"/v1/remote-delete/{await _account()}", body)


def _is_set_up(device: Device) -> bool:
    return bool(settings.SIGNAL_URL) and is_proven(device)


async def mark_read(device: Device, timestamp: int) -> None:
    """Send a read receipt to the owner's phone. A failure is harmless."""
    body = {"recipient": device.address, "receipt_type": "read", "timestamp": timestamp}
    try:
        await api.request_change("POST", f"/v1/receipts/{await _account()}", body)
    except (TryLater, NotSent, OutcomeUnknown):
        return


async def _body(device: Device, piece: Piece) -> dict[str, Any]:
    body: dict[str, Any] = {
        "number": await account(),
        "recipients": [device.address],
        "message": piece.text,
        "text_mode": "styled",
    }
    if piece.pictures:
        body["base64_attachments"] = piece.pictures
    if piece.quotes:
        body |= {
            "quote_author": piece.quotes.author,
            "quote_timestamp": piece.quotes.timestamp,
            "quote_message": piece.quotes.text,
        }
    if piece.edits:
        body["edit_timestamp"] = int(piece.edits)
    return body


async def account() -> str:
    """Return the number that Penny writes from. Raises TryLater while it is unknown."""
    account_number = settings.SIGNAL_NUMBER or await in_db(number)()
    if not account_number:
        raise TryLater("no Signal account is linked", api.LIMITED_S, "unlinked")
    return str(account_number)


def number() -> str:
    """Return the number that Penny writes from, empty while it is unknown."""
    return str(settings.SIGNAL_NUMBER or LineState.of(LINE).account)


def _explain(problem: str) -> str:
    return api.PROBLEMS[problem].format(number=number())


async def _account() -> str:
    return quote(await account(), safe="")


CHANNEL = Signal()
