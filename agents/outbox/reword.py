"""Keep page text off external channels: at most twelve of a page's words in a row.

The writer rewords longer passages once. Without a model, or if rewording fails, the site's name replaces the passage.
It comes with the link to Penny's own page in that line, or else to the thought or the feed. If no page is left to
compare with, the whole message is replaced. A file of the owner's is no page.
"""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import structlog
from constance.utils import get_values
from django.db.models import Q

from agents.answers.conversation import handed_over
from agents.llm.messages import ModelFailed
from agents.model_choice.in_use import models_in_use
from agents.models import Run, Step
from agents.runs.ask_model import ask_recorded
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.zones.inputs import Private, Untrusted
from agents.zones.writer import HANDED_OVER, writer_request
from devices.channels.verbatim import Span, shared_passages
from devices.db import in_db
from devices.models import Message
from devices.web.links import link_to
from thoughts.markdown.bounds import has_too_many_marks
from thoughts.markdown.parser import markdown
from thoughts.models import Page, Thought
from thoughts.rendering import escape_markdown
from thoughts.text.addresses import drop_addresses
from thoughts.text.cleaning import clean_text
from thoughts.text.labels import ATTACHMENT
from thoughts.text.page_form import plain_view

PAGES_MAX = 60  # the newest pages of a message's sites, besides its sources
OTHERWISE = Private(
    "Say what was handed over in your own words, much shorter, in its language and in plain sentences, "
    "of a list a line for each line. "
    "Never use more than five of its words in a row, and name no source."
)
_ANSWER = re.compile(r"\ba(\d{1,18})\b")
# A list links the thoughts that it names.
_THOUGHT = re.compile(r"/thoughts/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/")
_ADDRESS = re.compile(r"\]\(([^()\s]*)\)")
_LINK = re.compile(r"\[([^\[\]\n]*)\]\([^()\s]*\)")
log = structlog.get_logger("penny.relaying")


class Snapshot(NamedTuple):
    """Text by others. `site`: its domain, empty if unknown."""

    site: str
    text: str


async def relayable(message: Message) -> str:
    if not sites_in(message):
        return message.text
    pages = await in_db(snapshots)(message)
    if not pages:
        return _message_pointer(message)
    spans = await _passages_by_site(message.text, pages)
    if not spans:
        return message.text
    text = await _reword_lines(message, spans, pages)
    return _message_pointer(message) if await _passages_by_site(text, pages) else text


async def _passages_by_site(text: str, pages: list[Snapshot]) -> dict[str, list[Span]]:
    """Return the passages from pages by site, from a thread: pages may be megabytes. Spans are of the plain text."""
    return await asyncio.to_thread(_find_passages, text, pages)


def _find_passages(words: str, pages: list[Snapshot]) -> dict[str, list[Span]]:
    text = _plain_text(words)
    of_site = defaultdict[str, list[str]](list)
    for page in pages:
        of_site[page.site].append(page.text)
    passages = {site: shared_passages(text, texts) for site, texts in of_site.items()}
    return {site: spans for site, spans in passages.items() if spans}


def sites_in(message: Message) -> list[str]:
    """Return the sites whose words are in a message; a file that the owner sent is none."""
    return [site for site in message.sites if site != ATTACHMENT]


def snapshots(message: Message) -> list[Snapshot]:
    return [*_pages_behind(message), *_texts_handed_over(message)]


def _pages_behind(message: Message) -> list[Snapshot]:
    thoughts = [*_THOUGHT.findall(message.text), *([message.thought_id] if message.thought_id else [])]
    query = Q(messages=message) | Q(messageclaims__message=message) | Q(thoughts__in=thoughts)
    sources = Page.objects.filter(query).distinct()
    of_sites = Page.objects.filter(domain__in=sites_in(message)).order_by("-fetched_at")[:PAGES_MAX]
    pages = {page.pk: page for page in [*sources, *of_sites]}
    return _words_of(pages.values())


def _words_of(pages: Iterable[Page]) -> list[Snapshot]:
    return [Snapshot(page.domain, part) for page in pages for part in (plain_view(page.text).text, page.title)]


def _texts_handed_over(message: Message) -> list[Snapshot]:
    """Return what the writer of a message was handed that is no stored page.

    Penny may repeat an earlier answer of hers; the texts behind that answer count instead.
    """
    run = _run_of(message)
    if run is None:
        return []
    texts = list[Snapshot]()
    for text in _blocks(run):
        if (earlier := _earlier_answer(run, text)) is not None:
            texts += snapshots(earlier)
        elif (thought := _thought_with(text)) is not None:
            texts += _words_of(thought.pages.all())
        else:
            texts.append(Snapshot("", text))
    return texts


def _blocks(run: Run) -> Iterator[str]:
    """Yield the blocks handed to the writer, from its recorded requests.

    Words that look like the header of a block split it in two.
    """
    for request in Step.objects.filter(run=run, zone="writer").values_list("request", flat=True):
        for turn in request.get("turns", ()):
            yield from str(turn.get("text", "")).split(HANDED_OVER)[1:]


