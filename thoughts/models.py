"""What the owner likes, what was read, and what was found."""

import uuid
from datetime import datetime
from typing import TYPE_CHECKING

from constance import config
from django.db import models
from django.db.models import Case, Exists, F, OuterRef, Q, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from thoughts.labels import OWNER, foreign, union
from thoughts.subscriptions.models import Subscription as Subscription
from thoughts.watches import Observation as Observation
from thoughts.watches import SeenItem as SeenItem
from thoughts.watches import Watch as Watch

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


def only_owner() -> list[str]:
    return [OWNER]


class PlaceField(models.DateTimeField):  # type: ignore[type-arg]
    """A time at which something would stand where it stands, if it stood by its age alone. At first that at which it was made."""

    def pre_save(self, model_instance: models.Model, add: bool) -> datetime:
        if getattr(model_instance, self.attname) is None:
            setattr(model_instance, self.attname, getattr(model_instance, "created_at"))  # noqa: B009  models in general have none
        found: datetime = super().pre_save(model_instance, add)
        return found


class PreferenceQuerySet(models.QuerySet["Preference"]):
    def seeds(self) -> "PreferenceQuerySet":
        """Return the likes that may seed a thinking run, least recently used first. What came up in passing once does not yet."""
        known = ~Q(source=Preference.Source.SAID) | Q(mentions__gte=config.MENTIONS_BEFORE_THINKING)
        likes = self.filter(known, valence=Preference.Valence.LIKE, muted=False, strength__gt=0)
        return likes.order_by(F("used_at").asc(nulls_first=True), "created_at")

    def best_first(self, since: datetime) -> "PreferenceQuerySet":
        """Return the strongest first, and behind all others those that were used since then."""
        is_used = Case(When(used_at__gte=since, then=1), default=0)
        return self.order_by(is_used, "-strength", F("used_at").asc(nulls_first=True), "created_at")


class Preference(models.Model):
    """Something the owner likes or dislikes, in the owner's own words.

    Its strength begins at 1, and reactions to what came of it move it. A like whose strength is used up rests: it starts no thinking.
    """

    class Source(models.TextChoices):
        SAID = "said", "said in the conversation"
        ADDED = "added", "added by hand"
        REACTION = "reaction", "added from a thought"
        PAGE = "page", "confirmed from a page"
        HISTORY = "history", "confirmed from your browsing"

    class Valence(models.IntegerChoices):
        LIKE = 1, "like"
        DISLIKE = -1, "dislike"

    text = models.CharField(max_length=300)
    valence = models.SmallIntegerField(choices=Valence, default=Valence.LIKE)
    source = models.CharField(max_length=8, choices=Source, default=Source.ADDED)
    origin = models.JSONField(default=only_owner, editable=False)
    muted = models.BooleanField(default=False, help_text="A muted preference starts no thinking.")
    strength = models.FloatField(default=1, help_text="1 at first; reactions to what came of it move it. At 0 it starts no thinking.")
    mentions = models.PositiveIntegerField(default=1, editable=False, help_text="How often it came up in the owner's own words.")
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField("last used", null=True, editable=False)
    last_thought = models.ForeignKey("Thought", null=True, editable=False, on_delete=models.SET_NULL, related_name="+")

    objects = PreferenceQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [models.UniqueConstraint(models.functions.Lower("text"), name="preference_said_once")]

    def __str__(self) -> str:
        return self.text

    @property
    def is_resting(self) -> bool:
        return self.strength <= 0

    def set_muted(self, muted: bool) -> None:
        self.muted = muted
        self.save(update_fields=["muted"])

    def wake(self) -> None:
        """Begin anew, after dislikes of what came of it have made it rest."""
        self.strength = 1
        self.save(update_fields=["strength"])

    def mark_used(self, now: datetime) -> None:
        """Move to the end of the line, whatever the run finds, so that a barren seed cannot spin."""
        self.used_at = now
        self.save(update_fields=["used_at"])


class Picture(models.Model):
    """A page's picture, decoded and encoded again in the sandbox: nothing of the original file is kept."""

    sha256 = models.CharField(max_length=64, unique=True)
    data = models.BinaryField(help_text="WebP.")
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()

    def __str__(self) -> str:
        return f"{self.width} × {self.height}"


