"""Table of visits from the browsing history that the owner shares: domain, title and time."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from thoughts.models.removable import RemovableQuerySet


class VisitQuerySet(RemovableQuerySet["Visit"]):
    undo_for = timedelta(minutes=10)

    def unread(self) -> "VisitQuerySet":
        """Return visits that were not yet searched for interests."""
        return self.kept().filter(read_at=None).exclude(title="")

    def holding(self, words: str) -> "VisitQuerySet":
        """Return visits whose domain or title contains each of the words."""
        rows = self
        for word in words.split():
            rows = rows.filter(Q(title__icontains=word) | Q(domain__icontains=word))
        return rows

    def before(self, cursor: tuple[datetime, int] | None) -> "VisitQuerySet":
        """Return the visits after `cursor` (`visited_at`, id), the latest first: a keyset page."""
        rows = self.order_by("-visited_at", "-id")
        if cursor is None:
            return rows
        at, key = cursor
        return rows.filter(visited_at__lte=at).filter(Q(visited_at__lt=at) | Q(id__lt=key))

    def set_deleted(self, at: datetime | None) -> int:
        """Delete visits, or restore them if `at` is None; return how many.

        The tick removes deleted ones later.
        """
        return self.update(deleted_at=at)


class Visit(models.Model):
    """One visit in the browser's history. The title is untrusted text."""

    domain = models.CharField(max_length=253, help_text="Without port, path or user name.")
    title = models.CharField(max_length=200, blank=True)
    visited_at = models.DateTimeField("visited")
    device_label = models.CharField("told by", max_length=64)
    device = models.CharField(
        max_length=32, blank=True, default="", editable=False, help_text="The key of the browser."
    )
    received_at = models.DateTimeField(default=timezone.now, editable=False)
    read_at = models.DateTimeField("looked through", null=True, editable=False)
    deleted_at = models.DateTimeField("deleted", null=True, editable=False)
    candidates = models.ManyToManyField("thoughts.Candidate", related_name="visits", editable=False)

    objects = VisitQuerySet.as_manager()

    class Meta:
        verbose_name = "visited page"
        verbose_name_plural = "pages you visited"
        ordering = ["-visited_at", "-id"]
        constraints = [
            # A repeated report is stored once.
            models.UniqueConstraint("domain", "title", "visited_at", name="one_visit_of_a_time")
        ]
        indexes = [
            # The page, and the removal of old visits.
            models.Index(fields=["-visited_at", "-id"], name="visits_newest"),
            # The count of the last hour.
            models.Index(fields=["received_at"], name="visits_received"),
            # Visits not searched yet, and deleted visits to remove.
            models.Index(fields=["-visited_at"], name="visits_unread", condition=Q(read_at=None, deleted_at=None)),
            models.Index(fields=["deleted_at"], name="visits_deleted", condition=Q(deleted_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.domain}: {self.title}" if self.title else self.domain

    @property
    def origin(self) -> list[str]:
        return [self.domain]


def still_visited() -> Exists:
    """Whether a candidate comes from a visit that was not deleted."""
    return Exists(Visit.candidates.through.objects.filter(candidate=OuterRef("pk"), visit__deleted_at=None))
