"""Tables of the vault: what the owner chose to keep, and the passages that a search of it compares."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Self
from uuid import uuid4

from django.db import models
from django.db.models import Q
from django.utils import timezone

from thoughts.models.pages import Page
from thoughts.models.removable import RemovableQuerySet


class KeptQuerySet(RemovableQuerySet["Kept"]):
    undo_for = timedelta(minutes=10)

    def before(self, cursor: tuple[datetime, Any] | None) -> Self:
        """Return the entries after `cursor` (`last_seen_at`, id), the latest first: a keyset page."""
        rows = self.order_by("-last_seen_at", "-id")
        if cursor is None:
            return rows
        at, key = cursor
        return rows.filter(last_seen_at__lte=at).filter(Q(last_seen_at__lt=at) | Q(id__lt=key))

    def set_deleted(self, at: datetime | None, *, has_undo: bool = True) -> int:
        """Forget entries, or bring them back if `at` is None. The tick deletes forgotten ones for good."""
        return self.update(deleted_at=at, has_undo=has_undo)

    def restorable(self, now: datetime) -> Self:
        return super().restorable(now).filter(has_undo=True)

    def forgotten(self, now: datetime) -> Self:
        return self.filter(Q(deleted_at__lt=now - self.undo_for) | Q(deleted_at__isnull=False, has_undo=False))

    def expired(self, now: datetime) -> Self:
        return self.filter(keep_until__lt=now)


class Kept(models.Model):
    """A page or a file that is kept. Everything that its page holds is untrusted, for ever."""

    class Source(models.TextChoices):
        AUTO = "auto", "kept by itself"
        ASKED = "asked", "kept by you"
        FILE = "file", "a file"

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    page = models.OneToOneField(Page, on_delete=models.PROTECT, related_name="kept")
    source = models.CharField(max_length=5, choices=Source)
    name = models.CharField(max_length=255, blank=True, help_text="Of a file.")
    mime = models.CharField(max_length=100, blank=True)
    size_bytes = models.PositiveIntegerField(null=True)
    address_key = models.CharField(max_length=64, help_text="The checksum of the stored address without its fragment.")
    sha256 = models.CharField(max_length=64, help_text="Of the page's text.")
    contacts = models.JSONField(default=dict, help_text="emails, phones and profiles, each a list.")
    masked = models.PositiveIntegerField(default=0, help_text="How many secrets were covered.")
    language = models.CharField(max_length=2, blank=True)
    words = models.PositiveIntegerField(default=0)
    device = models.CharField(max_length=32, blank=True, help_text="The key of the browser that kept it.")
    kept_at = models.DateTimeField(default=timezone.now, editable=False)
    last_seen_at = models.DateTimeField(default=timezone.now, editable=False)
    keep_until = models.DateTimeField(null=True, editable=False, help_text="Empty: for ever.")
    deleted_at = models.DateTimeField(null=True, editable=False)
    has_undo = models.BooleanField(
        db_default=True,
        default=True,
        editable=False,
        help_text="Whether the owner can bring it back once it is deleted.",
    )
    indexed_at = models.DateTimeField(null=True, editable=False)
    embedded_with = models.CharField(max_length=200, default="", editable=False)
    embedded_at = models.DateTimeField(null=True, editable=False)

    objects = KeptQuerySet.as_manager()

    class Meta:
        verbose_name = "kept page"
        ordering = ["-last_seen_at", "-id"]
        constraints = [models.UniqueConstraint(fields=["address_key", "sha256"], name="kept_once")]
        indexes = [
            models.Index(fields=["-last_seen_at", "-id"], name="kept_newest"),
            models.Index(fields=["deleted_at"], name="kept_deleted", condition=Q(deleted_at__isnull=False)),
            models.Index(fields=["keep_until"], name="kept_expiring", condition=Q(keep_until__isnull=False)),
            models.Index(fields=["kept_at"], name="kept_to_index", condition=Q(indexed_at=None)),
            models.Index(fields=["embedded_with", "-kept_at"], name="kept_to_embed"),
        ]

    def __str__(self) -> str:
        return self.page.title or self.name or self.page.domain

    @property
    def origin(self) -> list[str]:
        return self.page.origin


class Chunk(models.Model):
    """A passage: `kept.page.text[start:end]`. Keys grow with time."""

    kept = models.ForeignKey(Kept, on_delete=models.CASCADE, related_name="chunks")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    vector = models.BinaryField(default=b"", help_text="Of length 1: floats of 16 bits, little-endian.")
    code = models.BinaryField(default=b"", help_text="The signs of the vector's numbers, one bit each.")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.start}–{self.end}"


class ChunkWords(models.Model):
    """The words of a chunk, as every search compares them, apart by spaces.

    On SQLite this table has a trigger for each change. Django would drop the triggers if it changed columns.
    """

    chunk = models.OneToOneField(Chunk, primary_key=True, on_delete=models.CASCADE, related_name="words")
    text = models.TextField()

    def __str__(self) -> str:
        return str(self.chunk)