class Page(models.Model):
    """What one extraction of one URL returned. Every field but `domain` and the numbers is untrusted text."""

    url = models.TextField(help_text="The final URL, without parameters that look like secrets.")
    domain = models.CharField(max_length=260)
    title = models.TextField()
    text = models.TextField()
    links = models.JSONField(default=list)
    picture = models.ForeignKey(Picture, null=True, blank=True, on_delete=models.SET_NULL)
    metadata = models.JSONField(default=dict)
    extracted_with = models.CharField(max_length=12)
    truncated = models.BooleanField(default=False)
    sha256 = models.CharField(max_length=64)
    device_label = models.CharField(max_length=64)
    fetched_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-fetched_at"]
        indexes = [
            # The admin's list, and what is too old to be kept.
            models.Index(fields=["fetched_at"], name="old_pages")
        ]

    def __str__(self) -> str:
        return f"{self.domain} at {self.fetched_at:%Y-%m-%d %H:%M}"

    @property
    def origin(self) -> list[str]:
        return [self.domain]


def _pages_with_pictures() -> "models.Prefetch[str, models.QuerySet[Page], str]":
    """A picture's bytes stay in the database: a card needs its address and its size."""
    return models.Prefetch("pages", Page.objects.select_related("picture").defer("picture__data", "text", "links", "metadata"))


class ThoughtQuerySet(models.QuerySet["Thought"]):
    def unread(self) -> "ThoughtQuerySet":
        return self.filter(notified_at=None, hidden_at=None)

    def archived(self) -> "ThoughtQuerySet":
        return self.filter(notified_at__isnull=False, hidden_at=None)

    def saved(self) -> "ThoughtQuerySet":
        return self.filter(saved_at__isnull=False, hidden_at=None)

    def with_evidence(self) -> "ThoughtQuerySet":
        return self.select_related("preference").prefetch_related("claims__page", _pages_with_pictures())

    def unfolded(self) -> "ThoughtQuerySet":
        """Leave out unread thoughts to which another unread one is alike that stands higher."""
        above = Q(stands_at__gt=OuterRef("stands_at")) | Q(stands_at=OuterRef("stands_at"), id__gt=OuterRef("id"))
        return self.filter(Q(alike=None) | ~Exists(Thought.objects.unread().filter(above, alike=OuterRef("alike"))))

    def before(self, cursor: tuple[datetime, uuid.UUID] | None, by: str = "created_at") -> "ThoughtQuerySet":
        """Return the rows after `cursor` (`by`, id), the latest first: a keyset page, as quick at row 300,000 as at row 1."""
        rows = self.order_by(f"-{by}", "-id")
        if cursor is None:
            return rows
        at, key = cursor
        # The first condition alone lets a database begin at the cursor instead of reading its index up to it.
        return rows.filter(**{f"{by}__lte": at}).filter(Q(**{f"{by}__lt": at}) | Q(**{by: at}, id__lt=key))


