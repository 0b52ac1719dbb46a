"""What Penny read back to the owner and does only after a yes."""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from devices.models import Message


class Proposal(models.Model):
    """One action that waits for the owner's yes, for at most `LIFETIME`."""

    LIFETIME = timedelta(hours=24)

    class State(models.TextChoices):
        OPEN = "open"
        KEPT = "kept"
        DROPPED = "dropped"

    message = models.OneToOneField(
        Message, on_delete=models.CASCADE, related_name="proposal", help_text="In which it was read back."
    )
    act = models.CharField(max_length=16)
    arguments = models.JSONField()
    state = models.CharField(max_length=7, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at"]
        # The open proposals that a yes may answer.
        indexes = [models.Index(fields=["created_at"], name="open_proposals", condition=Q(state="open"))]

    def __str__(self) -> str:
        return f"{self.act}: {self.state}"
