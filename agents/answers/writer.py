"""The last request of a turn (the writer), and the extractive answer instead of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from django.utils.text import get_text_list

from agents.answers.citations import Links, cite_uncited, link_handles
from agents.answers.reply import Reply
from agents.llm import messages
from agents.llm.providers import Endpoint
from agents.runs.context import Context
from agents.runs.fit import ask_fitting
from agents.runs.handles import Handles
from agents.runs.stream import Stream
from agents.zones.fit import fitting_writer_request
from agents.zones.inputs import Private, Source
from thoughts.rendering import escape_markdown as escape_markdown
from thoughts.text.addresses import drop_addresses
from thoughts.text.labels import HOUSE
from thoughts.text.page_form import without_numbers
from thoughts.text.search_words import words_of

CLAIMS_EACH, CLAIMS_MANY = {1: 5, 2: 3}, 2  # of the pages of a search, by their number


async def write_answer(context: Context, endpoint: Endpoint, brief: str, stream: Stream) -> Reply:
    """Have the writer answer from all that was read. Raises ModelFailed, BudgetSpent."""
    handles = context.handles
    parts = (Private(context.question), Private(brief) if brief else None, handles.sources, handles.for_writer)
    build = partial(fitting_writer_request, *parts)
    answer = await ask_fitting(context, endpoint, build, stream.delta, stream.withdraw_to_here())
    return with_sources(answer, handles)


def with_sources(answer: messages.Answer, handles: Handles) -> Reply:
    return with_links(cite_uncited(answer.text, handles), handles)


def with_links(text: str, handles: Handles) -> Reply:
    """Return text that may be incomplete, with the labels of everything that the writer saw."""
    markdown = link_handles(drop_addresses(without_numbers(text)), handles)
    return Reply(markdown.text, markdown.links, sorted(handles.origin | HOUSE), claims=markdown.claims)


def extractive_reply(question: str, handles: Handles, failures: list[str], *, is_search: bool = False) -> Reply:
    """Quote what was read. Of the results of a search only those that answer are quoted, each shortly."""
    links, sources = Links(handles), handles.sources
    if is_search and sources:
        sources = [source for source in sources if source.reading.found]
        failures = failures if sources else [_no_answer_on(handles.sources, links), *failures]
    most = CLAIMS_EACH.get(len(sources), CLAIMS_MANY) if is_search else None
    parts = [
        _extract(_shortened(source, question, most), links, handles.kept_days.get(source.handle)) for source in sources
    ]
    text = "\n\n".join([*parts, *failures])
    return Reply(text, links.urls, sorted(handles.origin | HOUSE), is_extractive=True, claims=links.claims)


def _no_answer_on(sources: Sequence[Source], links: Links) -> str:
    pages = get_text_list([links.page(source.handle) or source.domain for source in sources], "and")
    return f"I read {pages}, and found no answer there. Ask in other words, or send me an address to read."


def _shortened(source: Source, question: str, most: int | None) -> Source:
    """Return a source with the claims that hold most of the question's words, in their order."""
    words = {*words_of(question)}
    ranked = sorted(source.reading.claims, key=lambda claim: -len(words & {*words_of(claim.text)}))[:most]
    claims = [claim for claim in source.reading.claims if claim in ranked]
    return replace(source, reading=source.reading.model_copy(update={"claims": claims}))


def _extract(source: Source, links: Links, day: date | None) -> str:
    """Return the claims of a source. `day`: when the owner kept it."""
    reading = source.reading
    link = links.page(source.handle)
    if not reading.claims:
        return f"I opened {link} and found no sentences there that answer you."
    if day:
        head = f"From {link or source.domain}, kept on {day:%-d %B %Y}:"
    else:
        head = f"From {link}:" if reading.found else f"{link} does not seem to answer this. It says:"
    lines = [
        f"- {escape_markdown(claim.text)} {links.evidence(source.handle, claim)}".rstrip() for claim in reading.claims
    ]
    return head + "\n\n" + "\n".join(lines)
