"""What the feed's pages and fragments show: one context per page, the same for the full page and for its fragment."""

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import groupby

from constance import config
from django.db.models import Count, Exists, OuterRef, Prefetch
from django.utils import timezone

from thoughts.feed.filter import Filter, narrowed
from thoughts.models import Claim, Page, Preference, Supported, Thought, ThoughtQuerySet
from thoughts.rendering import plain
from thoughts.taste.reasons import Explained, explained
from thoughts.text.addresses import of_the_web
from thoughts.text.labels import foreign

Cursor = tuple[datetime, uuid.UUID]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
AROUND_CHARACTERS = 160
SOURCES_OFFERED = 60
SIMILAR_MOST = 50
PAGE_FIELDS = ("url", "domain", "title", "fetched_at", "picture__sha256", "picture__width", "picture__height")


@dataclass(frozen=True)
class Source:
    """A page that a thought came from. `href` is empty where the address is not one that a link may lead to."""

    domain: str
    title: str
    href: str
    fetched_at: datetime


@dataclass(frozen=True)
class Evidence:
    """One claim with the words of the page around its quote."""

    claim: str
    before: str
    quote: str
    after: str
    source: Source


@dataclass(frozen=True)
class Snapshot:
    """A claim in the whole of the stored page. `is_intact`: the text has the checksum that it had when it was read, and
    the quote in it.
    """

    number: int
    count: int
    claim: str
    before: str
    quote: str
    after: str
    page: Page
    source: Source
    is_intact: bool


@dataclass(frozen=True)
class Sentence:
    """One sentence of a thought with the numbers (from 1) of the claims that support it."""

    html: str
    claims: list[int]


@dataclass(frozen=True)
class Card:
    """One thought on the feed, in `paragraphs` where it is known which claims support which sentence: `supported` of so
    many `sentences`.

    `also_from`: the domains among its labels of which no page is kept with it. `similar`: how many unread ones are
    folded beneath it.
    """

    thought: Thought
    paragraphs: list[list[Sentence]]
    sources: list[Source]
    supported: int
    sentences: int
    also_from: list[str]
    similar: int = 0
    why: Explained | None = None


class View(StrEnum):
    """Which thoughts a page of the feed shows. The values are the names of their addresses."""

    NEW = "feed"
    ARCHIVE = "archive"
    SAVED = "saved"

    def rows(self) -> ThoughtQuerySet:
        return _ROWS[self]()


_ROWS: dict[View, Callable[[], ThoughtQuerySet]] = {
    View.NEW: Thought.objects.unread,
    View.ARCHIVE: Thought.objects.archived,
    View.SAVED: Thought.objects.saved,
}


@dataclass(frozen=True)
class FeedPage:
    """One keyset page of the feed. `older` is the cursor of the next one, empty on the last; `newest` that of the first
    card.

    `filter` holds the GET parameters that it was narrowed down by, which its links carry on.
    """

    cards: list[Card]
    view: View
    older: str = ""
    newest: str = ""
    filter: str = ""
    has_preferences: bool = field(default=True)


def _is_ranked(view: View, by: Filter) -> bool:
    """Whether a page shows what is worth most first. What was narrowed down, the archive and what was saved go by
    time.
    """
    return view == View.NEW and not by and not by.newest


def write_cursor(thought: Thought, *, ranked: bool = False) -> str:
    return _cursor(thought.stands_at or thought.created_at if ranked else thought.created_at, thought.pk)


def _cursor(at: datetime, key: uuid.UUID) -> str:
    return f"{(at - EPOCH) // MICROSECOND}-{key.hex}"


def read_cursor(text: str) -> Cursor | None:
    """Return the place in the feed that a link names; None, the start, for one that was cut or made up."""
    at, _, key = text.partition("-")
    try:
        return EPOCH + int(at) * MICROSECOND, uuid.UUID(hex=key)
    except (ValueError, OverflowError):
        return None


def page_size() -> int:
    return max(1, int(config.FEED_PAGE_SIZE))