class Thought(models.Model):
    """One find on the feed. New until `notified_at` is set, then in the archive; saved besides, or hidden from all of these."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    title = models.CharField(max_length=200)
    text = models.TextField(help_text="Markdown.")
    html = models.TextField(editable=False)
    sentences = models.JSONField(default=list, editable=False, help_text="Each its html, paragraph (from 0) and claims (from 1).")
    preference = models.ForeignKey(Preference, null=True, blank=True, on_delete=models.SET_NULL, related_name="thoughts")
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
    reaction = models.SmallIntegerField(choices=Preference.Valence, null=True, blank=True, help_text="The one that stands.")
    opened_at = models.DateTimeField("opened", null=True, editable=False)
    taught_at = models.DateTimeField(null=True, editable=False, help_text="When the owner last did something with it that shows taste.")
    points = models.FloatField(null=True, editable=False, help_text="What Penny expects it to be worth to the owner; empty: not looked at.")
    reasons = models.JSONField(default=list, editable=False, help_text="The parts of the points: kind, key, text and points of each.")
    stands_at = PlaceField(null=True, editable=False, help_text="Its place among the new ones: its time and what its points add.")
    alike = models.UUIDField(null=True, editable=False, help_text="The same for those that say nearly the same.")
    indexed_at = models.DateTimeField(null=True, editable=False, help_text="When its words were taken into the index; empty: not yet.")
    embedded_with = models.CharField(max_length=200, default="", editable=False, help_text="The model of its vector; empty: none yet.")

    objects = ThoughtQuerySet.as_manager()

    if TYPE_CHECKING:
        claims: RelatedManager["Claim"]

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            # The feed's three views, keyset-paged by (created_at, id).
            models.Index(fields=["-created_at", "-id"], name="feed_new", condition=Q(notified_at=None, hidden_at=None)),
            models.Index(fields=["-created_at", "-id"], name="feed_archive", condition=Q(notified_at__isnull=False, hidden_at=None)),
            models.Index(fields=["-created_at", "-id"], name="feed_saved", condition=Q(saved_at__isnull=False, hidden_at=None)),
            # New ones in the order of their points.
            models.Index(fields=["-stands_at", "-id"], name="feed_best", condition=Q(notified_at=None, hidden_at=None)),
            # Those that stand behind one that is alike.
            models.Index(fields=["alike", "-stands_at"], name="feed_alike", condition=Q(alike__isnull=False)),
            # What is learned from, the latest first, and what has no points yet.
            models.Index(fields=["-taught_at"], name="taught", condition=Q(taught_at__isnull=False)),
            models.Index(fields=["-created_at"], name="without_points", condition=Q(points=None, notified_at=None, hidden_at=None)),
            # The feed narrowed to one preference.
            models.Index(fields=["preference", "-created_at", "-id"], name="feed_of_preference"),
            # What the index of words has to catch up with.
            models.Index(fields=["created_at"], name="not_indexed", condition=Q(indexed_at=None)),
            # What has no vector of the model that is in use.
            models.Index(fields=["embedded_with", "-created_at"], name="embedded_with"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def picture(self) -> Picture | None:
        """Return the picture of the first of its pages that has one."""
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
        """Note the first time that it was opened."""
        if type(self).objects.filter(pk=self.pk, opened_at=None).update(opened_at=now):
            self.teach(now)

    def teach(self, now: datetime) -> None:
        """Have taste learned anew: what the owner makes of this thought has changed."""
        type(self).objects.filter(pk=self.pk).update(taught_at=now)
        Taste.change(now)


class ReactionQuerySet(models.QuerySet["Reaction"]):
    def standing(self) -> "ReactionQuerySet":
        """Return those that were not undone, the newest first: that one counts, and an undo goes back to the one before it."""
        return self.filter(undone_at=None).order_by("-id")


class Reaction(models.Model):
    """The owner's thumb up or down for a thought, with what it changed, so that it can be undone."""

    thought = models.ForeignKey(Thought, on_delete=models.CASCADE, related_name="reactions")
    valence = models.SmallIntegerField("reaction", choices=Preference.Valence)
    preference = models.ForeignKey(Preference, null=True, on_delete=models.SET_NULL, related_name="reactions")
    strength_change = models.FloatField(default=0, help_text="What it added to the strength of the preference.")
    notified_before = models.DateTimeField("read before", null=True)
    device_label = models.CharField("given on", max_length=64)
    created_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField("undone", null=True)

    objects = ReactionQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.get_valence_display()}: {self.thought.title}"


class MutedSite(models.Model):
    """A site that no thinking run reads. The conversation may still read it, where a grant says so."""

    host = models.CharField(max_length=260, unique=True, help_text="A host such as example.com; it covers its subdomains.")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["host"]

    def __str__(self) -> str:
        return self.host


class Supported(models.Model):
    """One sentence with the span of the page that supports it: `page.text[start:end] == quote`."""

    page = models.ForeignKey(Page, on_delete=models.PROTECT, related_name="%(class)ss")
    text = models.CharField(max_length=300)
    quote = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.text

    @property
    def origin(self) -> list[str]:
        """Return its labels: the page's, and the owner's, for whose preference or question it was read."""
        return union((OWNER,), self.page.origin)


class Claim(Supported):
    """A claim of a thought."""

    thought = models.ForeignKey(Thought, on_delete=models.CASCADE, related_name="claims")

    class Meta:
        ordering = ["id"]


class Merge(models.Model):
    """Two preferences that the owner made one, with what it takes to part them again."""

    kept = models.ForeignKey(Preference, on_delete=models.CASCADE, related_name="merges")
    text = models.CharField("merged into it", max_length=300)
    other = models.JSONField(help_text="The row that went.")
    moved = models.JSONField(help_text="What referred to it, by table and field.")
    strength_change = models.FloatField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text


