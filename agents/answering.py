"""A turn: plan, call tools, end with the writer where anything was read. Without a model the same path, by extraction."""

from dataclasses import dataclass
from typing import Any

from constance.utils import get_values
from django.conf import settings

from agents import sentences
from agents.gateway import call_tool, offered
from agents.handles import Handles
from agents.history import past
from agents.knowledge import known_about
from agents.llm import ToolRequest
from agents.models import Run
from agents.permits import Content, Context
from agents.planning import plan
from agents.providers import Endpoint
from agents.streaming import Stream
from agents.tools import BROWSE_URL, SEARCH_WEB, BrowseUrl, SearchWeb
from agents.writing import Reply, extractive_reply, write
from agents.zones import Past
from devices.db import in_db
from devices.hosts import HostInvalid, grant_host
from devices.models import Message
from thoughts.addresses import addresses

PAGES_PER_TURN = 3
FOLLOW_UPS = 5
# With these the owner asks for the web, not for what Penny knows.
SEARCHES = ("search ", "search for ", "find ", "look up ", "google ")


@dataclass(frozen=True)
class Turn:
    """A turn at its start: its context, in which nothing was read yet, and the conversation as a planner may see it."""

    context: Context
    history: list[Past]


async def begin(run: Run, stream: Stream) -> Turn:
    """Gather what a turn starts with, in one visit to the database."""
    assert run.message is not None
    words, history, numbers = await in_db(_gather)(run.message)
    return Turn(Context(run, "planner", Handles(words), run.message.text, settings.MODEL is not None, numbers, stream.status), history)


async def answer(turn: Turn, stream: Stream) -> Reply:
    """Return the reply to a turn's message. Raises ModelFailed."""
    endpoint = settings.MODEL
    return await (_by_extraction(turn.context) if endpoint is None else _by_model(turn, endpoint, stream))


async def _by_model(turn: Turn, endpoint: Endpoint, stream: Stream) -> Reply:
    context = turn.context
    planned = await plan(context, endpoint, turn.history, stream)
    if not context.handles.has_untrusted:
        typed = [url for url in addresses(planned.text) if context.handles.is_known(url)]
        return Reply(planned.text, typed, ["penny"])
    await stream.status("Writing")
    return await write(context, endpoint, planned.text, stream)


async def _by_extraction(context: Context) -> Reply:
    """Read the addresses that the owner wrote; search where they ask for it; otherwise look among what Penny knows."""
    urls = addresses(context.question)[:PAGES_PER_TURN]
    failures = [await _browse(context, url) for url in urls]
    query = _query(context.question)
    if not urls and query and SEARCH_WEB in await offered("planner"):
        failures += await _search(context, query)
    said = [failure for failure in failures if failure]
    if context.handles.has_untrusted or said:
        return _labelled(extractive_reply(context.question, context.handles, said))
    assert context.run.message is not None
    known = await in_db(known_about)(context.run.message)
    return _labelled(known)


async def _browse(context: Context, target: str) -> str:
    """Read one page; return the sentence that says why not, or nothing."""
    content = await _call(context, BROWSE_URL.name, BrowseUrl(url=target).model_dump_json())
    if "error" not in content:
        return ""
    url = context.handles.urls.get(target, target)
    try:
        return sentences.tool_failure(str(content["error"]), grant_host(url))
    except HostInvalid:
        return sentences.tool_failure(str(content["error"]), "that address")


async def _search(context: Context, query: str) -> list[str]:
    content = await _call(context, SEARCH_WEB.name, SearchWeb(query=query).model_dump_json())
    if "error" in content:
        return [sentences.tool_failure(str(content["error"]), "your search engine")]
    if not content["count"]:
        return [f"The search for “{query}” brought no results."]
    return [await _browse(context, handle) for handle in content["best"][:1]]


async def _call(context: Context, tool: str, arguments: str) -> Content:
    return await call_tool(context, ToolRequest("code", tool, arguments))


def _query(question: str) -> str:
    lowered = question.strip().lower()
    start = next((word for word in sorted(SEARCHES, key=len, reverse=True) if lowered.startswith(word)), "")
    return question.strip()[len(start) :].rstrip("?. ")[:400] if start else ""


def _labelled(reply: Reply) -> Reply:
    setup = f"{settings.PUBLIC_URL}/setup/"
    note = sentences.NO_MODEL.format(setup=setup)
    return Reply(f"{reply.text}\n\n{note}".strip(), [*reply.links, setup], reply.origin, is_extractive=True)


def _gather(message: Message) -> tuple[list[str], list[Past], dict[str, Any]]:
    """Return the owner's recent words (the addresses in them may be opened), the history, and the settings."""
    rows = Message.objects.filter(owner=message.owner_id, direction=Message.Direction.IN, seq__lte=message.seq).order_by("-seq")
    return [row.text for row in rows[:FOLLOW_UPS]], past(message), get_values()
