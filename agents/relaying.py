"""What goes over a line of somebody else's is never a page's own words: at most twelve of them in a row.

Longer passages are said by the writer in other words, once; without a model, or where that did not help, the site's name and a link to
Penny's own page stand in their place. Pages that nobody can look at any more count as repeated; a file of the owner's is no page.
"""

import asyncio
import re
from collections.abc import Iterator

import structlog
from constance.utils import get_values
from django.conf import settings
from django.db.models import Q
from markdown_it import MarkdownIt

from agents import handed
from agents.budgets import BudgetSpent
from agents.handles import Handles
from agents.llm import ModelFailed
from agents.models import Run, Step
from agents.permits import Context
from agents.providers import Endpoint
from agents.requests import ask_recorded
from agents.zones import HANDED_OVER, Private, Untrusted, writer_request
from devices.channels.verbatim import Span, shared
from devices.db import in_db
from devices.links import link_to
from devices.models import Message
from thoughts.addresses import drop_addresses
from thoughts.cleaning import clean_text
from thoughts.labels import ATTACHMENT
from thoughts.models import Page, Thought

PAGES_MAX = 60  # the newest of the sites whose words are in a message, besides those that it names
OTHERWISE = Private(
    "Say what was handed over in your own words, much shorter, in its language and in plain sentences. "
    "Never use more than five of its words in a row, and name no source."
)
_markdown = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
_ANSWER = re.compile(r"\ba(\d{1,18})\b")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]*\)")
log = structlog.get_logger("penny.relaying")


async def relayable(message: Message) -> str:
    """Return the Markdown of a message as it may leave Penny's own devices."""
    if not sites_in(message):
        return message.text
    pages = await in_db(snapshots)(message)
    if not pages:
        return _instead(message)
    spans = await _shared(_plain(message.text), pages)
    if not spans:
        return message.text
    text = await _reworded(message, spans, pages)
    return _instead(message) if await _shared(_plain(text), pages) else text


async def _shared(text: str, pages: list[str]) -> list[Span]:
    """Look beside the loop: there may be megabytes of pages."""
    return await asyncio.to_thread(lambda: shared(text, pages))


def sites_in(message: Message) -> list[str]:
    """Return whose words are in a message besides the owner's: what stands in a file that they sent is theirs to have."""
    return [site for site in message.sites if site != ATTACHMENT]


def snapshots(message: Message) -> list[str]:
    """Return the words of others that a message may have its own from: of pages, and what its writer was handed of pages not stored."""
    return [*_pages(message), *_handed(message)]


def _pages(message: Message) -> list[str]:
    named = Q(messages=message) | Q(messageclaims__message=message)
    if message.thought_id:
        named |= Q(thoughts=message.thought_id)
    sources = Page.objects.filter(named).distinct()
    of_sites = Page.objects.filter(domain__in=sites_in(message)).order_by("-fetched_at")[:PAGES_MAX]
    found = {page.pk: page for page in [*sources, *of_sites]}
    return [part for page in found.values() for part in (page.text, page.title)]


def _handed(message: Message) -> list[str]:
    """Return what the writer of a message was handed that is no page of ours: what tools saw of pages.

    What Penny said earlier may be said again; the words that this had from others count instead of it.
    """
    run = _run_of(message)
    if run is None:
        return []
    found = list[str]()
    for text in _blocks(run):
        if (earlier := _earlier_answer(run, text)) is not None:
            found += snapshots(earlier)
        elif (thought := _thought(text)) is not None:
            found += [page.text for page in thought.pages.all()]
        else:
            found.append(text)
    return found


def _blocks(run: Run) -> Iterator[str]:
    """Yield what was handed over to the writer, as its requests were recorded. Words that look like another block make two of one."""
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
    return next((row for row in rows if handed.words_of(row).text.strip() == text.strip()), None)


def _thought(text: str) -> Thought | None:
    rows = Thought.objects.filter(title=text.partition("\n")[0])
    return next((row for row in rows if handed.words_of_thought(row).text.strip() == text.strip()), None)


async def _reworded(message: Message, spans: list[Span], pages: list[str]) -> str:
    """Return a message in which every line that repeats a page is said otherwise, or gives way to where it stands."""
    lines = message.text.split("\n")
    repeated = _lines_of(lines, spans)
    said = await _otherwise(message, "\n".join(lines[at] for at in repeated)) if settings.MODEL else ""
    if said and await _shared(_plain(said), pages):
        said = ""
    kept = [(said or _pointer(message)) if at == repeated[0] else "" if at in repeated else line for at, line in enumerate(lines)]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _lines_of(lines: list[str], spans: list[Span]) -> list[int]:
    """Return the numbers of the lines that passages of the plain text touch: what is plain has as many lines as what is Markdown."""
    found, start = list[int](), 0
    for at, line in enumerate(lines):
        end = start + len(_plain(line))
        if any(span.start < end and span.end > start for span in spans):
            found.append(at)
        start = end + 1
    return found


def _plain(text: str) -> str:
    """Return what a reader sees of Markdown, line for line: a mark within a word, or a character that nobody sees, hides no word."""
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


def _pointer(message: Message) -> str:
    sites = ", ".join(sites_in(message))
    return f"From {sites}: {_page_of(message)}"


def _instead(message: Message) -> str:
    """Return what stands for a whole message that may not leave."""
    return f"I found something on {', '.join(sites_in(message))}. It is here: {_page_of(message)}"


def _page_of(message: Message) -> str:
    """Return where the owner reads it on Penny's own pages."""
    return link_to("thought", message.thought_id) if message.thought_id else link_to("chat")
