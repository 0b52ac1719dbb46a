"""How Penny reaches the owner: the context of Signal and of the outlets on the page Notifications."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.utils import timezone

from devices.channels import push
from devices.channels.registry import outlet_kinds
from devices.channels.signal import own_numbers
from devices.models import Delivery, Device, LineState
from penny_site.forms import OutletForm, SignalNumberForm
from penny_site.health import parts as health_parts

TEST = "test:"  # the prefix of a test delivery's key
UNLINKED = ("unlinked", "unregistered", "number")


def reach_context() -> dict[str, Any]:
    return {
        "parts": {"signal": health_parts.check_signal()},
        "signal": signal_state(),
        "number_form": SignalNumberForm(),
        "outlets": _outlets(),
        "outlet_form": OutletForm(),
        "push_key": push.public_key(),
    }


def signal_state() -> dict[str, Any]:
    numbers = [
        Number(device) for device in Device.objects.active().filter(kind=Device.Kind.SIGNAL).order_by("created_at")
    ]
    if not settings.SIGNAL_URL:
        return {"is_set": False, "numbers": numbers}
    state, deliveries = LineState.of("signal"), Delivery.objects.filter(device__kind=Device.Kind.SIGNAL)
    counted = {
        name: deliveries.filter(state=name).count()
        for name in (Delivery.State.QUEUED, Delivery.State.UNKNOWN, Delivery.State.FAILED)
    }
    is_own = any(number.device.address == state.account for number in numbers)
    return {
        "is_set": True,
        "is_own": is_own,
        "state": state,
        "numbers": numbers,
        "counted": counted,
        "is_linked": bool(state.account) and state.problem not in UNLINKED,
    }


@dataclass(frozen=True)
class Number:
    """A Signal number that the owner entered as theirs."""

    device: Device

    @property
    def is_proven(self) -> bool:
        return own_numbers.is_proven(self.device)

    @property
    def code(self) -> str:
        code = own_numbers.code_of(self.device, timezone.now())
        return f"{code[:4]} {code[4:]}".strip()


@dataclass(frozen=True)
class Outlet:
    """An outlet with its last delivery."""

    device: Device
    last: Delivery | None

    @classmethod
    def of(cls, device: Device) -> "Outlet":
        return cls(device, Delivery.objects.filter(device=device).order_by("-id").first())

    @property
    def is_test(self) -> bool:
        return self.last is not None and self.last.key.startswith(TEST)

    @property
    def address_hash(self) -> str:
        """Return the hash by which a browser recognises its own subscription, "" for other outlets.

        The address itself is a secret that no page shows.
        """
        return sha256(self.device.address.encode()).hexdigest() if self.device.kind == Device.Kind.PUSH else ""


def _outlets() -> list[Outlet]:
    return [
        Outlet.of(device) for device in Device.objects.active().filter(kind__in=outlet_kinds()).order_by("created_at")
    ]
