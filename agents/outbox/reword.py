"""What goes over a line of somebody else's is never a page's own words: at most twelve of them in a row.

Longer passages are said by the writer in other words, once; without a model, or where that did not help, the site's
name stands in their place with the link to Penny's own page that the line had, or else the one of the thought or the
feed. Pages that nobody can look at any more count as repeated; a file of the owner's is no page.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import structlog
from constance.utils import get_values
from django.conf import settings
from django.db.models import Q
from markdown_it import MarkdownIt

from agents.answers import handed_over
from agents.llm.messages import ModelFailed
from agents.llm.providers import Endpoint
from agents.models import Run, Step
from agents.runs.ask_model import ask_recorded
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.zones.inputs import Private, Untrusted
from agents.zones.writer import HANDED_OVER, writer_request
from devices.channels.verbatim import Span, shared
from devices.db import in_db
from devices.models import Message
from devices.web.links import link_to
from thoughts.models import Page, Thought
from thoughts.rendering import escape_markdown
from thoughts.text.addresses import drop_addresses
from thoughts.text.cleaning import clean_text
from thoughts.text.labels import ATTACHMENT

PAGES_MAX = 60  # the newest of the sites whose words are in a message, besides those that it rests on
OTHERWISE = Private(
    "Say what was handed over in your own words, much shorter, in its language and in plain sentences, "
    "of a list a line for each line. "
    "Never use more than five of its words in a row, and name no source."
)
_markdown = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
_ANSWER = re.compile(r"\ba(\d{1,18})\b")
_THOUGHT = re.compile(
    r"/thoughts/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/"
)  # by its address: a list links what it names
_ADDRESS = re.compile(r"\]\(([^()\s]*)\)")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]*\)")
log = structlog.get_logger("penny.relaying")


class Snapshot(NamedTuple):
    """Words of others. `site`: whose they are, empty where nobody noted it."""

    site: str
    text: str


async def relayable(message: Message) -> str:
    """Return the Markdown of a message as it may leave Penny's own devices."""
    if not sites_in(message):
        return message.text
    seen = await in_db(snapshots)(message)
    if not seen:
        return _instead(message)
    spans = await _shared(_plain(message.text), seen)
    if not spans:
        return message.text
    text = await _reworded(message, spans, seen)
    return _instead(message) if await _shared(_plain(text), seen) else text


async def _shared(text: str, seen: list[Snapshot]) -> dict[str, list[Span]]:
    """Return by their sites the passages that are not Penny's own. Looks beside the loop: there may be megabytes of
    pages.
    """
    return await asyncio.to_thread(_by_site, text, seen)


def _by_site(text: str, seen: list[Snapshot]) -> dict[str, list[Span]]:
    of_site = defaultdict[str, list[str]](list)
    for each in seen:
        of_site[each.site].append(each.text)
    found = {site: shared(text, texts) for site, texts in of_site.items()}
    return {site: spans for site, spans in found.items() if spans}


def sites_in(message: Message) -> list[str]:
    """Return whose words are in a message besides the owner's: what stands in a file that they sent is theirs to
    have.
    """
    return [site for site in message.sites if site != ATTACHMENT]


def snapshots(message: Message) -> list[Snapshot]:
    """Return the words of others that a message may have its own from: of pages, and what its writer was handed of
    pages not stored.
    """
    return [*_pages(message), *_handed(message)]


def _pages(message: Message) -> list[Snapshot]:
    thoughts = [*_THOUGHT.findall(message.text), *([message.thought_id] if message.thought_id else [])]
    named = Q(messages=message) | Q(messageclaims__message=message) | Q(thoughts__in=thoughts)
    sources = Page.objects.filter(named).distinct()
    of_sites = Page.objects.filter(domain__in=sites_in(message)).order_by("-fetched_at")[:PAGES_MAX]
    found = {page.pk: page for page in [*sources, *of_sites]}
    return _words_of(found.values())


def _words_of(pages: Iterable[Page]) -> list[Snapshot]:
    return [Snapshot(page.domain, part) for page in pages for part in (page.text, page.title)]


def _handed(message: Message) -> list[Snapshot]:
    """Return what the writer of a message was handed that is no page of ours: what tools saw of pages.

    What Penny said earlier may be said again; the words that this had from others count instead of it.
    """
    run = _run_of(message)
    if run is None:
        return []
    found = list[Snapshot]()
    for text in _blocks(run):
        if (earlier := _earlier_answer(run, text)) is not None:
            found += snapshots(earlier)
        elif (thought := _thought(text)) is not None:
            found += _words_of(thought.pages.all())
        else:
            found.append(Snapshot("", text))
    return found


def _blocks(run: Run) -> Iterator[str]:
    """Yield what was handed over to the writer, as its requests were recorded. Words that look like another block make
    two of one.
    """
    for request in Step.objects.filter(run=run, zone="writer").values_list("request", flat=True):
        for turn in request.get("turns", ()):
            yield from str(turn.get("text", "")).split(HANDED_OVER)[1:]


