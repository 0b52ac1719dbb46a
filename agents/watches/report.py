"""How the owner is told what a watch saw: a thought, whose sentences are the page's own words, each with its span."""

from collections.abc import Iterator
from dataclasses import dataclass

from thoughts.models import Claim, Page, Thought
from thoughts.models.watches import Observation, SeenItem, Watch, money
from thoughts.rendering import escape_markdown, render_inline, render_safe
from thoughts.text.labels import OWNER, PENNY, union
from thoughts.text.plain_words import is_plain
from thoughts.watches.changes import Verdict

ITEMS_TOLD = 12
TITLE_MAX, NAME_MAX, LINE_MAX = 200, 100, 280


@dataclass(frozen=True)
class Said:
    """One sentence of an alert, and where the page says so."""

    text: str
    start: int
    end: int


def tell(watch: Watch, seen: Observation, verdict: Verdict) -> Thought:
    """Store and return the thought that says what a visit saw. What no span supports is in its title alone, and in the
    visit.
    """
    said = [] if "shape" in verdict.told else list(_said(watch, seen, verdict))
    text = "\n\n".join(escape_markdown(each.text) for each in said)
    thought = Thought.objects.create(
        title=_title(watch, seen, verdict)[:TITLE_MAX],
        text=text,
        html=render_safe(text, []),
        sentences=[
            {"html": render_inline(escape_markdown(each.text)), "paragraph": number, "claims": [number + 1]}
            for number, each in enumerate(said)
        ],
        watch=watch,
        seed_text=watch.own_name[:300],
        origin=union((OWNER, PENNY), watch.origin, seen.page.origin),
    )
    thought.pages.set([seen.page])
    Claim.objects.bulk_create([_claim(thought, seen.page, each) for each in said])
    return thought


def _title(watch: Watch, seen: Observation, verdict: Verdict) -> str:
    name = _name(watch)
    if "shape" in verdict.told:
        lost = {"price": "the price" if watch.below is not None else "whether it is in stock"}.get(
            watch.kind, "the posts that I knew"
        )
        return f"{name}: I no longer find {lost}. The page may have changed its shape"
    if "items" in verdict.told:
        count = len(verdict.items)
        return f"{name}: {count} new post{'s' if count > 1 else ''}"
    news = (
        [f"now {money(seen.price, seen.currency)}, below {money(watch.below, watch.currency)}"]
        if "below" in verdict.told
        else []
    )
    if "back" in verdict.told:
        news.append(
            "back in stock" if news or seen.price is None else f"back in stock, {money(seen.price, seen.currency)}"
        )
    return f"{name}: {' and '.join(news)}"


def _name(watch: Watch) -> str:
    """Return what the owner calls it, or the page itself, as far as that is plain words."""
    name = watch.label or (watch.title if is_plain(watch.title) else watch.domain)
    return name if len(name) <= NAME_MAX else f"{name[: NAME_MAX - 1]}…"


def _said(watch: Watch, seen: Observation, verdict: Verdict) -> Iterator[Said]:
    """Yield what the page says: the new posts, or the line with the price, or at least the line that names the
    product.
    """
    if verdict.items:
        found = (_span(item, seen.page.text) for item in verdict.items)
        yield from [each for each in found if each][:ITEMS_TOLD]
        return
    place = _line(seen.page.text, seen.start, seen.end) if seen.quote else None
    if place is None:
        place = next((line for line in _lines(seen.page) if line), None)
    if place is not None:
        yield place


def _span(item: SeenItem, text: str) -> Said | None:
    words = item.text[:LINE_MAX]
    start = text.find(words)
    return Said(words, start, start + len(words)) if start >= 0 and is_plain(words) else None


def _line(text: str, start: int, end: int) -> Said | None:
    """Return the line around a span, cut to what a claim may hold, or the span alone."""
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    last = len(text) if last < 0 else last
    first, last = max(first, end - LINE_MAX), min(last, start + LINE_MAX)
    for begin, stop in ((first, last), (start, end)):
        words = text[begin:stop]
        inner = begin + len(words) - len(words.lstrip())
        if is_plain(words) and len(words.strip()) <= LINE_MAX:
            return Said(words.strip(), inner, inner + len(words.strip()))
    return None


def _lines(page: Page) -> Iterator[Said | None]:
    """Yield the page's first lines: where the price stands in its data alone, they say at least what it is about."""
    start = 0
    for line in page.text.splitlines(keepends=True)[:20]:
        if line.strip():
            yield _line(page.text, start, start + len(line.rstrip("\n")[:LINE_MAX]))
        start += len(line)


def _claim(thought: Thought, page: Page, said: Said) -> Claim:
    quote = page.text[said.start : said.end]
    assert quote == said.text
    return Claim(thought=thought, page=page, text=said.text, quote=quote, start=said.start, end=said.end)
