"""Tables of watches: what the owner wants to know of a page, and what each visit found."""

import random
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import Q
from django.utils import timezone

from thoughts.models.removable import RemovableQuerySet
from thoughts.recurrence import next_occurrence, validate_rrule
from thoughts.text.labels import only_owner
from thoughts.text.numbers import money_text
from thoughts.text.unsure import reasons

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager

JITTER = 0.15  # of the interval, at random: sites should see no regular clock
LATE_MINUTES = 5  # at most, after a scheduled time
CONFIRM_AFTER = timedelta(minutes=2)  # a second visit confirms a change before the owner is notified
MISSING_MAX = 3  # visits in a row without a value; then the page has changed its layout
SLOWER_MAX = 8  # times the usual interval, at most, after failed visits
NOT_NOW_FOR = timedelta(days=1)  # before Penny asks again about a site that the owner did not allow
NOT_ALLOWED = {"not_granted", "blocked", "redirect_not_granted"}
# Passing failures that are not the page's: Penny retries soon.
PASSING = {
    "no_browser", "disconnected", "lost", "cancelled", "sandbox_away", "reader_killed", "limits_away", "rate_limited",
    "rate_limited_overall",
}  # fmt: skip


class WatchQuerySet(RemovableQuerySet["Watch"]):
    def active(self) -> "WatchQuerySet":
        return self.kept().filter(is_paused=False)

    def due(self, now: datetime) -> "WatchQuerySet":
        return self.active().filter(next_check_at__lte=now).order_by("next_check_at")


