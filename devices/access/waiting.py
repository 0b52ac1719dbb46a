"""Devices out of a restored backup: revoked until the owner switches each on again."""

from django.db import transaction
from django.utils import timezone

from devices.models import Device


def hold_devices() -> None:
    """Let each device wait. One that was revoked before stays revoked; the web page has the owner's session."""
    rows = Device.objects.active().exclude(kind=Device.Kind.WEB)
    rows.update(revoked_at=timezone.now(), waits=True, connection=None)


@transaction.atomic
def switch_on(device: Device) -> bool:
    """Let a waiting device in again; return whether it did.

    A number or an address that was entered again meanwhile has a device of its own.
    """
    waiting = Device.objects.waiting().filter(pk=device.pk)
    twins = Device.objects.active().filter(kind=device.kind, address=device.address).exclude(address="")
    if twins.exists():
        waiting.update(waits=False)
        return False
    return bool(waiting.update(revoked_at=None, waits=False))