def _earlier_answer(run: Run, text: str) -> Message | None:
    question = run.message
    if question is None:
        return None
    handles = Step.objects.filter(run=run, name="hand_over").values_list("request__arguments", flat=True)
    seqs = [int(seq) for arguments in handles for seq in _ANSWER.findall(str(arguments))]
    before = Message.objects.filter(owner=question.owner_id, seq__lt=question.seq, direction=Message.Direction.OUT)
    rows = before.filter(Q(seq__in=seqs) | Q(pk=question.parent_id))
    return next((row for row in rows if handed_over.message_material(row).text.strip() == text.strip()), None)


def _thought_with(text: str) -> Thought | None:
    rows = Thought.objects.filter(title=text.partition("\n")[0])
    return next((row for row in rows if handed_over.thought_material(row).text.strip() == text.strip()), None)


async def _reword_lines(message: Message, spans: dict[str, list[Span]], pages: list[Snapshot]) -> str:
    lines = message.text.split("\n")
    repeated = await asyncio.to_thread(_lines_of, lines, spans)
    wording = await _reword(message, "\n".join(lines[at] for at in repeated))
    if wording and await _passages_by_site(wording, pages):
        wording = ""
    instead = _in_place([lines[at] for at in repeated], wording) or [
        _line_pointer(message, lines[at], sites) for at, sites in repeated.items()
    ]
    for at, words in zip(repeated, instead, strict=True):
        lines[at] = words
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_without_repetitions(lines, repeated))).strip()


def _lines_of(lines: list[str], spans: dict[str, list[Span]]) -> dict[int, list[str]]:
    """Return the numbers of the lines that the spans touch, with the sites of each.

    Spans are places in the plain text, which has as many lines as the Markdown.
    """
    sites_by_line, start = dict[int, list[str]](), 0
    for at, line in enumerate(lines):
        end = start + len(_plain_text(line))
        if sites := [
            site for site, of_it in spans.items() if any(span.start < end and span.end > start for span in of_it)
        ]:
            sites_by_line[at] = sites
        start = end + 1
    return sites_by_line


def _in_place(lines: list[str], wording: str) -> list[str]:
    """Return the writer's words for each line; empty if it gave none that fit.

    In a list each line keeps its link, so one line is needed for each. Other text replaces the first line, and the rest
    become empty.
    """
    if not wording or not all(line.startswith("- ") and _own_link(line) for line in lines):
        return [wording, *[""] * (len(lines) - 1)] if wording else []
    items = [words.removeprefix("- ").strip() for words in wording.split("\n") if words.strip()]
    if len(items) != len(lines):
        return []
    return [f"- [{escape_markdown(words)}]({_own_link(line)})" for line, words in zip(lines, items, strict=True)]


def _own_link(line: str) -> str:
    """Return the address of Penny's own page that a line links first, empty for none."""
    home = link_to("feed")
    return next((address for address in _ADDRESS.findall(line) if address.startswith(home)), "")


def _without_repetitions(lines: list[str], instead: Iterable[int]) -> list[str]:
    first = dict[str, int]()
    for at in instead:
        first.setdefault(lines[at], at)
    again = {at for at in instead if first[lines[at]] != at}
    return ["" if at in again else line for at, line in enumerate(lines)]


def _plain_text(text: str) -> str:
    """Return Markdown as a reader sees it, line for line.

    Marks within a word and invisible characters hide no word.
    """
    return clean_text("\n".join(map(_visible_text, text.split("\n"))))


def _visible_text(line: str) -> str:
    text = _LINK.sub(lambda link: "" if link[1].isdigit() else link[1], line)
    if has_too_many_marks(text):
        return text  # as it is shown
    return "".join(token.content for inline in markdown().parseInline(text) for token in inline.children or [])


async def _reword(message: Message, passage: str) -> str:
    """Have the writer reword a passage; empty if it cannot."""
    models = await in_db(models_in_use)()
    run = await in_db(_run_of)(message) if models.main else None
    if run is None or models.main is None:
        return ""
    repeated = Untrusted(drop_addresses(await asyncio.to_thread(_plain_text, passage)), frozenset(message.origin))
    context = Context(run, "planner", Handles([]), "", models, await in_db(get_values)())
    context.budget.leave_last_words()
    try:
        answer = await ask_recorded(context, models.main, writer_request(OTHERWISE, None, [], [repeated]))
    except (ModelFailed, BudgetSpent) as error:
        log.info("relaying.not_reworded", code=getattr(error, "code", ""))
        return ""
    return drop_addresses(answer.text).strip()


def _run_of(message: Message) -> Run | None:
    query = Q(answer=message)
    if message.turn_id:
        query |= Q(turn_id=message.turn_id)
    if message.thought_id:
        query |= Q(thought=message.thought_id)
    return Run.objects.filter(query).first()


def _line_pointer(message: Message, line: str, sites: list[str]) -> str:
    whose = [site for site in sites if site] or sites_in(message)
    where = _own_link(line) or link_to(*(("thought", message.thought_id) if message.thought_id else ("feed",)))
    return f"{'- ' if line.startswith('- ') else ''}From {', '.join(whose)}: {where}"


def _message_pointer(message: Message) -> str:
    where = link_to("thought", message.thought_id) if message.thought_id else link_to("chat")
    return f"I found something on {', '.join(sites_in(message))}. It is here: {where}"
