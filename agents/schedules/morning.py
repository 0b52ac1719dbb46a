"""A digest as one finite page: three finds, one number, and what waits for the owner."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Max, Prefetch
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import formats
from django.utils.timezone import localtime

from agents.memory.models import Memory
from agents.models import Day, Digest
from agents.schedules.overview import waiting_questions
from devices.web.links import link_to
from thoughts.models import Candidate, Claim, Observation, Thought
from thoughts.text.numbers import money_text, percent_text

FINDS, EARLIER = 3, 13
DAY = timedelta(days=1)


@dataclass(frozen=True)
class Number:
    """The number of a day, what it means, and the page that shows more."""

    value: str
    meaning: str
    where: str


@dataclass(frozen=True)
class Waits:
    """Something that waits for the owner, in words, and its page."""

    words: str
    where: str


@dataclass(frozen=True)
class Morning:
    """The page of a digest. `finds` are the best three, `rest` the others; only the newest has what waits now."""

    digest: Digest
    finds: list[Thought]
    rest: list[Thought]
    number: Number | None
    waits: list[Waits]

    @property
    def as_text(self) -> str:
        """Return the page as plain text with whole addresses, to be shared or mailed."""
        day = formats.date_format(self.digest.day, "l, j F Y")
        finds = [f"• {find.title}\n  {link_to('thought', find.pk)}" for find in self.finds]
        more = [f"and {len(self.rest)} more: {link_to('feed')}"] if self.rest else []
        number = [f"{self.number.value}: {self.number.meaning}"] if self.number else []
        waits = [f"Waits for you: {'; '.join(row.words for row in self.waits)}"] if self.waits else []
        return "\n\n".join([day, *finds, *more, *number, *waits])


def morning(now: datetime, day: date | None = None) -> Morning | None:
    """Return the page of a day's digest, or of the newest; None if there is none."""
    newest = Digest.objects.aggregate(newest=Max("day"))["newest"]
    claims = Prefetch(
        "claims", Claim.objects.select_related("page").defer("page__text", "page__links", "page__metadata")
    )
    best = Thought.objects.filter(hidden_at=None).order_by("-stands_at", "-id").prefetch_related(claims)
    rows = Digest.objects.prefetch_related(Prefetch("thoughts", best))
    digest = rows.filter(day=day or newest).first()
    if digest is None:
        return None
    thoughts = list(digest.thoughts.all())
    waits = what_waits(now) if digest.day == newest else []
    return Morning(digest, thoughts[:FINDS], thoughts[FINDS:], _number(digest), waits)


def earlier_days(digest: Digest) -> list[date]:
    return list(Digest.objects.exclude(pk=digest.pk).values_list("day", flat=True)[:EARLIER])


def what_waits(now: datetime) -> list[Waits]:
    """Return what waits for the owner now, questions first."""
    counts = [
        (len(waiting_questions(now)), "question{s}", reverse("activity")),
        (Memory.objects.proposed().count(), "passage{s} to remember", f"{reverse('memories')}#proposed"),
        (Candidate.objects.open().count(), "suggestion{s}", reverse("suggestions")),
    ]
    return [Waits(f"{count} {words.format(s=pluralize(count))}", where) for count, words, where in counts if count]


def _number(digest: Digest) -> Number | None:
    """Return the price that a watch reported in the day before the digest, or else the pages of that day."""
    reports = Observation.objects.filter(
        thought__isnull=False, price__gt=0, at__gt=digest.sent_at - DAY, at__lte=digest.sent_at, watch__deleted_at=None
    )
    visit = reports.select_related("watch").order_by("-at").first()
    if visit is not None:
        before = visit.watch.observations.filter(price__gt=0, currency=visit.currency).order_by("at").first()
        assert visit.price
        change = (visit.price - before.price) / before.price if before and before.price else 0
        since = f", {percent_text(float(change))} since you watch" if change else ""
        meaning = f"{visit.watch.short_name}{since}"
        return Number(money_text(visit.price, visit.currency), meaning, reverse("watch", args=[visit.watch_id]))
    row = Day.objects.filter(day=localtime(digest.sent_at).date()).first()
    if row is None or not row.pages:
        return None
    return Number(f"{row.pages:,}", f"page{pluralize(row.pages)} read for you that day", reverse("runs"))