def feed_page(view: View, by: Filter, before: str = "") -> FeedPage:
    """Return the page of `view` that begins after the card of the cursor `before`, narrowed down by a filter."""
    size, ranked = page_size(), _is_ranked(view, by)
    # One row more than is shown tells whether there are older ones.
    found = list(_light(_older(view, by, read_cursor(before), ranked=ranked))[: size + 1])
    shown = found[:size]
    return FeedPage(
        cards=_cards(shown, folded=view == View.NEW and not by.is_search),
        view=view,
        older=write_cursor(shown[-1], ranked=ranked) if len(found) > size else "",
        newest=_newest(shown, ranked=ranked),
        filter=by.in_address,
        has_preferences=bool(shown) or Preference.objects.filter(valence=Preference.Valence.LIKE).exists(),
    )


def _shown(view: View, by: Filter, behind: Cursor | None = None) -> ThoughtQuerySet:
    """Return what of a view the filter leaves. Of new ones that are alike one is shown, but a search shows all that it
    finds.
    """
    rows = view.rows()
    if (
        view == View.NEW and not by.is_search
    ):  # of those that the filter lets through: what it hides stands above nothing
        rows = rows.unfolded(by.preference, by.begin(timezone.now()))
    return narrowed(rows, by, behind)


def _older(view: View, by: Filter, cursor: Cursor | None, *, ranked: bool) -> ThoughtQuerySet:
    """Return what comes after the cursor: in the order of the index of words where that answers, otherwise by (place or
    time, id).
    """
    if by.is_search:
        return _shown(view, by, cursor)
    return _shown(view, by).before(cursor, "stands_at" if ranked else "created_at")


def _newest(shown: list[Thought], *, ranked: bool) -> str:
    """Return the cursor behind which what arrives counts as fresh."""
    if ranked and shown:
        return write_cursor(Thought.objects.unread().only("created_at").order_by("-created_at", "-id")[0])
    return write_cursor(shown[0]) if shown else _cursor(timezone.now(), uuid.UUID(int=0))


def _cards(shown: list[Thought], *, folded: bool) -> list[Card]:
    groups = {thought.alike for thought in shown if thought.alike} if folded else set()
    counts = (
        dict(Thought.objects.unread().filter(alike__in=groups).values_list("alike").annotate(Count("pk")))
        if groups
        else {}
    )
    days = config.DAYS_PER_POINT
    return [replace(card(thought, days), similar=counts.get(thought.alike, 1) - 1) for thought in shown]


def by_meaning(view: View, by: Filter, closeness: dict[uuid.UUID, float]) -> FeedPage:
    """Return the nearest of these thoughts that the view and the rest of the filter let through and that the words
    alone do not find.
    """
    near = view.rows().filter(pk__in=closeness)  # these few first: then nobody goes through all that holds the words
    found = set(narrowed(near, by).values_list("pk", flat=True))
    rows = _light(narrowed(near.exclude(pk__in=found), replace(by, words="")))
    nearest = sorted(rows, key=lambda thought: -closeness[thought.pk])[: page_size()]
    return FeedPage(_cards(nearest, folded=False), view, filter=by.in_address)


def similar(thought: Thought) -> FeedPage:
    """Return the unread thoughts that are folded beneath one."""
    rows = (
        Thought.objects.unread().filter(alike=thought.alike).exclude(pk=thought.pk)
        if thought.alike
        else Thought.objects.none()
    )
    found = list(_light(rows.order_by("-stands_at", "-id"))[:SIMILAR_MOST])
    return FeedPage(_cards(found, folded=False), View.NEW)


def fresh_rows(by: Filter, after: str) -> ThoughtQuerySet:
    """Return the unread thoughts that are newer than the card on top of the page, as far as the filter of the page lets
    them through.
    """
    cursor = read_cursor(after)
    rows = _shown(View.NEW, by)
    return rows.filter(created_at__gt=cursor[0]) if cursor else rows.none()


def fresh_cards(by: Filter, after: str) -> FeedPage:
    """Return the cards to put on top of a page, and its new cursor. More of them than a page holds are left for a new
    page.
    """
    rows = fresh_rows(by, after)
    found = list(_light(rows if by.is_search else rows.before(None))[: page_size()])
    cards = _cards(found, folded=not by.is_search)
    return FeedPage(cards, View.NEW, newest=write_cursor(found[0]) if found else after, filter=by.in_address)


