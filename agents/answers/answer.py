"""A turn: plan, call tools, end with the writer where anything was read. Without a model the same path, by extraction."""

import itertools
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from constance.utils import get_values
from django.conf import settings

from agents.answers import attachments, dig_deeper, drawing, handed_over, replied_to, shared_page, temporary_chat
from agents.answers.history import Discussed, Entry, discussed, owner_words, past, recent
from agents.answers.own_search import known_about
from agents.answers.planner import plan
from agents.answers.writer import Reply, escape_markdown, extractive_reply, linked, write
from agents.gateway.call import call_tool, offered
from agents.gateway.catalog import (
    BROWSE_URL,
    READ_AGAIN,
    REMEMBER,
    SEARCH_WEB,
    WATCH,
    BrowseUrl,
    ReadAgain,
    Remember,
    SearchWeb,
    Tool,
    WatchPage,
)
from agents.gateway.permits import Content, Context
from agents.llm import client
from agents.llm.client import ToolRequest
from agents.llm.providers import Endpoint
from agents.memory import remember
from agents.models import Run
from agents.runs import failure_texts
from agents.runs.budget import BudgetSpent
from agents.runs.day_budget import DaySpent
from agents.runs.handles import Handles
from agents.runs.stream import Stream
from agents.skills import active
from agents.watches.wish import told, wish_in
from agents.zones.inputs import Past, Private, SkillText, placeholder
from devices.db import in_db
from devices.models import Message
from devices.web.hosts import HostInvalid, grant_host
from devices.web.links import link_to
from thoughts.models import Page
from thoughts.text.addresses import addresses
from thoughts.text.labels import HOUSE

PAGES_PER_TURN = 3
TASK_WITHOUT_MODEL = "Without a model I can only read the addresses that a task names, or search where it begins with “search for”."
# With these the owner asks for the web, not for what Penny knows.
SEARCHES = ("search ", "search for ", "find ", "look up ", "google ")


@dataclass(frozen=True)
class Turn:
    """A turn at its start: its context, in which nothing was read yet, the conversation as a planner may see it, and the tools.

    `quoted`: the message that the owner replies to.
    """

    context: Context
    history: list[Past]
    question: Private
    tools: list[Tool]
    memories: list[Private]
    quoted: Message | None = None


@dataclass(frozen=True)
class Material:
    """What a turn starts with, of the database: the conversation before it, what the owner replies to, the settings, the tools that
    can be called now, the skills for sites that may be read, and what the owner has Penny remember."""

    entries: list[Entry]
    thoughts: dict[UUID, Discussed]
    numbers: dict[str, Any]
    tools: list[Tool]
    skills: list[SkillText]
    memories: list[Private]
    quoted: Message | None = None


def gather(messages: Sequence[Message | None]) -> list[Material | None]:
    """Return what the turns of some messages start with, None for None."""
    said = [message for message in messages if message is not None]
    if not said:
        return [None] * len(messages)
    numbers, tools, quoted = get_values(), offered("planner"), replied_to.quoted_by(said)
    skills, memories = active.offered(None), remember.told()
    made = (
        Material(rows, discussed(message, rows), numbers, tools, skills, memories, quoted.get(message.pk))
        for message, rows in zip(said, recent(said), strict=True)
    )
    return [None if message is None else next(made) for message in messages]


def begin(run: Run, material: Material, say: Callable[[str], Awaitable[None]], started: Callable[[], None]) -> Turn:
    """Return the turn of a run at its start."""
    assert run.message is not None
    about = material.thoughts.get(run.message.thought_id) if run.message.thought_id else None
    quoted = material.quoted
    asked = "\n".join([*([placeholder(*about)] if about else []), *replied_to.shown(quoted), run.message.text])
    own = [quoted.text] if quoted and quoted.direction == Message.Direction.IN else []
    said = [temporary_chat.Exchange(*each) for each in run.earlier]
    entries = [*material.entries, *temporary_chat.entries(said)]
    handles = Handles([*owner_words(entries), *own, run.message.text], turn_id=run.turn_id, earlier=temporary_chat.answers(said))
    handles.thoughts = {thought.handle: key for key, thought in material.thoughts.items()}
    context = Context(run, "planner", handles, run.message.text, settings.MODEL is not None, material.numbers, say, started)
    context.skills = material.skills
    return Turn(context, past(entries, material.thoughts), Private(asked), material.tools, material.memories, quoted)


