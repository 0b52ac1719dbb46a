"""Which numbers on Signal are the owner's: those from which a code was written that Penny shows to who is signed in.

A wrong digit lets nobody in. And a phone that hides its number is known from then on by the id that Signal gave it.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from devices.models import Device
from devices.models.deliveries import LineState

DIGITS = 8
LIFETIME = timedelta(hours=1)


def enter(number: str) -> Device:
    """Store a number that is said to be the owner's, with a code unless that was shown already.

    The number that Penny writes with is theirs: they linked it.
    """
    device, _ = Device.objects.active().get_or_create(
        kind=Device.Kind.SIGNAL, address=number, defaults={"label": "Signal", "tool_use": False, "secrets": _new_code()}
    )
    if number == (settings.SIGNAL_NUMBER or LineState.of("signal").account):
        device.secrets = {}
    elif not is_shown(device) and not code_of(device, timezone.now()):
        device.secrets = _new_code()
    device.save(update_fields=["secrets"])
    return device


def _new_code() -> dict[str, str]:
    return {"code": f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", "until": (timezone.now() + LIFETIME).isoformat()}


def shown() -> list[Device]:
    """Return the numbers that are known to be the owner's, the newest first."""
    found = Device.objects.active().filter(kind=Device.Kind.SIGNAL).order_by("-created_at")
    return [device for device in found if is_shown(device)]


def is_shown(device: Device) -> bool:
    """Whether it was shown that a number is the owner's."""
    return "code" not in device.secrets


def code_of(device: Device, now: datetime) -> str:
    """Return the code that is to be written from a number; empty where there is none, or none any more."""
    until = parse_datetime(device.secrets.get("until", ""))
    return str(device.secrets["code"]) if not is_shown(device) and until is not None and until > now else ""


def show(device: Device, text: str, client: str, now: datetime) -> bool:
    """Take a message for the code; return whether it was. `client`: the id that Signal gives to who wrote it."""
    code = code_of(device, now)
    if not code or not secrets.compare_digest("".join(text.split()).encode(), code.encode()):
        return False
    device.secrets, device.client = {}, client
    device.save(update_fields=["secrets", "client"])
    return True
