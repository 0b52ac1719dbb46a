"""What Penny remembers: the owner's words. Words of a page need the owner's confirmation."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

TEXT_CHARACTERS = 600
UNDO = timedelta(minutes=10)  # how long a forgotten memory can be restored


class MemoryQuerySet(models.QuerySet["Memory"]):
    def kept(self) -> "MemoryQuerySet":
        return self.filter(deleted_at=None)

    def confirmed(self) -> "MemoryQuerySet":
        """The memories that a request may hold: the owner's own words."""
        return self.kept().filter(state=Memory.State.CONFIRMED)

    def proposed(self) -> "MemoryQuerySet":
        return self.kept().filter(state=Memory.State.PROPOSED)

    def gone(self, now: datetime) -> "MemoryQuerySet":
        return self.filter(deleted_at__lt=now - UNDO)


class Memory(models.Model):
    """One thing to remember. `origin`: its labels. A proposed memory is in no request."""

    class State(models.TextChoices):
        CONFIRMED = "confirmed"
        PROPOSED = "proposed", "waits for you"

    class Source(models.TextChoices):
        OWNER = "owner", "written by you"
        CHAT = "chat", "said in the chat"
        PAGE = "page", "chosen on a page"

    text = models.TextField(max_length=TEXT_CHARACTERS)
    state = models.CharField(max_length=9, choices=State, default=State.CONFIRMED)
    source = models.CharField(max_length=5, choices=Source, default=Source.OWNER)
    origin = models.JSONField("labels", default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "memories"

    def __str__(self) -> str:
        return self.text if len(self.text) <= 60 else self.text[:59] + "…"

    @property
    def domain(self) -> str:
        return next((label for label in self.origin if label != "owner"), "")

    def set_deleted(self, at: datetime | None) -> None:
        type(self).objects.filter(pk=self.pk).update(deleted_at=at)