def sources_offered() -> list[str]:
    """Return the domains of the pages that thoughts cite, those read last, for the field that asks for one."""
    cited = Page.objects.filter(Exists(Thought.pages.through.objects.filter(page=OuterRef("pk")))).order_by(
        "-fetched_at"
    )
    return sorted(set(cited.values_list("domain", flat=True)[:SOURCES_OFFERED]))


def card(thought: Thought, days_per_point: float | None = None) -> Card:
    """Build a card; who builds several looks the setting up once. Sources are named once each, however many of their
    pages were read.
    """
    sources = {page.domain: _source(page) for page in thought.pages.all()}
    also_from = [domain for domain in foreign(thought.origin) if domain not in sources]
    why = explained(thought, timezone.now(), config.DAYS_PER_POINT if days_per_point is None else days_per_point)
    supported, sentences = _supported(thought)
    return Card(thought, _paragraphs(thought), list(sources.values()), supported, sentences, also_from, why=why)


def _supported(thought: Thought) -> tuple[int, int]:
    """Return how many sentences have a claim, and of how many. One of which no sentences were kept is counted by its
    claims.
    """
    if not thought.sentences:
        return (len(thought.claims.all()),) * 2
    return sum(bool(each["claims"]) for each in thought.sentences), len(thought.sentences)


def _paragraphs(thought: Thought) -> list[list[Sentence]]:
    groups = groupby(thought.sentences, key=lambda each: each["paragraph"])
    return [[Sentence(each["html"], each["claims"]) for each in group] for _, group in groups]


def evidence(thought: Thought) -> list[Evidence]:
    return [_evidence(claim) for claim in thought.claims.all()]


def snapshot(thought: Thought, number: int) -> Snapshot | None:
    """Return the claim of this number (from 1) with the page as it was read, for which nothing is asked of the web;
    None without one.
    """
    claims = list(thought.claims.values_list("pk", flat=True))
    if not 1 <= number <= len(claims):
        return None
    return snapshot_of(Claim.objects.select_related("page").get(pk=claims[number - 1]), number, len(claims))


def snapshot_of(claim: Supported, number: int, count: int) -> Snapshot:
    """Return a claim, of this number among so many, in the stored page."""
    page, text = claim.page, claim.page.text
    before, quote, after = text[: claim.start], text[claim.start : claim.end], text[claim.end :]
    is_intact = hashlib.sha256(text.encode()).hexdigest() == page.sha256 and quote == claim.quote
    return Snapshot(number, count, claim.text, before, quote, after, page, _source(page), is_intact)


def as_text(found: Card) -> str:
    """Return a thought for a message or a note: its title, its words, and where they are from."""
    sources = [f"- {source.title}: {source.href or source.domain}" for source in found.sources]
    return "\n\n".join([found.thought.title, plain(found.thought.html), "\n".join(sources)]).strip()


def _light(rows: ThoughtQuerySet) -> ThoughtQuerySet:
    """Read what a card needs, and not the texts of the pages nor the bytes of their pictures: they are a thousand times
    as long.
    """
    pages = Page.objects.select_related("picture").only(*PAGE_FIELDS)
    return rows.select_related("preference").prefetch_related(
        Prefetch("pages", pages), Prefetch("claims", Claim.objects.only("thought_id"))
    )


def _source(page: Page) -> Source:
    return Source(page.domain, page.title or page.domain, of_the_web(page.url), page.fetched_at)


def _evidence(claim: Claim) -> Evidence:
    text = claim.page.text
    start = max(0, claim.start - AROUND_CHARACTERS)
    before, after = text[start : claim.start], text[claim.end : claim.end + AROUND_CHARACTERS]
    if start:
        before = "… " + before.partition(" ")[2]
    if claim.end + AROUND_CHARACTERS < len(text):
        after = after.rpartition(" ")[0] + " …"
    return Evidence(claim.text, before, claim.quote, after, _source(claim.page))