def begin_task(run: Run) -> Turn:
    """Return the turn that a task is carried out as: the owner's words, and no conversation around them."""
    handles = Handles([run.task], turn_id=run.turn_id)
    context = Context(run, "task", handles, run.task, settings.MODEL is not None, get_values())
    context.skills = active.offered(run.pk)
    return Turn(context, [], Private(run.task), offered("task"), remember.told())


async def answer(turn: Turn, stream: Stream) -> Reply:
    """Return the reply to a turn's message, or to a task. Raises ModelFailed, and BudgetSpent where there is nothing to say yet.

    A task raises Parked where it waits for the owner, and DaySpent where it has to wait for the next day.
    """
    endpoint, message = settings.MODEL, turn.context.run.message
    if message is not None and message.kind == Message.Kind.COMMAND:
        return await drawing.draw(turn.context, stream)
    if message is not None and message.page is not None and remember.is_this(message.text):
        turn.context.started()
        return await in_db(_proposed)(turn.context.run)
    if message is not None and message.page is not None and (watched := await _watch_here(turn.context)):
        return watched
    if message is not None and message.page is not None:
        reply = await _about_shared(turn.context, endpoint, stream)
        return reply if endpoint else _labelled(reply)
    if message is not None and message.attachments:
        reply = await _about_files(turn.context, endpoint, stream)
        return reply if endpoint else _labelled(reply)
    if message is not None and message.thought_id and (about := await in_db(handed_over.thought)(message.thought_id)):
        turn.context.handles.hand(about)
    if turn.quoted is not None and (said := replied_to.untrusted(turn.quoted)):
        turn.context.handles.hand(said)
    return await (_by_extraction(turn.context, turn.tools) if endpoint is None else _by_model(turn, endpoint, stream))


async def _by_model(turn: Turn, endpoint: Endpoint, stream: Stream) -> Reply:
    context = turn.context
    try:
        planned = await plan(context, endpoint, turn.history, turn.question, turn.tools, turn.memories, stream)
        if not context.handles.has_untrusted:
            return _told(_spoken(context, planned.text), context.budget.spent)
        await stream.status("Writing")
        return _told(await write(context, endpoint, planned.text, stream), context.budget.spent)
    except DaySpent:
        raise
    except BudgetSpent as spent:
        return _told(await _so_far(context, endpoint, stream, spent), spent)


def _proposed(run: Run) -> Reply:
    """Keep what the owner chose on a page for them to confirm. The reply holds no word of it."""
    assert run.message is not None
    if run.page is None:
        return Reply(failure_texts.PAGE_GONE, [], ["penny"])
    where = link_to("memories")
    if run.message.is_temporary:
        return Reply(failure_texts.NOT_KEPT.format(where=where), [where], sorted(HOUSE))
    try:
        remember.propose(run.page.text, run.page.domain)
    except remember.NotRemembered as refused:
        return Reply(f"I cannot remember that. {refused}", [], sorted(HOUSE))
    return Reply(failure_texts.PROPOSED.format(where=where), [where], sorted(HOUSE))


async def _about_shared(context: Context, endpoint: Endpoint | None, stream: Stream) -> Reply:
    try:
        return await shared_page.answer(context, endpoint, stream)
    except BudgetSpent as spent:
        if not stream.text.strip():
            raise
        return _told(so_far(context, stream), spent)


async def _about_files(context: Context, endpoint: Endpoint | None, stream: Stream) -> Reply:
    try:
        return await attachments.answer(context, endpoint, stream)
    except BudgetSpent as spent:
        if not stream.text.strip():
            raise
        return _told(so_far(context, stream), spent)


async def _so_far(context: Context, endpoint: Endpoint, stream: Stream, spent: BudgetSpent) -> Reply:
    """Return what a turn has whose budget is used up. Raises BudgetSpent where that is nothing."""
    if stream.text.strip():
        return so_far(context, stream)
    if not context.handles.has_untrusted:
        raise spent
    context.budget.leave_last_words()
    try:
        await stream.status("Writing")
        return await write(context, endpoint, "", stream)
    except (client.ModelFailed, BudgetSpent):
        return so_far(context, stream) if stream.text.strip() else extractive_reply(context.question, context.handles, [])


def so_far(context: Context, stream: Stream) -> Reply:
    """Return what was written of a turn until now, labelled like the whole would have been."""
    if not context.handles.has_untrusted:
        return _spoken(context, stream.text)
    return linked(stream.text, context.handles)


def _spoken(context: Context, text: str) -> Reply:
    """Return the planner's own words, in which only addresses that the owner wrote are links."""
    return Reply(text, [url for url in addresses(text) if context.handles.is_known(url)], sorted(HOUSE))


