"""What the feed's pages and fragments show: one context per page, the same for the full page and for its fragment."""

import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from constance import config
from django.db.models import Prefetch

from thoughts.labels import foreign
from thoughts.models import Claim, Page, Preference, Thought, ThoughtQuerySet

Cursor = tuple[datetime, uuid.UUID]
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
AROUND_CHARACTERS = 160
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
class Card:
    """One thought on the feed. `also_from`: the domains among its labels of which no page is kept with it."""

    thought: Thought
    sources: list[Source]
    supported: int
    also_from: list[str]


@dataclass(frozen=True)
class FeedPage:
    """One keyset page of the feed. `older` is the cursor of the next one, empty on the last."""

    cards: list[Card]
    is_archive: bool
    older: str = ""
    newest: str = ""
    has_preferences: bool = field(default=True)


def write_cursor(thought: Thought) -> str:
    return f"{(thought.created_at - EPOCH) // MICROSECOND}-{thought.pk.hex}"


def read_cursor(text: str) -> Cursor | None:
    """Return the place in the feed that a link names; None, the start, for one that was cut or made up."""
    at, _, key = text.partition("-")
    try:
        return EPOCH + int(at) * MICROSECOND, uuid.UUID(hex=key)
    except (ValueError, OverflowError):
        return None


def feed_page(*, is_archive: bool, before: str = "") -> FeedPage:
    rows = Thought.objects.archived() if is_archive else Thought.objects.unread()
    size = max(1, int(config.FEED_PAGE_SIZE))
    # One row more than is shown tells whether there are older ones.
    found = list(_light(rows).before(read_cursor(before))[: size + 1])
    shown = found[:size]
    return FeedPage(
        cards=[card(thought) for thought in shown],
        is_archive=is_archive,
        older=write_cursor(shown[-1]) if len(found) > size else "",
        newest=write_cursor(shown[0]) if shown else "",
        has_preferences=bool(shown) or Preference.objects.exists(),
    )


def fresh_since(after: str) -> int:
    """Return how many unread thoughts are newer than the card on top of the page."""
    cursor = read_cursor(after)
    return Thought.objects.unread().filter(created_at__gt=cursor[0]).count() if cursor else 0


def card(thought: Thought) -> Card:
    """Build a card. Sources are named once each, however many of their pages were read."""
    sources = {page.domain: _source(page) for page in thought.pages.all()}
    also_from = [domain for domain in foreign(thought.origin) if domain not in sources]
    return Card(thought, list(sources.values()), len(thought.claims.all()), also_from)


def evidence(thought: Thought) -> list[Evidence]:
    return [_evidence(claim) for claim in thought.claims.all()]


def _light(rows: ThoughtQuerySet) -> ThoughtQuerySet:
    """Read what a card needs, and not the texts of the pages nor the bytes of their pictures: they are a thousand times as long."""
    pages = Page.objects.select_related("picture").only(*PAGE_FIELDS)
    return rows.select_related("preference").prefetch_related(
        Prefetch("pages", pages), Prefetch("claims", Claim.objects.only("thought_id"))
    )


def _is_web(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:  # no address at all, such as "https://[x]/": one page must not keep the others from being shown
        return False


def _source(page: Page) -> Source:
    href = page.url if _is_web(page.url) else ""
    return Source(page.domain, page.title or page.domain, href, page.fetched_at)


def _evidence(claim: Claim) -> Evidence:
    text = claim.page.text
    start = max(0, claim.start - AROUND_CHARACTERS)
    before, after = text[start : claim.start], text[claim.end : claim.end + AROUND_CHARACTERS]
    if start:
        before = "… " + before.partition(" ")[2]
    if claim.end + AROUND_CHARACTERS < len(text):
        after = after.rpartition(" ")[0] + " …"
    return Evidence(claim.text, before, claim.quote, after, _source(claim.page))
