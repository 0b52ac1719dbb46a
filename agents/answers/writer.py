"""The end of a turn: the writer's words with their sources, or the extractive answer where no model is set."""

from agents.answers.citations import Links, cite_uncited, link_handles
from agents.answers.reply import Reply
from agents.llm import messages
from agents.llm.providers import Endpoint
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.runs.stream import Stream
from agents.zones.inputs import Private, Source
from agents.zones.writer import writer_request
from thoughts.rendering import escape_markdown as escape_markdown
from thoughts.text.addresses import drop_addresses
from thoughts.text.labels import HOUSE


async def write(context: Context, endpoint: Endpoint, brief: str, stream: Stream) -> Reply:
    """Have the writer answer from what was read and handed over. Raises ModelFailed, BudgetSpent."""
    handles = context.handles
    asked = writer_request(
        Private(context.question), Private(brief) if brief else None, handles.sources, handles.for_writer
    )
    answer = await ask_recorded(context, endpoint, asked, stream.delta)
    return with_sources(answer, handles)


def with_sources(answer: messages.Answer, handles: Handles) -> Reply:
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
    lines = [
        f"- {escape_markdown(claim.text)} {links.evidence(source.handle, claim)}".rstrip() for claim in reading.claims
    ]
    return head + "\n\n" + "\n".join(lines)
