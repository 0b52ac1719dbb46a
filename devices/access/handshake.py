"""The handshake of a device: the server proves itself, then the device does.

State of one socket. The only I/O is the lookup of the device.
"""

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import uuid4

from django.utils import timezone

from devices import protocol
from devices.access import keys
from devices.models import Device
from devices.owner.acting import look_at_acting
from devices.owner.counts import tell_counts

NONCE_BYTES = 32
BREAK = timedelta(minutes=5)  # a shorter absence does not reset `on_since`


class Refused(Exception):
    """The handshake failed; the socket closes with `close_code`."""

    def __init__(self, close_code: int) -> None:
        super().__init__(close_code)
        self.close_code = close_code


@dataclass
class Handshake:
    """The state of one handshake. A nonce is valid for one answer."""

    origin: str
    hello: protocol.AuthHello | None = None
    nonce: str = field(default="", repr=False)

    def challenge(self, frame: protocol.ClientFrame) -> protocol.AuthChallenge:
        """Answer the hello. An unknown device is challenged like any other. Raises Refused."""
        if self.hello is not None or not isinstance(frame, protocol.AuthHello):
            raise Refused(protocol.CLOSE_NOT_PROVEN)
        if frame.protocol != protocol.VERSION:
            raise Refused(protocol.CLOSE_VERSION)
        self.hello, self.nonce = frame, keys.to_base64url(secrets.token_bytes(NONCE_BYTES))
        return protocol.AuthChallenge(nonce=self.nonce, signature=keys.sign_as_server(frame.nonce, frame.device_id))

    def admit(self, frame: protocol.ClientFrame) -> Device:
        """Return the device that proved itself, under a new connection id. Raises Refused."""
        if self.hello is None or not isinstance(frame, protocol.AuthProof):
            raise Refused(protocol.CLOSE_NOT_PROVEN)
        device = Device.objects.filter(pk=self.hello.device_id, kind__in=Device.PAIRED).first()
        if device is None or device.origin != self.origin:
            raise Refused(protocol.CLOSE_NOT_PROVEN)
        if not keys.is_proof(frame.signature, bytes(device.public_key), self.nonce, device.id, self.origin):
            raise Refused(protocol.CLOSE_NOT_PROVEN)
        if device.revoked_at is not None:
            raise Refused(protocol.CLOSE_WAITS if device.waits else protocol.CLOSE_REVOKED)
        client = self.hello.client
        device.client = f"{client.name} {client.version}, {client.browser}"
        device.tools = frame.tools
        connect(device)
        return device


def connect(device: Device) -> None:
    """Give a device a new connection id, which replaces its previous socket."""
    now = timezone.now()
    if device.on_since is None or device.seen_at is None or now - device.seen_at > BREAK:
        device.on_since = now
    device.connection, device.seen_at = uuid4().hex, now
    device.save(update_fields=["connection", "seen_at", "on_since", "client", "tools"])
    tell_counts()
    look_at_acting()


def disconnect(device: Device) -> None:
    """Record that a socket closed, unless a newer one has replaced it."""
    mine = Device.objects.filter(pk=device.pk, connection=device.connection)
    if mine.update(connection=None, seen_at=timezone.now()):
        tell_counts()
        look_at_acting()


def mark_seen(device: Device) -> None:
    Device.objects.filter(pk=device.pk, connection=device.connection).update(seen_at=timezone.now())


def why_over(device: Device) -> int | None:
    """Return the code with which a socket must close (revoked, replaced), None if it may stay."""
    connections = list(Device.objects.active().filter(pk=device.pk).values_list("connection", flat=True))
    if not connections:
        return protocol.CLOSE_REVOKED
    return protocol.CLOSE_REPLACED if connections[0] not in (None, device.connection) else None


def web_device() -> Device:
    """Return the one device of the web page, created on first use."""
    device, _ = Device.objects.get_or_create(
        kind=Device.Kind.WEB, defaults={"label": Device.WEB_LABEL, "tool_use": False}
    )
    return device
