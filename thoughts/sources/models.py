"""Tables of sources and imported files. Names, folders and addresses are untrusted text."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils import timezone

from thoughts.models.removable import RemovableQuerySet
from thoughts.models.search_words import SearchWordsField, has_words
from thoughts.sources.entries import FOLDER_CHARACTERS, TITLE_CHARACTERS, Entry

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

LOOK_AGAIN_AFTER = timedelta(days=1)  # for a feed or a site; a single page is visited once


class ImportedFileQuerySet(models.QuerySet["ImportedFile"]):
    def forgotten(self, now: datetime) -> "ImportedFileQuerySet":
        """Return the files whose time for an undo is over."""
        return self.filter(undone_at__lt=now - SourceQuerySet.undo_for)


class ImportedFile(models.Model):
    """A file that the owner imported: subscriptions, bookmarks, or pages to read later."""

    class Kind(models.TextChoices):
        OPML = "opml", "subscriptions (OPML)"
        BOOKMARKS = "bookmarks", "bookmarks"
        POCKET = "pocket", "Pocket"
        INSTAPAPER = "instapaper", "Instapaper"
        WALLABAG = "wallabag", "Wallabag"
        OMNIVORE = "omnivore", "Omnivore"
        RAINDROP = "raindrop", "Raindrop"
        READWISE = "readwise", "Readwise"
        PINBOARD = "pinboard", "Pinboard"
        KARAKEEP = "karakeep", "Karakeep"
        LINKWARDEN = "linkwarden", "Linkwarden"
        MASTODON = "mastodon", "Mastodon"
        TAKEOUT = "takeout", "Google Takeout"
        TABLE = "table", "a list of pages"

    name = models.CharField("file", max_length=200)
    kind = models.CharField(max_length=10, choices=Kind)
    found = models.PositiveIntegerField(default=0, help_text="Entries in the file.")
    added = models.PositiveIntegerField("new", default=0)
    known = models.PositiveIntegerField("known already", default=0)
    left_out = models.JSONField(default=dict, help_text="How many entries were left out, by the reason.")
    problems = models.JSONField(default=list, help_text="The first places that are no entries: line, text, reason.")
    refusal = models.CharField("refused", max_length=500, blank=True, help_text="Why nothing could be read.")
    size_bytes = models.PositiveBigIntegerField(default=0)
    read_bytes = models.PositiveBigIntegerField(default=0)
    is_waiting = models.BooleanField("waits to be read", default=False)
    created_at = models.DateTimeField("imported", default=timezone.now)
    undone_at = models.DateTimeField("undone", null=True)
    candidates = models.ManyToManyField("thoughts.Candidate", related_name="imported_files", editable=False)

    objects = ImportedFileQuerySet.as_manager()

    if TYPE_CHECKING:
        sources: RelatedManager["Source"]

    class Meta:
        verbose_name = "file"
        verbose_name_plural = "files you brought"
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class SourceQuerySet(RemovableQuerySet["Source"]):
    def lookable(self, now: datetime) -> "SourceQuerySet":
        """Return the sources that thinking may visit now: a page once, a feed or a site repeatedly."""
        rests = Q(looked_at__gt=now - LOOK_AGAIN_AFTER) | Q(kind=Source.Kind.PAGE, looked_at__isnull=False)
        return self.kept().filter(paused=False).exclude(rests)

    def holding(self, words: str) -> "SourceQuerySet":
        """Return the sources with each of the words in name, folder, address or tags; without words all."""
        condition = has_words("words", words)
        return self if condition is None else self.filter(condition)

    def only_of(self, file: ImportedFile) -> "SourceQuerySet":
        """Return the sources of one file that are in no other active file and were not added by hand."""
        others = Source.files.through.objects.filter(importedfile__undone_at=None).exclude(importedfile=file)
        return self.filter(files=file, is_added=False).exclude(pk__in=others.values("source"))


class Source(models.Model):
    """A feed, a site or a page that thinking may visit if its site is granted."""

    class Kind(models.TextChoices):
        FEED = "feed", "a feed"
        SITE = "site", "a site"
        PAGE = "page", "a page"

    key = models.CharField(max_length=64, unique=True, editable=False, help_text="A checksum of its addresses.")
    kind = models.CharField(max_length=4, choices=Kind)
    url = models.TextField("address", help_text="What is looked at: of a feed, the site that it belongs to.")
    feed_url = models.TextField("feed", blank=True)
    domain = models.CharField(max_length=260)
    title = models.CharField("name", max_length=TITLE_CHARACTERS, blank=True)
    folder = models.CharField(max_length=FOLDER_CHARACTERS, blank=True)
    tags = models.CharField(max_length=1000, blank=True, help_text="Apart by commas.")
    words = SearchWordsField(of=("title", "folder", "tags", "url", "feed_url"))
    files = models.ManyToManyField(ImportedFile, related_name="sources", editable=False)
    is_added = models.BooleanField(
        "added by hand", default=False, editable=False, help_text="It stays when an import is undone."
    )
    paused = models.BooleanField(default=False, help_text="A paused source is not looked at.")
    looked_at = models.DateTimeField("last looked at", null=True, editable=False)
    trouble_code = models.CharField("trouble", max_length=64, blank=True, editable=False)
    created_at = models.DateTimeField("added", default=timezone.now, editable=False)
    deleted_at = models.DateTimeField("removed", null=True, editable=False)

    objects = SourceQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.title or self.url

    @property
    def short_name(self) -> str:
        return self.name if len(self.name) <= 80 else f"{self.name[:79]}…"

    @property
    def standing_files(self) -> list[ImportedFile]:
        return [file for file in self.files.all() if file.undone_at is None]

    @property
    def origin(self) -> list[str]:
        return [self.domain]

    @property
    def folders(self) -> tuple[str, ...]:
        return tuple(part for part in self.folder.split(" / ") if part)

    @property
    def entry(self) -> Entry:
        return Entry(self.url, self.title, self.feed_url, self.folders, self.topics)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(tag for tag in self.tags.split(", ") if tag)

    def set_paused(self, paused: bool) -> None:
        self.paused = paused
        self.save(update_fields=["paused"])

    def set_deleted(self, at: datetime | None) -> None:
        self.deleted_at = at
        self.save(update_fields=["deleted_at"])

    def mark_looked(self, now: datetime) -> None:
        """Move to the end of the queue, whatever the visit finds."""
        self.looked_at = now
        self.save(update_fields=["looked_at"])

    def note_trouble(self, code: str) -> None:
        self.trouble_code = code[:64]
        self.save(update_fields=["trouble_code"])
