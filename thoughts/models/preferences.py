"""Tables of likes and dislikes, of suggestions from the web, and of muted sites."""

from datetime import datetime

from constance import config
from django.db import models
from django.db.models import Case, F, Q, When

from thoughts.models.pages import Page
from thoughts.models.visits import still_visited
from thoughts.text.labels import foreign, only_owner

STRENGTH_MOST = 1.5  # beyond it an interest counts no more for the order of finds


class PreferenceQuerySet(models.QuerySet["Preference"]):
    def seeds(self) -> "PreferenceQuerySet":
        """Return the likes that may start a thinking run, least recently used first.

        A like from the conversation counts once it was mentioned often enough.
        """
        confirmed = ~Q(source=Preference.Source.SAID) | Q(mentions__gte=config.MENTIONS_BEFORE_THINKING)
        likes = self.filter(confirmed, valence=Preference.Valence.LIKE, muted=False, strength__gt=0)
        return likes.order_by(F("used_at").asc(nulls_first=True), "created_at")

    def best_first(self, since: datetime) -> "PreferenceQuerySet":
        """Order by strength, with those used since then last."""
        is_used = Case(When(used_at__gte=since, then=1), default=0)
        return self.order_by(is_used, "-strength", F("used_at").asc(nulls_first=True), "created_at")


class Preference(models.Model):
    """Something the owner likes or dislikes, in the owner's own words.

    Its strength starts at 1; reactions to its thoughts change it. A like with a strength of 0 or
    less rests: it starts no thinking.
    """

    class Source(models.TextChoices):
        SAID = "said", "said in the conversation"
        ADDED = "added", "added by hand"
        REACTION = "reaction", "added from a find"
        PAGE = "page", "confirmed from a page"
        HISTORY = "history", "confirmed from your browsing"
        IMPORT = "import", "confirmed from a file of yours"

    class Valence(models.IntegerChoices):
        LIKE = 1, "like"
        DISLIKE = -1, "dislike"

    text = models.CharField(max_length=300)
    valence = models.SmallIntegerField(choices=Valence, default=Valence.LIKE)
    source = models.CharField(max_length=8, choices=Source, default=Source.ADDED)
    origin = models.JSONField(default=only_owner, editable=False)
    muted = models.BooleanField(default=False, help_text="A muted preference starts no thinking.")
    strength = models.FloatField(
        default=1, help_text="1 at first; reactions to what came of it move it. At 0 it starts no thinking."
    )
    mentions = models.PositiveIntegerField(
        default=1, editable=False, help_text="How often it came up in the owner's own words."
    )
    resembles = models.CharField(
        max_length=300,
        blank=True,
        editable=False,
        help_text="The words of another that means the same, until the owner said which it is.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField("last used", null=True, editable=False)
    last_thought = models.ForeignKey("Thought", null=True, editable=False, on_delete=models.SET_NULL, related_name="+")

    objects = PreferenceQuerySet.as_manager()

    class Meta:
        verbose_name = "interest"
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

    def set_strength(self, strength: float) -> None:
        self.strength = strength
        self.save(update_fields=["strength"])

    def wake(self) -> None:
        """Reset the strength of a resting preference to 1."""
        self.set_strength(1)

    def mark_used(self, now: datetime) -> None:
        """Move to the end of the queue, whatever the run finds.

        A barren seed must not run again and again.
        """
        self.used_at = now
        self.save(update_fields=["used_at"])


class Merge(models.Model):
    """Two preferences merged by the owner, with the data of an undo."""

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
        """Return candidates that wait for an answer.

        Leaves out those that match a preference, and those whose visits were all deleted.
        """
        return self.filter(
            ~Q(source=Preference.Source.HISTORY) | still_visited(), state=Candidate.State.OPEN, same_as=None
        )


class Candidate(models.Model):
    """Something that the owner may like, according to a page.

    Only the owner turns it into a preference.
    """

    class State(models.TextChoices):
        OPEN = "open"
        CONFIRMED = "confirmed"
        DISMISSED = "dismissed"

    text = models.CharField(max_length=300)
    source = models.CharField(max_length=8, choices=Preference.Source)
    origin = models.JSONField("labels", default=list)
    page = models.ForeignKey(Page, null=True, on_delete=models.SET_NULL, related_name="candidates")
    seed = models.ForeignKey(
        Preference, null=True, on_delete=models.CASCADE, related_name="candidates", help_text="What it was read for."
    )
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    same_as = models.ForeignKey(
        Preference,
        null=True,
        on_delete=models.SET_NULL,
        related_name="same_candidates",
        help_text="What means the same, and was added later.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    decided_at = models.DateTimeField(null=True)

    objects = CandidateQuerySet.as_manager()

    class Meta:
        verbose_name = "suggestion"
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.text

    @property
    def sites(self) -> list[str]:
        return foreign(self.origin)

    @property
    def has_meaning(self) -> bool:
        """Whether a vector was compared, not only the words."""
        return hasattr(self, "meaning")


class MutedSite(models.Model):
    """A site that no thinking run reads.

    The conversation may still read it if a grant allows that.
    """

    host = models.CharField(
        max_length=260, unique=True, help_text="A host such as example.com; it covers its subdomains."
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = "muted site"
        ordering = ["host"]

    def __str__(self) -> str:
        return self.host
