"""Schedules, which start runs by themselves, and the daily digests."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone

from agents.models.runs import Run
from devices.models import Delivery, Device, Message
from devices.owner import machine_clock
from thoughts.models import Preference, Thought
from thoughts.models.removable import RemovableQuerySet
from thoughts.recurrence import next_occurrence
from thoughts.recurrence import validate_rrule as validate_rrule

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class ScheduleQuerySet(RemovableQuerySet["Schedule"]):
    undo_for = timedelta(days=7)

    def active(self) -> "ScheduleQuerySet":
        return self.kept().filter(enabled=True)

    def due(self, now: datetime) -> "ScheduleQuerySet":
        return self.active().filter(next_run_at__lte=now)


class Schedule(models.Model):
    """When a run starts by itself: a recurrence rule (RFC 5545) in the owner's timezone."""

    class Kind(models.TextChoices):
        THINKING = "thinking"
        DIGEST = "digest"
        TASK = "task", "a task of yours"
        REMINDER = "reminder", "something to remind you of"

    name = models.CharField(max_length=100)
    kind = models.CharField("what", max_length=8, choices=Kind, default=Kind.THINKING)
    task = models.TextField(
        blank=True, max_length=2000, help_text="Of a task: what Penny does each time, in your own words."
    )
    rrule = models.CharField(
        "repeats",
        max_length=200,
        blank=True,
        help_text="Empty: once.",
        validators=[validate_rrule],
        default="FREQ=MINUTELY;INTERVAL=20",
    )
    preference = models.ForeignKey(
        Preference,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        help_text="Of thinking. Empty: the preference that was least recently thought about.",
    )
    in_quiet_hours = models.BooleanField("also in quiet hours", default=False)
    device = models.ForeignKey(
        Device,
        null=True,
        blank=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="Of a reminder: where it was set.",
    )
    enabled = models.BooleanField(default=True)
    next_run_at = models.DateTimeField("next run", null=True, blank=True, editable=False)
    keeps_moment = models.BooleanField(
        default=False,
        editable=False,
        help_text="Of what comes once: it stays at its moment in every time zone, as “in 20 minutes”.",
    )
    moved_from = models.DateTimeField(
        null=True,
        editable=False,
        help_text="Of what comes once: its moment before the owner's time zone changed, and that zone.",
    )
    moved_zone = models.CharField(max_length=64, blank=True, editable=False)
    last_run_at = models.DateTimeField("last run", null=True, blank=True, editable=False)
    deleted_at = models.DateTimeField("deleted", null=True, blank=True, editable=False)

    objects = ScheduleQuerySet.as_manager()

    if TYPE_CHECKING:
        runs: RelatedManager[Run]

    class Meta:
        verbose_name = "routine"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def is_told(self) -> bool:
        """Whether code alone answers it: it uses no day budget and does not wait for an idle moment."""
        return self.kind in (self.Kind.DIGEST, self.Kind.REMINDER)

    @property
    def despite(self) -> Delivery.Despite:
        """Return what may not delay its answer on an external channel."""
        return Delivery.Despite.QUIET if self.in_quiet_hours else Delivery.Despite.NOTHING

    def clean(self) -> None:
        if self.kind == self.Kind.TASK and not self.task.strip():
            raise ValidationError({"task": "Write what Penny should do each time."})
        if not self.rrule and self.next_run_at is None:
            raise ValidationError(
                "Say how often it repeats. For something that comes once, tell Penny in the conversation when."
            )

    def set_paused(self, paused: bool) -> None:
        """Pause or resume it.

        Occurrences missed meanwhile are skipped. A one-time schedule keeps its time, over or not.
        """
        self.enabled = not paused
        if self.rrule:
            self.next_run_at = None if paused else next_occurrence(self.rrule, timezone.now())
        self.save(update_fields=["enabled", "next_run_at"])

    def set_deleted(self, at: datetime | None) -> None:
        """Delete or restore it, and remove schedules whose time for undo is over.

        The tick computes the next time of a restored schedule; one that runs once keeps its own.
        """
        next_time = {} if not self.rrule else {"next_run_at": None}
        type(self).objects.filter(pk=self.pk).update(deleted_at=at, **next_time)
        if at and machine_clock.is_right(at):
            type(self).objects.forgotten(at).delete()


class Digest(models.Model):
    """The message of a day that lists the new thoughts that the owner has not opened."""

    day = models.DateField(unique=True, help_text="On the owner's clock.")
    sent_at = models.DateTimeField()
    message = models.ForeignKey(Message, null=True, on_delete=models.SET_NULL, related_name="digests")
    thoughts = models.ManyToManyField(Thought, related_name="digests")

    class Meta:
        ordering = ["-day"]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"
