"""Table of the learned taste."""

from datetime import datetime

from django.db import models


class Taste(models.Model):
    """The learned weights of the owner's taste, in one row.

    They can always be computed again from stored rows.
    """

    ONLY = 1

    weights = models.JSONField(default=list, help_text="Each its kind, key, text and points.")
    outcomes = models.PositiveIntegerField(
        "learned from", default=0, help_text="How many thoughts the owner showed something about."
    )
    preferences = models.CharField(
        max_length=64, default="", editable=False, help_text="A checksum of those that it began with."
    )
    changed_at = models.DateTimeField(null=True, help_text="When the owner last showed taste.")
    learned_at = models.DateTimeField("learned", null=True)
    since = models.DateTimeField("begun anew", null=True, help_text="What came before is not learned from.")
    since_before = models.DateTimeField(null=True, editable=False, help_text="For an undo.")

    class Meta:
        verbose_name = "taste"
        verbose_name_plural = "what your thumbs taught"

    def __str__(self) -> str:
        return f"Learned from {self.outcomes} finds"

    @classmethod
    def the_only(cls) -> "Taste":
        return cls.objects.get_or_create(pk=cls.ONLY)[0]

    @classmethod
    def change(cls, now: datetime) -> None:
        """Mark the weights as stale."""
        if not cls.objects.filter(pk=cls.ONLY).update(changed_at=now):
            cls.objects.get_or_create(pk=cls.ONLY, defaults={"changed_at": now})

    def begin_anew(self, now: datetime) -> None:
        """Forget the weights. Reactions and preferences stay, but only later ones are learned from."""
        self._learn_from(now, self.since, now)

    def take_back_beginning(self, now: datetime) -> None:
        self._learn_from(self.since_before, self.since_before, now)

    def _learn_from(self, since: datetime | None, before: datetime | None, now: datetime) -> None:
        self.since, self.since_before, self.changed_at = since, before, now
        self.save(update_fields=["since", "since_before", "changed_at"])