def _told(reply: Reply, spent: BudgetSpent | None) -> Reply:
    """Return the reply with the reason why it is not all, where there is one."""
    return replace(reply, text=f"{reply.text.rstrip()}\n\n{spent}", stopped=spent) if spent else reply


async def _by_extraction(context: Context, tools: list[Tool]) -> Reply:
    """Read the addresses that the owner wrote; search where they ask for it; otherwise look among what Penny knows."""
    context.started()
    if wish := wish_in(context.question):
        return _labelled(await _watch(context, wish))
    if context.caller == "planner" and (what := remember.asked_for(context.question)):
        return _labelled(await _remembered(context, what))
    urls = addresses(context.question)[:PAGES_PER_TURN]
    failures = [*await _about_thought(context), *[await _browse(context, url) for url in urls]]
    query = _query(context.question)
    if not urls and query and SEARCH_WEB in tools:
        failures += await _search(context, query)
    if isinstance(context.budget.spent, DaySpent) and not context.handles.sources:
        raise context.budget.spent
    said = [failure for failure in failures if failure]
    if context.handles.sources or said:
        return _labelled(extractive_reply(context.question, context.handles, said))
    if context.handles.handed:
        text = "\n\n".join(escape_markdown(item.text) for item in context.handles.handed)
        return _labelled(Reply(text, [], sorted(context.handles.origin | HOUSE)))
    if context.run.message is None:
        return _labelled(Reply(TASK_WITHOUT_MODEL, [], sorted(HOUSE)))
    known = await in_db(known_about)(context.run.message)
    return _labelled(known)


async def _about_thought(context: Context) -> list[str]:
    """Read the pages again that the thought came from, if the message is about one, and what they lead to if the owner asks for more.

    Return the sentences that say what could not be read.
    """
    about = context.run.message.thought_id if context.run.message else None
    handle = next((handle for handle, key in context.handles.thoughts.items() if key == about), None)
    if handle is None:
        return []
    content = await _call(context, READ_AGAIN.name, ReadAgain(handle=handle).model_dump_json())
    if not dig_deeper.is_asked(context.question):
        return []
    best = itertools.zip_longest(*(page.get("best_links", []) for page in content.get("pages", [])))
    links = [link for each in best for link in each if link]
    return [await _browse(context, link) for link in links[:PAGES_PER_TURN]] or [failure_texts.NO_FURTHER]


async def _remembered(context: Context, what: str) -> Reply:
    content = await _call(context, REMEMBER.name, Remember.model_construct(text=what).model_dump_json())
    where = link_to("memories")
    if "error" in content:
        why = failure_texts.NOT_KEPT if content["error"] == "temporary_chat" else failure_texts.NOT_REMEMBERED
        return Reply(why.format(where=where), [where], sorted(HOUSE))
    return Reply(failure_texts.REMEMBERED.format(where=where), [where], sorted(HOUSE))


def _page_of(run: Run) -> Page | None:
    return run.page


async def _watch_here(context: Context) -> Reply | None:
    """Watch the page that the owner included, if that is what plain words ask for. Nothing of the page is read for it."""
    page = await in_db(_page_of)(context.run)
    wish = wish_in(context.question, here=context.handles.add_place(page.url, page.domain)) if page else None
    if wish is None:
        return None
    context.started()
    return await _watch(context, wish)


async def _watch(context: Context, wish: WatchPage) -> Reply:
    content = await _call(context, WATCH.name, wish.model_dump_json())
    if "error" in content:
        return Reply(failure_texts.tool_failure(str(content["error"]), "that page"), [], sorted(HOUSE))
    return Reply(told(str(content["domain"]), wish), [], sorted(HOUSE))


async def _browse(context: Context, target: str) -> str:
    """Read one page; return the sentence that says why not, or nothing."""
    content = await _call(context, BROWSE_URL.name, BrowseUrl(url=target).model_dump_json())
    if "error" not in content:
        return ""
    url = context.handles.urls.get(target, target)
    try:
        return failure_texts.tool_failure(str(content["error"]), grant_host(url))
    except HostInvalid:
        return failure_texts.tool_failure(str(content["error"]), "that address")


async def _search(context: Context, query: str) -> list[str]:
    content = await _call(context, SEARCH_WEB.name, SearchWeb(query=query).model_dump_json())
    if "error" in content:
        return [failure_texts.tool_failure(str(content["error"]), "your search engine")]
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
    setup = link_to("setup")
    note = failure_texts.NO_MODEL.format(setup=setup)
    return replace(reply, text=f"{reply.text}\n\n{note}".strip(), links=[*reply.links, setup], is_extractive=True)
