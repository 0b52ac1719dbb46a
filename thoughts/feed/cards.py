"""Build the contexts of the feed's pages and of their fragments."""

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
from thoughts.models import Claim, Page, Preference, Thought, ThoughtQuerySet
from thoughts.rendering import plain
from thoughts.taste.reasons import Explained, explained
from thoughts.text.addresses import of_the_web
from thoughts.text.labels import foreign
from thoughts.text.language import language_of
from thoughts.text.moments import moment_of, moment_url, moment_words

Cursor = tuple[datetime, uuid.UUID]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SOURCES_OFFERED = 60
SIMILAR_MOST = 50
PAGE_FIELDS = ("url", "domain", "title", "fetched_at", "picture__sha256", "picture__width", "picture__height")


@dataclass(frozen=True)
class Source:
    """A page of a thought. `href` is empty if the address is not http(s). `moment`: of a passage of a transcript."""

    domain: str
    title: str
    href: str
    fetched_at: datetime
    page: int
    moment: str = ""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a thought, numbered from 1, with the numbers (from 1) of its claims."""

    number: int
    html: str
    claims: list[int]


@dataclass(frozen=True)
class Card:
    """A thought on the feed.

    `paragraphs` is empty if no sentences were stored with their claims.

    `supported`: how many of the `sentences` have a claim. `also_from`: domains of its labels without a stored page.
    `similar`: the count of unread thoughts folded beneath it. `language`: a code for the browser's hyphens, or "".
    """

    thought: Thought
    paragraphs: list[list[Sentence]]
    sources: list[Source]
    supported: int
    sentences: int
    also_from: list[str]
    similar: int = 0
    why: Explained | None = None
    language: str = ""

    @property
    def domains(self) -> list[str]:
        return [*(source.domain for source in self.sources), *self.also_from]


class View(StrEnum):
    """A list of the feed. The values are URL names."""

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
    """One keyset page of the feed.

    `older` is the cursor of the next page, empty on the last. `newest` is the cursor for fresh cards. `filter` holds
    the GET parameters of the filter, for links.
    """

    cards: list[Card]
    view: View
    older: str = ""
    newest: str = ""
    filter: str = ""
    has_preferences: bool = field(default=True)


def _is_ranked(view: View, by: Filter) -> bool:
    """Whether a page is ordered by points.

    Filtered pages, the archive and saved thoughts are ordered by time.
    """
    return view == View.NEW and not by and not by.newest


def write_cursor(thought: Thought, *, ranked: bool = False) -> str:
    return cursor_text(thought.stands_at or thought.created_at if ranked else thought.created_at, thought.pk)


def cursor_text(at: datetime, key: uuid.UUID) -> str:
    return f"{(at - EPOCH) // MICROSECOND}-{key.hex}"


def read_cursor(text: str) -> Cursor | None:
    """Parse a cursor from a link; None, the start, if it is malformed."""
    at, _, key = text.partition("-")
    try:
        return EPOCH + int(at) * MICROSECOND, uuid.UUID(hex=key)
    except (ValueError, OverflowError):
        return None


def page_size() -> int:
    return max(1, int(config.FEED_PAGE_SIZE))


def feed_page(view: View, by: Filter, before: str = "") -> FeedPage:
    size, ranked = page_size(), _is_ranked(view, by)
    # One extra row shows whether an older page exists.
    rows = list(light(_older(view, by, read_cursor(before), ranked=ranked))[: size + 1])
    thoughts = rows[:size]
    return FeedPage(
        cards=_cards(thoughts, folded=view == View.NEW and not by.is_search),
        view=view,
        older=write_cursor(thoughts[-1], ranked=ranked) if len(rows) > size else "",
        newest=_newest(thoughts, ranked=ranked),
        filter=by.in_address,
        has_preferences=bool(thoughts) or Preference.objects.filter(valence=Preference.Valence.LIKE).exists(),
    )


def _filtered_rows(view: View, by: Filter, behind: Cursor | None = None) -> ThoughtQuerySet:
    """Return the filtered rows of a view. Similar new thoughts are folded, except in a search."""
    rows = view.rows()
    if view == View.NEW and not by.is_search:
        # A thought that the filter hides must not fold one that it shows.
        rows = rows.unfolded(by.preference, by.begin(timezone.now()))
    return narrowed(rows, by, behind)


def _older(view: View, by: Filter, cursor: Cursor | None, *, ranked: bool) -> ThoughtQuerySet:
    """Return the rows after the cursor.

    A search is in the order of the index of words, everything else by (rank or time, id).
    """
    if by.is_search:
        return _filtered_rows(view, by, cursor)
    return _filtered_rows(view, by).before(cursor, "stands_at" if ranked else "created_at")


def _newest(thoughts: list[Thought], *, ranked: bool) -> str:
    """Return the cursor after which arriving thoughts count as fresh."""
    if ranked and thoughts:
        return write_cursor(Thought.objects.unread().only("created_at").order_by("-created_at", "-id")[0])
    return write_cursor(thoughts[0]) if thoughts else cursor_text(timezone.now(), uuid.UUID(int=0))


def _cards(thoughts: list[Thought], *, folded: bool) -> list[Card]:
    groups = {thought.alike for thought in thoughts if thought.alike} if folded else set()
    counts = (
        dict(Thought.objects.unread().filter(alike__in=groups).values_list("alike").annotate(Count("pk")))
        if groups
        else {}
    )
    days = config.DAYS_PER_POINT
    return [replace(card(thought, days), similar=counts.get(thought.alike, 1) - 1) for thought in thoughts]


def by_meaning(view: View, by: Filter, closeness: dict[uuid.UUID, float]) -> FeedPage:
    """Return the nearest of these thoughts that pass the filter, without those that words find."""
    near = view.rows().filter(pk__in=closeness)  # few rows: the filter need not search all thoughts with the words
    word_hits = set(narrowed(near, by).values_list("pk", flat=True))
    rows = light(narrowed(near.exclude(pk__in=word_hits), replace(by, words="")))
    nearest = sorted(rows, key=lambda thought: -closeness[thought.pk])[: page_size()]
    return FeedPage(_cards(nearest, folded=False), view, filter=by.in_address)


def similar(thought: Thought) -> FeedPage:
    """Return the unread thoughts that are folded beneath a thought."""
    rows = (
        Thought.objects.unread().filter(alike=thought.alike).exclude(pk=thought.pk)
        if thought.alike
        else Thought.objects.none()
    )
    thoughts = list(light(rows.order_by("-stands_at", "-id"))[:SIMILAR_MOST])
    return FeedPage(_cards(thoughts, folded=False), View.NEW)


def fresh_rows(by: Filter, after: str) -> ThoughtQuerySet:
    cursor = read_cursor(after)
    rows = _filtered_rows(View.NEW, by)
    return rows.filter(created_at__gt=cursor[0]) if cursor else rows.none()


def fresh_cards(by: Filter, after: str) -> FeedPage:
    """Return the cards to put on top of a page, with the new cursor.

    At most one page of cards: the rest needs a reload.
    """
    rows = fresh_rows(by, after)
    thoughts = list(light(rows if by.is_search else rows.before(None))[: page_size()])
    cards = _cards(thoughts, folded=not by.is_search)
    return FeedPage(cards, View.NEW, newest=write_cursor(thoughts[0]) if thoughts else after, filter=by.in_address)


def sources_offered() -> list[str]:
    """Return the domains of the latest cited pages, as suggestions of the source field."""
    pages = Page.objects.filter(Exists(Thought.pages.through.objects.filter(page=OuterRef("pk")))).order_by(
        "-fetched_at"
    )
    return sorted(set(pages.values_list("domain", flat=True)[:SOURCES_OFFERED]))


def card(thought: Thought, days_per_point: float | None = None) -> Card:
    """Build a card, with each source once. Callers that build several pass `days_per_point`."""
    sources = {page.domain: source_of(page) for page in thought.pages.all()}
    also_from = [domain for domain in foreign(thought.origin) if domain not in sources]
    why = explained(thought, timezone.now(), config.DAYS_PER_POINT if days_per_point is None else days_per_point)
    supported, sentences = _supported(thought)
    return Card(
        thought,
        _paragraphs(thought),
        list(sources.values()),
        supported,
        sentences,
        also_from,
        why=why,
        language=language_of(f"{thought.title} {thought.text}"),
    )


def _supported(thought: Thought) -> tuple[int, int]:
    """Return how many sentences have a claim, and how many there are.

    A thought without stored sentences counts its claims.
    """
    if not thought.sentences:
        return (len(thought.claims.all()),) * 2
    return sum(bool(sentence["claims"]) for sentence in thought.sentences), len(thought.sentences)


def _paragraphs(thought: Thought) -> list[list[Sentence]]:
    groups = groupby(enumerate(thought.sentences, 1), key=lambda numbered: numbered[1]["paragraph"])
    return [
        [Sentence(number, sentence["html"], sentence["claims"]) for number, sentence in group] for _, group in groups
    ]


def as_text(card: Card) -> str:
    sources = [f"- {source.title}: {source.href or source.domain}" for source in card.sources]
    return "\n\n".join([card.thought.title, plain(card.thought.html), "\n".join(sources)]).strip()


def light(rows: ThoughtQuerySet) -> ThoughtQuerySet:
    """Load only what cards need.

    Texts of pages and bytes of pictures are a thousand times larger.
    """
    pages = Page.objects.select_related("picture").only(*PAGE_FIELDS)
    return rows.select_related("preference").prefetch_related(
        Prefetch("pages", pages), Prefetch("claims", Claim.objects.only("thought_id"))
    )


def source_of(page: Page) -> Source:
    return Source(page.domain, page.title or page.domain, of_the_web(page.url), page.fetched_at, page.pk)


def source_at(page: Page, start: int) -> Source:
    """Return the source of a passage. In a transcript its address leads to the moment."""
    seconds = moment_of(page.text, start)
    if seconds is None:
        return source_of(page)
    return replace(source_of(page), href=moment_url(page.url, seconds), moment=moment_words(seconds))
