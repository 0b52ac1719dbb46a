"""Let a device in no more, and undo that for an hour."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from devices import events
from devices.models import Device


def revoke(device: Device) -> None:
    """Revoke a device: its sockets close within a second, its key opens none again."""
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=timezone.now(), connection=None)
    transaction.on_commit(lambda: events.send({"type": "device.revoked"}, events.device_group(device.pk)))


UNDO_FOR = timedelta(hours=1)


@transaction.atomic
def undo_revoke(device: Device) -> bool:
    """Let a device in again that was revoked within the hour; return whether it did.

    A number or an address that was entered again meanwhile has a device of its own.
    """
    twins = Device.objects.active().filter(kind=device.kind, address=device.address).exclude(address="")
    if twins.exists():
        return False
    revoked = Device.objects.filter(pk=device.pk, waits=False, revoked_at__gte=timezone.now() - UNDO_FOR)
    return bool(revoked.update(revoked_at=None))
