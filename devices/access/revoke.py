from django.db import transaction
from django.utils import timezone

from devices import events
from devices.models import Device


def revoke(device: Device) -> None:
    """Revoke a device for good: its sockets close within a second, its key opens none again."""
    Device.objects.filter(pk=device.pk, revoked_at=None).update(revoked_at=timezone.now(), connection=None)
    transaction.on_commit(lambda: events.send({"type": "device.revoked"}, events.device_group(device.pk)))
