"""What Penny remembers: the owner's words. Words of a page need the owner's confirmation."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

TEXT_CHARACTERS, NAME_CHARACTERS, VALUE_CHARACTERS, SITES_MAX = 600, 30, 300, 50
UNDO = timedelta(minutes=10)  # how long a forgotten memory can be restored


class MemoryQuerySet(models.QuerySet["Memory"]):
    def kept(self) -> "MemoryQuerySet":
        return self.filter(deleted_at=None)

    def confirmed(self) -> "MemoryQuerySet":
        """The memories that a request may hold: the owner's own words."""
        return self.kept().filter(state=Memory.State.CONFIRMED)

    def proposed(self) -> "MemoryQuerySet":
        return self.kept().filter(state=Memory.State.PROPOSED)

    def sentences(self) -> "MemoryQuerySet":
        return self.filter(name="")

    def slots(self) -> dict[str, str]:
        """Return the values of the confirmed slots by their names."""
        return dict(self.confirmed().exclude(name="").values_list("name", "value"))

    def gone(self, now: datetime) -> "MemoryQuerySet":
        return self.filter(deleted_at__lt=now - UNDO)


class Memory(models.Model):
    """One thing to remember: a sentence, or a slot, which has a name and a value. A value is in no request.

    `origin`: its labels. A proposed memory is in no request.
    """

    class State(models.TextChoices):
        CONFIRMED = "confirmed"
        PROPOSED = "proposed", "waits for you"

    class Source(models.TextChoices):
        OWNER = "owner", "written by you"
        CHAT = "chat", "said in the chat"
        PAGE = "page", "chosen on a page"

    class InWording(models.TextChoices):
        NEVER = "never"
        ASK = "ask", "ask each time"
        ALWAYS = "always"

    text = models.TextField(max_length=TEXT_CHARACTERS)
    name = models.CharField(max_length=NAME_CHARACTERS, blank=True, default="", help_text="Of a slot.")
    value = models.CharField(max_length=VALUE_CHARACTERS, blank=True, default="", help_text="No model is told it.")
    in_wording = models.CharField(
        max_length=6, choices=InWording, default=InWording.ASK, help_text="Whether it helps to write in pages."
    )
    sites = models.JSONField(default=list, blank=True, help_text="Where a slot may be used. Empty: everywhere.")
    state = models.CharField(max_length=9, choices=State, default=State.CONFIRMED)
    source = models.CharField(max_length=5, choices=Source, default=Source.OWNER)
    origin = models.JSONField("labels", default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = MemoryQuerySet.as_manager()

    class Meta:
        verbose_name = "fact"
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["name"],
                name="one_slot_of_a_name",
                condition=Q(deleted_at=None, state="confirmed") & ~Q(name=""),
            )
        ]

    def __str__(self) -> str:
        if self.name:
            return f"your {self.name}"
        return self.text if len(self.text) <= 60 else self.text[:59] + "…"

    @property
    def domain(self) -> str:
        return next((label for label in self.origin if label != "owner"), "")

    def set_deleted(self, at: datetime | None) -> None:
        type(self).objects.filter(pk=self.pk).update(deleted_at=at)