class Watch(models.Model):
    """A page that Penny visits regularly.

    `is_below` and `is_in_stock` are confirmed by two visits in a row.
    """

    class Kind(models.TextChoices):
        PRICE = "price", "price and stock"
        POSTS = "posts", "new posts in a forum or section"
        THREAD = "thread", "new posts in one thread"

    url = models.TextField("address")
    domain = models.CharField(max_length=260, editable=False)
    label = models.CharField("name", max_length=120, blank=True)
    title = models.CharField(max_length=300, blank=True, editable=False, help_text="The page's own, untrusted.")
    origin = models.JSONField("labels", default=only_owner, editable=False)
    preference = models.ForeignKey(
        "Preference",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="watches",
        help_text="What you like that it came of. It goes when that is forgotten.",
    )
    kind = models.CharField(max_length=6, choices=Kind, default=Kind.PRICE)
    below = models.DecimalField("tell me below", max_digits=13, decimal_places=4, null=True, blank=True)
    currency = models.CharField(max_length=3, blank=True)
    when_back = models.BooleanField("tell me when it is back in stock", default=False)
    every_minutes = models.PositiveIntegerField("look every", default=60)
    rrule = models.CharField(
        "look at",
        max_length=200,
        blank=True,
        help_text="A recurrence rule; empty: every so many minutes.",
        validators=[validate_rrule],
    )
    is_paused = models.BooleanField("paused", default=False)
    next_check_at = models.DateTimeField("next visit", default=timezone.now)
    checked_at = models.DateTimeField("last visit", null=True, editable=False)
    is_below = models.BooleanField(default=False, editable=False)
    is_in_stock = models.BooleanField("in stock", null=True, editable=False)
    missing = models.PositiveIntegerField("visits without a value", default=0, editable=False)
    missing_told_at = models.DateTimeField(null=True, editable=False)
    trouble_code = models.CharField("trouble", max_length=64, blank=True, editable=False)
    troubles = models.PositiveIntegerField("failed visits in a row", default=0, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField("deleted", null=True, editable=False)

    objects = WatchQuerySet.as_manager()

    if TYPE_CHECKING:
        observations: RelatedManager["Observation"]
        items: RelatedManager["SeenItem"]

    class Meta:
        verbose_name = "watch"
        verbose_name_plural = "watches"
        ordering = ["-created_at"]
        indexes = [
            # Watches that the tick starts.
            models.Index(fields=["next_check_at"], name="due_watches", condition=Q(is_paused=False, deleted_at=None))
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        return self.label or self.title or self.url

    @property
    def own_name(self) -> str:
        """Return a name without any words of the page."""
        return self.label or self.domain

    @property
    def short_name(self) -> str:
        return self.name if len(self.name) <= 80 else f"{self.name[:79]}…"

    @property
    def wants(self) -> str:
        if self.kind == self.Kind.POSTS:
            return "new posts"
        if self.kind == self.Kind.THREAD:
            return "new posts in this thread"
        conditions = [f"below {money_text(self.below, self.currency)}"] if self.below is not None else []
        return " or ".join([*conditions, *(["back in stock"] if self.when_back else [])])

    @property
    def is_for_items(self) -> bool:
        return self.kind != self.Kind.PRICE

    @property
    def has_changed_shape(self) -> bool:
        return self.missing >= MISSING_MAX

    def next_visit(self, now: datetime, *, slower: int = 1) -> datetime:
        """Return the time of the next visit, with a random shift.

        The rule decides if there is one, else the interval times `slower`.
        """
        if self.rrule and (at := next_occurrence(self.rrule, now, min(self.created_at, now))):
            return at + timedelta(minutes=random.uniform(0, LATE_MINUTES))  # noqa: S311  not a secret
        minutes = self.every_minutes * slower * (1 + random.uniform(-JITTER, JITTER))  # noqa: S311  not a secret
        return now + timedelta(minutes=minutes)

    def set_paused(self, paused: bool) -> None:
        self.is_paused = paused
        if not paused:
            self.next_check_at = timezone.now()
        self.save(update_fields=["is_paused", "next_check_at"])

    def set_deleted(self, at: datetime | None) -> None:
        self.deleted_at = at
        self.save(update_fields=["deleted_at"])

    def note_trouble(self, code: str, now: datetime) -> None:
        """Record a failed visit and plan the next one later each time.

        A site without a grant is not asked about again for a day.
        """
        self.trouble_code, self.troubles = code[:64], self.troubles + 1
        slower = 2 ** min(self.troubles - 1, 8)
        self.next_check_at = self.next_visit(now, slower=min(slower, SLOWER_MAX))
        if code in PASSING:
            self.next_check_at = min(now + CONFIRM_AFTER * slower, self.next_visit(now))
        if code in NOT_ALLOWED:
            self.next_check_at = max(self.next_check_at, now + NOT_NOW_FOR)
        self.save(update_fields=["trouble_code", "troubles", "next_check_at"])


class Observation(models.Model):
    """One visit: the values read, and their evidence.

    The evidence is `page.text[start:end] == quote`, or a field of the page's own data.
    """

    class Stock(models.TextChoices):
        IN = "in", "in stock"
        OUT = "out", "not in stock"
        UNKNOWN = "unknown", "cannot tell"

    watch = models.ForeignKey(Watch, on_delete=models.CASCADE, related_name="observations")
    page = models.ForeignKey("Page", on_delete=models.PROTECT, related_name="observations")
    at = models.DateTimeField(default=timezone.now)
    price = models.DecimalField(max_digits=13, decimal_places=4, null=True)
    currency = models.CharField(max_length=3, blank=True)
    stock = models.CharField(max_length=7, choices=Stock, default=Stock.UNKNOWN)
    source = models.CharField(
        "read from", max_length=10, blank=True, help_text="json_ld, microdata, open_graph, typed, text or model."
    )
    field = models.CharField(max_length=60, blank=True)
    quote = models.CharField(max_length=300, blank=True)
    start = models.PositiveIntegerField(default=0)
    end = models.PositiveIntegerField(default=0)
    facts_sha256 = models.CharField(
        max_length=64, blank=True, help_text="Of what the page said about itself, which is not kept."
    )
    unsure = models.CharField(
        max_length=50,
        blank=True,
        help_text="Codes of why the price or the stock is unknown (thoughts/text/unsure.py).",
    )
    items_new = models.PositiveIntegerField("new posts", default=0)
    thought = models.ForeignKey("Thought", null=True, on_delete=models.SET_NULL, related_name="observations")

    class Meta:
        verbose_name = "visit of a watch"
        verbose_name_plural = "visits of watches"
        ordering = ["-at", "-id"]
        indexes = [
            # The history of one watch, and the removal of old visits.
            models.Index(fields=["watch", "-at"], name="history_of_watch"),
            models.Index(fields=["at"], name="old_observations"),
        ]

    def __str__(self) -> str:
        return f"{self.watch_id} at {self.at:%Y-%m-%d %H:%M}"

    @property
    def is_found(self) -> bool:
        return self.price is not None or self.stock != self.Stock.UNKNOWN

    @property
    def money(self) -> str:
        return money_text(self.price, self.currency)

    @property
    def reasons(self) -> list[str]:
        """Say why the price or the stock is unknown, in sentences."""
        return reasons(self.unsure)

    @property
    def evidence(self) -> str:
        """Describe where the value was read."""
        return " ".join(part for part in (SOURCES.get(self.source, ""), self.field) if part)


class SeenItem(models.Model):
    """A link of a page, or a passage of a thread, with its latest words.

    `told_at` is when the owner was notified, if ever.
    """

    class State(models.TextChoices):
        KNOWN = "known"
        PENDING = "pending", "seen once"
        TOLD = "told"

    watch = models.ForeignKey(Watch, on_delete=models.CASCADE, related_name="items")
    key = models.CharField(max_length=64)
    text = models.CharField(max_length=300)
    url = models.TextField(blank=True)
    state = models.CharField(max_length=7, choices=State, default=State.KNOWN)
    first_seen_at = models.DateTimeField()
    last_seen_at = models.DateTimeField()
    told_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = "watched item"
        verbose_name_plural = "items on watched pages"
        ordering = ["-first_seen_at", "id"]
        constraints = [models.UniqueConstraint(fields=["watch", "key"], name="item_seen_once")]
        indexes = [
            # Items that left their page long ago.
            models.Index(fields=["last_seen_at"], name="old_items")
        ]

    def __str__(self) -> str:
        return self.text[:80]


SOURCES = {
    "json_ld": "the page's own data (JSON-LD)",
    "microdata": "the page's own data (microdata)",
    "open_graph": "the page's own data (Open Graph)",
    "typed": "the page's own data",
    "text": "the page's text",
    "model": "the page's text, by the reader",
}
