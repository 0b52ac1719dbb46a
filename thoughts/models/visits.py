"""What a browser told of its history, where the owner switched that on: of each visit a domain, a title and a time."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from thoughts.models.removable import RemovableQuerySet


class VisitQuerySet(RemovableQuerySet["Visit"]):
    undo_for = timedelta(minutes=10)

    def unread(self) -> "VisitQuerySet":
        """Return those that nobody looked through for what the owner may like."""
        return self.kept().filter(read_at=None).exclude(title="")

    def holding(self, words: str) -> "VisitQuerySet":
        """Return those whose domain or title holds each of the words."""
        found = self
        for word in words.split():
            found = found.filter(Q(title__icontains=word) | Q(domain__icontains=word))
        return found

    def before(self, cursor: tuple[datetime, int] | None) -> "VisitQuerySet":
        """Return those after `cursor` (`visited_at`, id), the latest first: a keyset page."""
        rows = self.order_by("-visited_at", "-id")
        if cursor is None:
            return rows
        at, key = cursor
        return rows.filter(visited_at__lte=at).filter(Q(visited_at__lt=at) | Q(id__lt=key))

    def set_deleted(self, at: datetime | None) -> int:
        """Delete, or bring back; return how many. What is deleted is seen no more at once, and goes for good when
        nobody undoes it.
        """
        return self.update(deleted_at=at)


class Visit(models.Model):
    """One visit in the browser's history. The title is untrusted text."""

    domain = models.CharField(max_length=253, help_text="Without port, path or user name.")
    title = models.CharField(max_length=200, blank=True)
    visited_at = models.DateTimeField("visited")
    device_label = models.CharField("told by", max_length=64)
    received_at = models.DateTimeField(default=timezone.now, editable=False)
    read_at = models.DateTimeField("looked through", null=True, editable=False)
    deleted_at = models.DateTimeField("deleted", null=True, editable=False)
    candidates = models.ManyToManyField("thoughts.Candidate", related_name="visits", editable=False)

    objects = VisitQuerySet.as_manager()

    class Meta:
        ordering = ["-visited_at", "-id"]
        verbose_name = "visit of the browsing history"
        verbose_name_plural = "browsing history"
        constraints = [
            # A report that is sent again is stored once.
            models.UniqueConstraint("domain", "title", "visited_at", name="one_visit_of_a_time")
        ]
        indexes = [
            # The page, and what is too old to be kept.
            models.Index(fields=["-visited_at", "-id"], name="visits_newest"),
            # How many came within the last hour.
            models.Index(fields=["received_at"], name="visits_received"),
            # What nobody looked through yet, and what waits to go for good.
            models.Index(fields=["-visited_at"], name="visits_unread", condition=Q(read_at=None, deleted_at=None)),
            models.Index(fields=["deleted_at"], name="visits_deleted", condition=Q(deleted_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.domain}: {self.title}" if self.title else self.domain

    @property
    def origin(self) -> list[str]:
        return [self.domain]


def still_visited() -> Exists:
    """Whether a visit is kept from which a candidate came."""
    return Exists(Visit.candidates.through.objects.filter(candidate=OuterRef("pk"), visit__deleted_at=None))