class CandidateQuerySet(models.QuerySet["Candidate"]):
    def open(self) -> "CandidateQuerySet":
        return self.filter(state=Candidate.State.OPEN)


class Candidate(models.Model):
    """Something that the owner may like, by what the web says. It starts nothing: only the owner makes a preference of it."""

    class State(models.TextChoices):
        OPEN = "open"
        CONFIRMED = "confirmed"
        DISMISSED = "dismissed"

    text = models.CharField(max_length=300)
    source = models.CharField(max_length=8, choices=Preference.Source)
    origin = models.JSONField("labels", default=list)
    page = models.ForeignKey(Page, null=True, on_delete=models.SET_NULL, related_name="candidates")
    seed = models.ForeignKey(Preference, null=True, on_delete=models.CASCADE, related_name="candidates", help_text="What it was read for.")
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True)

    objects = CandidateQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text

    @property
    def sites(self) -> list[str]:
        return foreign(self.origin)


class Words(models.Model):
    """What of a thought can be searched for. Its key grows with the thought's time, so that the index finds the newest first.

    SQLite has a trigger on this table for each change, which a change of its columns by Django would drop: see the migration that makes it.
    """

    id = models.BigIntegerField(primary_key=True)
    thought = models.OneToOneField(Thought, on_delete=models.CASCADE, related_name="words")
    text = models.TextField(help_text="Words without case and accents, apart by spaces.")


class Meaning(models.Model):
    """What a text means, as a vector of length 1: `dimension` numbers of 32 bits, the lowest byte first."""

    model = models.CharField(max_length=200, help_text="The model that made it. Those of two models cannot be compared.")
    dimension = models.PositiveSmallIntegerField()
    vector = models.BinaryField()

    class Meta:
        abstract = True


class ThoughtMeaning(Meaning):
    thought = models.OneToOneField(Thought, primary_key=True, on_delete=models.CASCADE, related_name="meaning")


class PreferenceMeaning(Meaning):
    """`text`: the words that it was made of. A preference whose words were changed has none until they are embedded."""

    preference = models.OneToOneField(Preference, primary_key=True, on_delete=models.CASCADE, related_name="meaning")
    text = models.CharField(max_length=300)


class Taste(models.Model):
    """What was learned of the owner's taste, in one row. It can always be learned anew from what is stored, so nothing is lost with it."""

    ONLY = 1

    weights = models.JSONField(default=list, help_text="Each its kind, key, text and points.")
    outcomes = models.PositiveIntegerField("learned from", default=0, help_text="How many thoughts the owner showed something about.")
    preferences = models.CharField(max_length=64, default="", editable=False, help_text="A checksum of those that it began with.")
    changed_at = models.DateTimeField(null=True, help_text="When the owner last showed taste.")
    learned_at = models.DateTimeField("learned", null=True)
    since = models.DateTimeField("begun anew", null=True, help_text="What came before is not learned from.")
    since_before = models.DateTimeField(null=True, editable=False, help_text="For an undo.")

    class Meta:
        verbose_name_plural = "taste"

    def __str__(self) -> str:
        return f"Learned from {self.outcomes} thoughts"

    @classmethod
    def the_only(cls) -> "Taste":
        return cls.objects.get_or_create(pk=cls.ONLY)[0]

    @classmethod
    def change(cls, now: datetime) -> None:
        """Say that what is learned is out of date."""
        if not cls.objects.filter(pk=cls.ONLY).update(changed_at=now):
            cls.objects.get_or_create(pk=cls.ONLY, defaults={"changed_at": now})

    def begin_anew(self, now: datetime) -> None:
        """Forget what was learned. Reactions and preferences stay; only what comes from now on is learned from."""
        self._learn_from(now, self.since, now)

    def take_back_beginning(self, now: datetime) -> None:
        self._learn_from(self.since_before, self.since_before, now)

    def _learn_from(self, since: datetime | None, before: datetime | None, now: datetime) -> None:
        self.since, self.since_before, self.changed_at = since, before, now
        self.save(update_fields=["since", "since_before", "changed_at"])

    def is_behind(self, preferences: str) -> bool:
        """Whether the owner showed taste, or changed preferences, since it was learned."""
        changed = self.changed_at is not None and self.learned_at is not None and self.learned_at < self.changed_at
        return self.learned_at is None or changed or self.preferences != preferences
