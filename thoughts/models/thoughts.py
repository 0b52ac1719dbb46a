"""Tables of thoughts on the feed, with their claims."""

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from thoughts.models.pages import Page, Picture, Supported
from thoughts.models.preferences import Preference
from thoughts.models.taste import Taste
from thoughts.models.watches import Watch

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class PlaceField(models.DateTimeField):  # type: ignore[type-arg]
    """The time by which a thought is ranked: its age shifted by its points.

    Initially the time of its creation.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> datetime:
        if getattr(model_instance, self.attname) is None:
            # getattr: mypy knows no `created_at` on models in general
            setattr(model_instance, self.attname, getattr(model_instance, "created_at"))  # noqa: B009
        ranked_at: datetime = super().pre_save(model_instance, add)
        return ranked_at


def _pages_with_pictures() -> "models.Prefetch[str, models.QuerySet[Page], str]":
    """Prefetch pages without texts and picture bytes.

    A card needs a picture's address and size only.
    """
    return models.Prefetch(
        "pages", Page.objects.select_related("picture").defer("picture__data", "text", "links", "metadata")
    )


class ThoughtQuerySet(models.QuerySet["Thought"]):
    def unread(self) -> "ThoughtQuerySet":
        return self.filter(notified_at=None, hidden_at=None)

    def archived(self) -> "ThoughtQuerySet":
        return self.filter(notified_at__isnull=False, hidden_at=None)

    def saved(self) -> "ThoughtQuerySet":
        return self.filter(saved_at__isnull=False, hidden_at=None)

    def with_evidence(self) -> "ThoughtQuerySet":
        return self.select_related("preference").prefetch_related("claims__page", _pages_with_pictures())

    def unfolded(self, preference: int | None = None, since: datetime | None = None) -> "ThoughtQuerySet":
        """Leave out unread thoughts that are similar to a higher unread one.

        `preference` and `since` limit which higher ones count, to those that a filter shows.
        """
        above = Q(stands_at__gt=OuterRef("stands_at")) | Q(stands_at=OuterRef("stands_at"), id__gt=OuterRef("id"))
        others = Thought.objects.unread().filter(above, alike=OuterRef("alike"))
        # Similar thoughts are few. The annotations stop databases from using the large index of a preference or a time.
        if preference is not None:
            others = others.annotate(of=Coalesce("preference_id", "preference_id")).filter(of=preference)
        if since is not None:
            others = others.annotate(made=Coalesce("created_at", "created_at")).filter(made__gte=since)
        return self.filter(Q(alike=None) | ~Exists(others))

    def before(self, cursor: tuple[datetime, uuid.UUID] | None, by: str = "created_at") -> "ThoughtQuerySet":
        """Return the rows after `cursor` (`by`, id), the latest first.

        Keyset pages: row 300,000 is as fast as row 1.
        """
        rows = self.order_by(f"-{by}", "-id")
        if cursor is None:
            return rows
        at, key = cursor
        # Redundant, but it lets a database start at the cursor instead of reading its index up to it.
        return rows.filter(**{f"{by}__lte": at}).filter(Q(**{f"{by}__lt": at}) | Q(**{by: at}, id__lt=key))


class Thought(models.Model):
    """One find on the feed: new until `notified_at` is set, then archived.

    It may also be saved, or hidden.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    text = models.TextField(help_text="Markdown.")
    html = models.TextField(editable=False)
    sentences = models.JSONField(
        default=list, editable=False, help_text="Each its html, paragraph (from 0) and claims (from 1)."
    )
    preference = models.ForeignKey(
        Preference, null=True, blank=True, on_delete=models.SET_NULL, related_name="thoughts"
    )
    seed_text = models.CharField("seed preference", max_length=300, blank=True)
    watch = models.ForeignKey(Watch, null=True, blank=True, on_delete=models.SET_NULL, related_name="thoughts")
    pages = models.ManyToManyField(Page, related_name="thoughts")
    origin = models.JSONField(default=list)
    is_extractive = models.BooleanField("made without a model", default=False)
    explores = models.BooleanField("exploration", default=False, help_text="Found off the known taste, on purpose.")
    created_at = models.DateTimeField(default=timezone.now)
    notified_at = models.DateTimeField("read", null=True, blank=True)
    saved_at = models.DateTimeField("saved", null=True, blank=True)
    hidden_at = models.DateTimeField("hidden", null=True, blank=True)
    reaction = models.SmallIntegerField(
        choices=Preference.Valence, null=True, blank=True, help_text="The one that stands."
    )
    opened_at = models.DateTimeField("opened", null=True, editable=False)
    taught_at = models.DateTimeField(
        null=True, editable=False, help_text="When the owner last did something with it that shows taste."
    )
    points = models.FloatField(
        null=True, editable=False, help_text="What Penny expects it to be worth to the owner; empty: not looked at."
    )
    reasons = models.JSONField(
        default=list, editable=False, help_text="The parts of the points: kind, key, text and points of each."
    )
    stands_at = PlaceField(
        null=True, editable=False, help_text="Its place among the new ones: its time and what its points add."
    )
    alike = models.UUIDField(null=True, editable=False, help_text="The same for those that say nearly the same.")
    indexed_at = models.DateTimeField(
        null=True, editable=False, help_text="When its words were taken into the index; empty: not yet."
    )
    embedded_with = models.CharField(
        max_length=200, default="", editable=False, help_text="The model of its vector; empty: none yet."
    )

    objects = ThoughtQuerySet.as_manager()

    if TYPE_CHECKING:
        claims: RelatedManager["Claim"]

    class Meta:
        verbose_name = "find"
        ordering = ["-created_at"]
        indexes = [
            # The feed's three views, keyset-paged by (created_at, id).
            models.Index(fields=["-created_at", "-id"], name="feed_new", condition=Q(notified_at=None, hidden_at=None)),
            models.Index(
                fields=["-created_at", "-id"],
                name="feed_archive",
                condition=Q(notified_at__isnull=False, hidden_at=None),
            ),
            models.Index(
                fields=["-created_at", "-id"], name="feed_saved", condition=Q(saved_at__isnull=False, hidden_at=None)
            ),
            # New thoughts in the order of their points.
            models.Index(fields=["-stands_at", "-id"], name="feed_best", condition=Q(notified_at=None, hidden_at=None)),
            # Thoughts that fold beneath a similar one.
            models.Index(fields=["alike", "-stands_at"], name="feed_alike", condition=Q(alike__isnull=False)),
            # Thoughts to learn from, the latest first, and thoughts without points.
            models.Index(fields=["-taught_at"], name="taught", condition=Q(taught_at__isnull=False)),
            models.Index(
                fields=["-created_at"],
                name="without_points",
                condition=Q(points=None, notified_at=None, hidden_at=None),
            ),
            # The feed of one preference: all thoughts, and the few new or saved ones among many in the archive.
            models.Index(fields=["preference", "-created_at", "-id"], name="feed_of_preference"),
            models.Index(
                fields=["preference", "-created_at", "-id"],
                name="new_of_preference",
                condition=Q(notified_at=None, hidden_at=None),
            ),
            models.Index(
                fields=["preference", "-created_at", "-id"],
                name="saved_of_preference",
                condition=Q(saved_at__isnull=False, hidden_at=None),
            ),
            # Thoughts that the index of words lacks.
            models.Index(fields=["created_at"], name="not_indexed", condition=Q(indexed_at=None)),
            # Thoughts without a vector of the current model.
            models.Index(fields=["embedded_with", "-created_at"], name="embedded_with"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def picture(self) -> Picture | None:
        return next((page.picture for page in self.pages.all() if page.picture is not None), None)

    @property
    def is_new(self) -> bool:
        return self.notified_at is None

    @property
    def is_liked(self) -> bool:
        return self.reaction == Preference.Valence.LIKE

    @property
    def is_disliked(self) -> bool:
        return self.reaction == Preference.Valence.DISLIKE

    def mark_read(self, now: datetime) -> None:
        type(self).objects.filter(pk=self.pk).update(notified_at=Coalesce("notified_at", now))

    def mark_unread(self) -> None:
        type(self).objects.filter(pk=self.pk).update(notified_at=None)

    def set_saved(self, at: datetime | None) -> None:
        type(self).objects.filter(pk=self.pk).update(saved_at=at)
        self.teach(timezone.now())

    def set_hidden(self, at: datetime | None) -> None:
        type(self).objects.filter(pk=self.pk).update(hidden_at=at)
        self.teach(timezone.now())

    def mark_opened(self, now: datetime) -> None:
        """Record the first time that the owner opened it."""
        if type(self).objects.filter(pk=self.pk, opened_at=None).update(opened_at=now):
            self.teach(now)

    def teach(self, now: datetime) -> None:
        """Record that the owner's opinion of this thought changed, so that taste is learned again."""
        type(self).objects.filter(pk=self.pk).update(taught_at=now)
        Taste.change(now)


class Claim(Supported):
    thought = models.ForeignKey(Thought, on_delete=models.CASCADE, related_name="claims")

    class Meta:
        ordering = ["id"]
