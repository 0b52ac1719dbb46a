"""Write the thought that reports a visit: the page's own words, each with its span."""

from collections.abc import Iterator
from dataclasses import dataclass

from constance import config
from django.utils import timezone

from thoughts.models import Claim, Page, Thought
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.rendering import escape_markdown, render_inline, render_safe
from thoughts.taste import ranking
from thoughts.text.labels import OWNER, PENNY, union
from thoughts.text.numbers import money_text
from thoughts.text.page_form import plain_view
from thoughts.text.plain_words import is_plain
from thoughts.watches.changes import Verdict

ITEMS_TOLD = 12
TITLE_MAX, NAME_MAX, LINE_MAX = 200, 100, 280


@dataclass(frozen=True)
class Passage:
    """One sentence of a report, and where the page says it."""

    text: str
    start: int
    end: int


def store_report(watch: Watch, observation: Observation, verdict: Verdict) -> Thought:
    """Store and return the thought that reports a visit.

    What no span supports stands in its title and in the visit alone.
    """
    passages = [] if "shape" in verdict.reports else list(_report_passages(watch, observation, verdict))
    text = "\n\n".join(escape_markdown(passage.text) for passage in passages)
    thought = Thought.objects.create(
        title=_title(watch, observation, verdict)[:TITLE_MAX],
        text=text,
        html=render_safe(text, []),
        sentences=[
            {"html": render_inline(escape_markdown(passage.text)), "paragraph": number, "claims": [number + 1]}
            for number, passage in enumerate(passages)
        ],
        watch=watch,
        stands_at=ranking.place(timezone.now(), ranking.WATCH_WEIGHT, config.DAYS_PER_POINT),  # until the tick ranks it
        seed_text=watch.own_name[:300],
        origin=union((OWNER, PENNY), watch.origin, observation.page.origin),
    )
    thought.pages.set([observation.page])
    Claim.objects.bulk_create([_claim_of(thought, observation.page, passage) for passage in passages])
    return thought


def _title(watch: Watch, observation: Observation, verdict: Verdict) -> str:
    name = _watch_name(watch)
    if "shape" in verdict.reports:
        lost = {"price": "the price" if watch.below is not None else "whether it is in stock"}.get(
            watch.kind, "the posts that I knew"
        )
        return f"{name}: I no longer find {lost}. The page may have changed its shape"
    if "items" in verdict.reports:
        count = len(verdict.items)
        return f"{name}: {count} new post{'s' if count > 1 else ''}"
    news = (
        [f"now {money_text(observation.price, observation.currency)}, below {money_text(watch.below, watch.currency)}"]
        if "below" in verdict.reports
        else []
    )
    if "back" in verdict.reports:
        news.append(
            "back in stock"
            if news or observation.price is None
            else f"back in stock, {money_text(observation.price, observation.currency)}"
        )
    return f"{name}: {' and '.join(news)}"


def _watch_name(watch: Watch) -> str:
    """Return the owner's name for a watch, or its title if that is plain words, or its domain."""
    name = watch.label or (watch.title if is_plain(watch.title) else watch.domain)
    return name if len(name) <= NAME_MAX else f"{name[: NAME_MAX - 1]}…"


def _report_passages(watch: Watch, observation: Observation, verdict: Verdict) -> Iterator[Passage]:
    """Yield the new posts, or the line with the price, or at least a first line of the page."""
    page = plain_view(observation.page.text)
    if verdict.items:
        places = [place for item in verdict.items if (place := _place_of(item, page.text))][:ITEMS_TOLD]
    else:
        span = page.within(observation.start, observation.end)
        place = _line_around(page.text, *span) if observation.quote else None
        place = place or next((line for line in _first_lines(page.text) if line), None)
        places = [place] if place else []
    for start, end in places:
        yield Passage(page.text[start:end], *page.span(start, end))


def _place_of(item: SeenItem, text: str) -> tuple[int, int] | None:
    words = item.text[:LINE_MAX]
    start = text.find(words)
    return (start, start + len(words)) if start >= 0 and is_plain(words) else None


def _line_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of the line around a span, cut to the length of a claim, or the span alone."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = len(text) if last < 0 else last
    first, last = max(first, end - LINE_MAX), min(last, start + LINE_MAX)
    for begin, stop in ((first, last), (start, end)):
        words = text[begin:stop]
        inner = begin + len(words) - len(words.lstrip())
        if is_plain(words) and len(words.strip()) <= LINE_MAX:
            return inner, inner + len(words.strip())
    return None


def _first_lines(text: str) -> Iterator[tuple[int, int] | None]:
    """Yield the page's first lines, for a price that stands in the page's data alone."""
    start = 0
    for line in text.splitlines(keepends=True)[:20]:
        if line.strip():
            yield _line_around(text, start, start + len(line.rstrip("\n")[:LINE_MAX]))
        start += len(line)


def _claim_of(thought: Thought, page: Page, passage: Passage) -> Claim:
    quote = page.text[passage.start : passage.end]
    return Claim(thought=thought, page=page, text=passage.text, quote=quote, start=passage.start, end=passage.end)
