"""Calls of browser tools."""

import uuid

from django.db import models
from django.db.models import Q

from devices.models.devices import Device


class BrowserCall(models.Model):
    """One tool call on one device, from its dispatch to its only answer."""

    class State(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="calls")
    connection = models.CharField(max_length=64)
    run_id = models.UUIDField()
    tool = models.CharField(max_length=64)
    arguments = models.JSONField()
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    error_code = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deadline_at = models.DateTimeField()

    class Meta:
        indexes = [
            # A device that disconnects fails its pending calls.
            models.Index(fields=["connection"], name="pending_calls", condition=Q(state="pending")),
            # Deletes old calls.
            models.Index(fields=["created_at"], name="old_calls"),
        ]
