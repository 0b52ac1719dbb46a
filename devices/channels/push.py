"""Web Push (RFC 8030, 8291, 8292): notifications of a browser with Penny's page closed.

A device is one subscription of a browser. The browser's push service carries the content, encrypted for that browser. A
notification that is sent again replaces the first, so an unknown outcome is simply retried.
"""

import base64
import json
import os
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from devices.access.revoke import revoke
from devices.access.secret_files import read_or_create
from devices.channels.channel import Can, Limits, Line, NotSent, Piece, Target, TryLater
from devices.channels.plain_words import plain_words
from devices.db import in_db
from devices.models import Device
from devices.web.hosts import HostInvalid, grant_host, is_own

AGAIN_S, TIMEOUT_S = 30.0, 20.0
KEPT_S, KEPT_MIN_S = 12 * 3600, 60  # in the push service, while the browser is away
GONE = (404, 410)
KEY_REFUSED = "The browser's push service does not take Penny's key any more. Remove this browser, and add it anew."


CLOCK_WRONG = (
    "the clock of this machine is {minutes} minutes {way}, so the browser's push service does not take what Penny "
    "signs. Set the clock"
)
CLOCK_ERROR_S, CLOCK_AGAIN_S = 300.0, 600.0
_WAYS = {True: "fast", False: "slow"}


class Push:
    can = frozenset({Can.REPEAT})
    limits = Limits(700, 1)  # a push service takes 4 KB
    is_queued = True
    line: Line | None = None

    def reaches(self, device: Device) -> bool:
        return True

    def comes_back(self, device: Device) -> bool:
        return True

    def written(self, markdown: str) -> str:
        return plain_words(markdown)

    async def send(self, device: Device, piece: Piece) -> str:
        content = {"title": "Penny", "body": piece.text, "link": piece.link, "tag": piece.key}
        if piece.less:
            content |= {"less": piece.less.link, "less_called": piece.less.label}
        kept_s = KEPT_S if piece.kept_s is None else min(KEPT_S, max(KEPT_MIN_S, int(piece.kept_s)))
        # ensure_ascii would make six bytes of one letter of many scripts.
        await _post_push(device, json.dumps(content, ensure_ascii=False).encode(), kept_s)
        return piece.key

    async def react(self, device: Device, target: Target, emoji: str | None) -> None:
        """A notification has no reactions."""

    async def type(self, device: Device, is_typing: bool) -> None:
        """A notification has no typing indicator."""

    async def delete(self, device: Device, part_id: str) -> None:
        """A notification is gone once the owner has seen it."""


@transaction.atomic
def subscribe(endpoint: str, keys: dict[str, str], label: str, instead: str = "") -> Device:
    """Store a browser's subscription, or return its device. Raises ValueError.

    `instead`: the previous endpoint of the same browser, whose device is kept.
    """
    try:
        host = grant_host(endpoint)
    except HostInvalid as error:
        raise ValueError(str(error)) from None
    if ":" in host or is_own(host):  # such a host is an IP address or this machine
        raise ValueError("That is no push service.")
    if urlsplit(endpoint).scheme != "https" or len(_bytes(keys["p256dh"])) != 65 or len(_bytes(keys["auth"])) != 16:
        raise ValueError("That is no subscription of a browser.")
    fields = {
        "label": label[:64] or "A browser",
        "secrets": {name: keys[name] for name in ("p256dh", "auth")},
        "tool_use": False,
    }
    devices = Device.objects.active().filter(kind=Device.Kind.PUSH)
    if not devices.filter(address=endpoint).exists():
        devices.filter(address=instead).update(address=endpoint)
    device, is_new = devices.get_or_create(kind=Device.Kind.PUSH, address=endpoint, defaults=fields)
    if not is_new:
        Device.objects.filter(pk=device.pk).update(secrets=fields["secrets"])
    return device


def public_key() -> str:
    numbers = (
        _vapid_key()
        .public_key()
        .public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    )
    return base64.urlsafe_b64encode(numbers).rstrip(b"=").decode()


async def _post_push(device: Device, content: bytes, kept_s: int) -> None:
    import httpx2

    headers, body = _seal(device, content)
    headers["TTL"] = str(kept_s)
    try:
        async with httpx2.AsyncClient(timeout=TIMEOUT_S, trust_env=False) as client:
            answer = await client.post(device.address, content=body, headers=headers)
    except httpx2.HTTPError as error:
        raise TryLater(f"the browser's push service cannot be reached ({type(error).__name__})", AGAIN_S) from None
    if answer.is_success:
        return
    if answer.status_code in GONE:
        await in_db(revoke)(device)
        raise NotSent("That browser takes no notifications any more.")
    if answer.status_code in (401, 403):
        if wrong_s := _clock_error_s(answer.headers.get("date", "")):
            minutes = f"{abs(wrong_s) / 60:,.0f}"
            raise TryLater(CLOCK_WRONG.format(minutes=minutes, way=_WAYS[wrong_s > 0]), CLOCK_AGAIN_S)
        raise NotSent(KEY_REFUSED)
    if answer.status_code == 429 or answer.status_code >= 500:
        after = answer.headers.get("retry-after", "")
        raise TryLater(
            f"the push service is busy ({answer.status_code})",
            min(3600.0, float(after)) if after.isdigit() else AGAIN_S,
        )
    raise NotSent(f"The browser's push service refused it ({answer.status_code}).")


def _clock_error_s(date: str) -> float:
    """Return how far this machine's clock is ahead of a server's, 0 for a small difference or an unknown date."""
    try:
        there = parsedate_to_datetime(date)
        error_s = (timezone.now() - there).total_seconds()
    except (ValueError, TypeError):  # no date, or one without a zone
        return 0.0
    return error_s if abs(error_s) > CLOCK_ERROR_S else 0.0


def _seal(device: Device, content: bytes) -> tuple[dict[str, str], bytes]:
    """Return headers and body of a push: signed by Penny, readable by that browser alone."""
    import http_ece
    from py_vapid import Vapid02

    address = urlsplit(device.address)
    contact = settings.PUBLIC_URL if settings.PUBLIC_URL.startswith("https") else "mailto:penny@localhost.invalid"
    signed = Vapid02(_vapid_key()).sign({"aud": f"{address.scheme}://{address.netloc}", "sub": contact})
    body = http_ece.encrypt(
        content,
        salt=os.urandom(16),
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_bytes(device.secrets["p256dh"]),
        auth_secret=_bytes(device.secrets["auth"]),
        version="aes128gcm",
    )
    headers = {"Urgency": "normal", "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
    return headers | dict(signed), body


def _vapid_key() -> ec.EllipticCurvePrivateKey:
    key = serialization.load_pem_private_key(read_or_create(settings.DATA / "push_key.pem", _new_key), password=None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    return key


def _new_key() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


CHANNEL = Push()
