"""The end of a turn: the writer's words with their sources, or the extractive answer where no model is set."""

import re
from dataclasses import dataclass

from agents import llm
from agents.budgets import BudgetSpent
from agents.handles import Handles
from agents.permits import Context
from agents.providers import Endpoint
from agents.requests import ask_recorded
from agents.streaming import Stream
from agents.zones import Private, Source, writer_request
from devices.hosts import url_to_store
from thoughts.addresses import drop_addresses
from thoughts.labels import HOUSE

_HANDLE = re.compile(r"\[([ps]\d+(?:\.[lrc]\d+)?(?:\s*,\s*[ps]\d+(?:\.[lrc]\d+)?)*)\]")


@dataclass(frozen=True)
class Reply:
    """What is stored as Penny's message: Markdown, the addresses that it may link, and its labels. `stopped` says why it is not all."""

    text: str
    links: list[str]
    origin: list[str]
    is_extractive: bool = False
    stopped: BudgetSpent | None = None


async def write(context: Context, endpoint: Endpoint, brief: str, stream: Stream) -> Reply:
    """Have the writer answer from what was read and handed over. Raises ModelFailed, BudgetSpent."""
    handles = context.handles
    asked = writer_request(Private(context.question), Private(brief) if brief else None, handles.sources, handles.handed)
    answer = await ask_recorded(context, endpoint, asked, stream.delta)
    return with_sources(answer, handles)


def with_sources(answer: llm.Answer, handles: Handles) -> Reply:
    """Return the writer's text, its own addresses dropped and its handles turned into links to what they stand for."""
    text, links = link_handles(drop_addresses(answer.text), handles)
    return Reply(text, links, sorted(handles.origin | HOUSE))


def link_handles(text: str, handles: Handles) -> tuple[str, list[str]]:
    """Return Markdown in which [p1] is a link named by its domain, and the addresses that are linked; unknown handles go."""
    links: list[str] = []

    def replace(match: re.Match[str]) -> str:
        return ", ".join(filter(None, (_link(name.strip().partition(".c")[0], handles, links) for name in match[1].split(","))))

    return _HANDLE.sub(replace, text), links


def extractive_reply(question: str, handles: Handles, failures: list[str]) -> Reply:
    """Return what the pages themselves say: their sentences, each with its source."""
    links: list[str] = []
    parts = [_extract(source, handles, links) for source in handles.sources]
    text = "\n\n".join([*parts, *failures])
    return Reply(text, links, sorted(handles.origin | HOUSE), is_extractive=True)


def _extract(source: Source, handles: Handles, links: list[str]) -> str:
    reading = source.reading
    link = _link(source.handle, handles, links)
    if not reading.claims:
        return f"I opened {link} and found no sentences there that answer you."
    head = f"From {link}:" if reading.found else f"{link} does not seem to answer this. It says:"
    return head + "\n\n" + "\n".join(f"- {escape_markdown(claim.text)}" for claim in reading.claims)


def escape_markdown(text: str) -> str:
    """Return text in which nothing is Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", text)


def _link(handle: str, handles: Handles, links: list[str]) -> str:
    url, domain = handles.urls.get(handle), handles.domains.get(handle)
    if url is None or domain is None:
        return ""
    safe = url_to_store(url).replace("(", "%28").replace(")", "%29")
    links.append(safe)
    return f"[{domain}]({safe})"
