"""Pair a browser or program as a device: with a code of 8 digits, within two minutes."""

import re
import secrets
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from devices import protocol
from devices.access import failed_attempts, keys
from devices.models import Device, PairingCode, digest
from devices.owner import machine_clock

DIGITS = 8
# The schemes of extensions; the origin of a web page never has one of them.
EXTENSION_ORIGIN = re.compile(r"(chrome|moz)-extension://[A-Za-z0-9._-]{1,128}")


class PairingRefused(Exception):
    """A refused pairing: HTTP status, code, and a sentence that says what to do."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


def is_device_origin(origin: str | None) -> bool:
    """Return whether a device may have this Origin: none (programs), or an extension's."""
    return origin is None or EXTENSION_ORIGIN.fullmatch(origin) is not None


def open_code(label: str = "") -> str:
    """Return a new code; the previous open one becomes invalid."""
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    with transaction.atomic():
        PairingCode.objects.all().delete()
        PairingCode.objects.create(
            digest=digest(code), label=label[:64], expires_at=timezone.now() + PairingCode.LIFETIME
        )
    return code


def is_another_open(digest_of_one: str) -> bool:
    """Whether a code is open that the owner asked for elsewhere, such as on the command line."""
    return (
        PairingCode.objects.filter(used_at=None, expires_at__gt=timezone.now()).exclude(digest=digest_of_one).exists()
    )


def paired_since(moment: datetime) -> Device | None:
    return Device.objects.paired().filter(created_at__gte=moment).first()


def pair(request: protocol.PairRequest, origin: str, address: str) -> protocol.PairResponse:
    """Store a device, and pin the Origin header it came with. Raises PairingRefused.

    Only wrong codes count as failed attempts.
    """
    try:
        public_key = keys.from_base64url(request.public_key)
        keys.load_public_key(public_key)
    except ValueError as error:
        raise PairingRefused(400, "bad_key", f"{error}.") from None
    try:
        label = _spend(request.code)
    except PairingRefused:
        if failed_attempts.is_too_often("code", address):
            raise PairingRefused(
                429, "too_many", "Too many wrong codes in one minute. Wait a little, then ask for a new one."
            ) from None
        raise
    device = Device.objects.create(
        kind=request.kind, label=label or request.label, public_key=public_key, origin=origin
    )
    return protocol.PairResponse(device_id=device.id, server_public_key=keys.server_public_key())


def _spend(code: str) -> str:
    """Use the code up; return the label that the owner gave it. Raises PairingRefused."""
    typed = digest("".join(code.replace("-", " ").split()))
    now = timezone.now()
    # A code that would last longer is of a clock that jumped back since: its two minutes are over.
    open_codes = PairingCode.objects.filter(
        used_at=None,
        expires_at__gt=now,
        expires_at__lte=now + PairingCode.LIFETIME + machine_clock.BACK_MOST,
        wrong_answers__lt=PairingCode.WRONG_ANSWERS,
    )
    # One conditional UPDATE: of two requests with the same code only one finds it unused.
    if open_codes.filter(digest=typed).update(used_at=now):
        return PairingCode.objects.values_list("label", flat=True).get(digest=typed)
    if open_codes.update(wrong_answers=F("wrong_answers") + 1):
        raise PairingRefused(
            403, "wrong_code", "That code is not right. Look at the number again, or ask for a new one."
        )
    if PairingCode.objects.filter(wrong_answers__gte=PairingCode.WRONG_ANSWERS, expires_at__gt=now).exists():
        raise PairingRefused(429, "too_many", "Too many wrong codes. Ask for a new code and type that one.")
    raise PairingRefused(403, "no_code", "No code is open: it was used or its two minutes are over. Ask for a new one.")
