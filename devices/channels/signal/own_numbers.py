"""Prove which Signal numbers are the owner's, by a code sent from each.

A wrong digit proves nothing, and five wrong codes void the right one.
A phone that hides its number is recognised afterwards by its Signal id.
"""

import re
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from devices.models import Device
from devices.models.deliveries import LineState

DIGITS = 8
LIFETIME = timedelta(hours=1)
TRIES = 5
_BETWEEN_DIGITS = re.compile(r"[\s-]+")


def enter_number(number: str) -> Device:
    """Store a number that is said to be the owner's, with a code until it is proven.

    The number that Penny writes with needs no proof: the owner linked it.
    """
    device, _ = Device.objects.active().get_or_create(
        kind=Device.Kind.SIGNAL, address=number, defaults={"label": "Signal", "tool_use": False, "secrets": _new_code()}
    )
    if number == (settings.SIGNAL_NUMBER or LineState.of("signal").account):
        device.secrets = {}
    elif not is_proven(device) and not code_of(device, timezone.now()):
        device.secrets = _new_code()
    device.save(update_fields=["secrets"])
    return device


def _new_code() -> dict[str, str]:
    return {"code": f"{secrets.randbelow(10**DIGITS):0{DIGITS}}", "until": (timezone.now() + LIFETIME).isoformat()}


def _count_wrong_code(device: Device) -> None:
    """Count a wrong code; the fifth voids the right one, and the number must be entered again."""
    wrong = device.secrets.get("wrong", 0) + 1
    device.secrets = device.secrets | {"wrong": wrong} if wrong < TRIES else {"code": ""}
    device.save(update_fields=["secrets"])


def proven_numbers() -> list[Device]:
    """Return the proven numbers, newest first."""
    devices = Device.objects.active().filter(kind=Device.Kind.SIGNAL).order_by("-created_at")
    return [device for device in devices if is_proven(device)]


def is_proven(device: Device) -> bool:
    return "code" not in device.secrets


def code_of(device: Device, now: datetime) -> str:
    """Return the code to send from a number, empty if there is none or it has expired."""
    until = parse_datetime(device.secrets.get("until", ""))
    return str(device.secrets["code"]) if not is_proven(device) and until is not None and until > now else ""


def prove_number(device: Device, text: str, client: str, now: datetime) -> bool:
    """Check a message for the code; return whether it proved the number.

    `client`: the sender's Signal id.
    """
    code, digits = code_of(device, now), _BETWEEN_DIGITS.sub("", text)
    if not code or not digits.isdecimal():
        return False
    if not secrets.compare_digest(digits.encode(), code.encode()):
        _count_wrong_code(device)
        return False
    device.secrets, device.client = {}, client
    device.save(update_fields=["secrets", "client"])
    return True