def _earlier_answer(run: Run, text: str) -> Message | None:
    asked = run.message
    if asked is None:
        return None
    handles = Step.objects.filter(run=run, name="hand_over").values_list("request__arguments", flat=True)
    named = [int(seq) for arguments in handles for seq in _ANSWER.findall(str(arguments))]
    before = Message.objects.filter(owner=asked.owner_id, seq__lt=asked.seq, direction=Message.Direction.OUT)
    rows = before.filter(Q(seq__in=named) | Q(pk=asked.parent_id))
    return next((row for row in rows if handed_over.words_of(row).text.strip() == text.strip()), None)


def _thought(text: str) -> Thought | None:
    rows = Thought.objects.filter(title=text.partition("\n")[0])
    return next((row for row in rows if handed_over.words_of_thought(row).text.strip() == text.strip()), None)


async def _reworded(message: Message, spans: dict[str, list[Span]], seen: list[Snapshot]) -> str:
    """Return a message in which every line that repeats a page is said otherwise, or gives way to where it stands."""
    lines = message.text.split("\n")
    repeated = _lines_of(lines, spans)
    said = await _otherwise(message, "\n".join(lines[at] for at in repeated)) if settings.MODEL else ""
    if said and await _shared(_plain(said), seen):
        said = ""
    instead = _in_place([lines[at] for at in repeated], said) or [
        _pointer(message, lines[at], sites) for at, sites in repeated.items()
    ]
    for at, words in zip(repeated, instead, strict=True):
        lines[at] = words
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_once(lines, repeated))).strip()


def _lines_of(lines: list[str], spans: dict[str, list[Span]]) -> dict[int, list[str]]:
    """Return the numbers of the lines that passages of the plain text touch, with whose words those are: what is plain
    has as many lines as what is Markdown.
    """
    found, start = dict[int, list[str]](), 0
    for at, line in enumerate(lines):
        end = start + len(_plain(line))
        if sites := [
            site for site, of_it in spans.items() if any(span.start < end and span.end > start for span in of_it)
        ]:
            found[at] = sites
        start = end + 1
    return found


def _in_place(lines: list[str], said: str) -> list[str]:
    """Return the writer's words for some lines; none where it gave none, or of a list not one line for each.

    In a list each stands by its own link, and anything else is one passage, which stands where the first of its lines
    stood.
    """
    if not said or not all(line.startswith("- ") and _own_link(line) for line in lines):
        return [said, *[""] * (len(lines) - 1)] if said else []
    each = [words.removeprefix("- ").strip() for words in said.split("\n") if words.strip()]
    if len(each) != len(lines):
        return []
    return [f"- [{escape_markdown(words)}]({_own_link(line)})" for line, words in zip(lines, each, strict=True)]


def _own_link(line: str) -> str:
    """Return the address of Penny's own page that a line links first."""
    home = link_to("feed")
    return next((address for address in _ADDRESS.findall(line) if address.startswith(home)), "")


def _once(lines: list[str], instead: Iterable[int]) -> list[str]:
    """Return the lines; of those that stand for others and say the same, the first."""
    first = dict[str, int]()
    for at in instead:
        first.setdefault(lines[at], at)
    again = {at for at in instead if first[lines[at]] != at}
    return ["" if at in again else line for at, line in enumerate(lines)]


def _plain(text: str) -> str:
    """Return what a reader sees of Markdown, line for line: a mark within a word, or a character that nobody sees,
    hides no word.
    """
    return clean_text("\n".join(map(_seen, text.split("\n"))))


def _seen(line: str) -> str:
    named = _LINK.sub(lambda link: "" if link[1].isdigit() else link[1], line)
    return "".join(token.content for inline in _markdown.parseInline(named) for token in inline.children or [])


async def _otherwise(message: Message, passage: str) -> str:
    """Have the writer say a passage in other words; nothing where it cannot."""
    endpoint: Endpoint | None = settings.MODEL
    run = await in_db(_run_of)(message)
    if run is None or endpoint is None:
        return ""
    repeated = Untrusted(drop_addresses(_plain(passage)), frozenset(message.origin))
    context = Context(run, "planner", Handles([]), "", True, await in_db(get_values)())
    context.budget.leave_last_words()
    try:
        answer = await ask_recorded(context, endpoint, writer_request(OTHERWISE, None, [], [repeated]))
    except (ModelFailed, BudgetSpent) as error:
        log.info("relaying.not_reworded", code=getattr(error, "code", ""))
        return ""
    return drop_addresses(answer.text).strip()


def _run_of(message: Message) -> Run | None:
    """Return the run that a message came from."""
    found = Q(answer=message)
    if message.turn_id:
        found |= Q(turn_id=message.turn_id)
    if message.thought_id:
        found |= Q(thought=message.thought_id)
    return Run.objects.filter(found).first()


def _pointer(message: Message, line: str, sites: list[str]) -> str:
    """Return what stands for a line: whose words it had, and where the owner reads them."""
    whose = [site for site in sites if site] or sites_in(message)
    where = _own_link(line) or link_to(*(("thought", message.thought_id) if message.thought_id else ("feed",)))
    return f"{'- ' if line.startswith('- ') else ''}From {', '.join(whose)}: {where}"


def _instead(message: Message) -> str:
    """Return what stands for a whole message that may not leave."""
    where = link_to("thought", message.thought_id) if message.thought_id else link_to("chat")
    return f"I found something on {', '.join(sites_in(message))}. It is here: {where}"
