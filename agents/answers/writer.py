"""The end of a turn: the writer's words with their sources, or the extractive answer where no model is set."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.answers.citations import Cited, Links, cite_uncited, link_handles
from agents.gateway.permits import Context
from agents.llm import client
from agents.llm.providers import Endpoint
from agents.runs.ask_model import ask_recorded
from agents.runs.budget import BudgetSpent
from agents.runs.failure_texts import escape_markdown as escape_markdown
from agents.runs.handles import Handles
from agents.runs.stream import Stream
from agents.zones.inputs import Private, Source, writer_request
from thoughts.text.addresses import drop_addresses
from thoughts.text.labels import HOUSE


@dataclass(frozen=True)
class Reply:
    """What is stored as Penny's message: Markdown, the addresses that it may link, its labels, and the claims that it cites by number.

    `stopped` says why it is not all.
    """

    text: str
    links: list[str]
    origin: list[str]
    is_extractive: bool = False
    stopped: BudgetSpent | None = None
    claims: list[Cited] = field(default_factory=list)

    def kept(self) -> dict[str, Any]:
        """Return what a run keeps of what was written so far."""
        return {"text": self.text, "links": self.links, "origin": self.origin, "claims": [list(claim) for claim in self.claims]}

    @classmethod
    def restored(cls, kept: Mapping[str, Any]) -> "Reply":
        return cls(kept["text"], kept["links"], kept["origin"], claims=[Cited(*claim) for claim in kept.get("claims", [])])


async def write(context: Context, endpoint: Endpoint, brief: str, stream: Stream) -> Reply:
    """Have the writer answer from what was read and handed over. Raises ModelFailed, BudgetSpent."""
    handles = context.handles
    asked = writer_request(Private(context.question), Private(brief) if brief else None, handles.sources, handles.handed)
    answer = await ask_recorded(context, endpoint, asked, stream.delta)
    return with_sources(answer, handles)


def with_sources(answer: client.Answer, handles: Handles) -> Reply:
    """Return the writer's text, its own addresses dropped and its handles turned into links to what they stand for."""
    return linked(cite_uncited(answer.text, handles), handles)


def linked(text: str, handles: Handles) -> Reply:
    """Return what a writer wrote until now, under the labels of all that it was written from."""
    found = link_handles(drop_addresses(text), handles)
    return Reply(found.text, found.links, sorted(handles.origin | HOUSE), claims=found.claims)


def extractive_reply(question: str, handles: Handles, failures: list[str]) -> Reply:
    """Return what the pages themselves say: their sentences, each with its source."""
    links = Links(handles)
    parts = [_extract(source, links) for source in handles.sources]
    text = "\n\n".join([*parts, *failures])
    return Reply(text, links.urls, sorted(handles.origin | HOUSE), is_extractive=True, claims=links.claims)


def _extract(source: Source, links: Links) -> str:
    reading = source.reading
    link = links.page(source.handle)
    if not reading.claims:
        return f"I opened {link} and found no sentences there that answer you."
    head = f"From {link}:" if reading.found else f"{link} does not seem to answer this. It says:"
    lines = [f"- {escape_markdown(claim.text)} {links.evidence(source.handle, claim)}".rstrip() for claim in reading.claims]
    return head + "\n\n" + "\n".join(lines)
