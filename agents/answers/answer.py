"""Answer a turn or a task: pick the case that applies, else plan, call tools and write.

Without a model, `without_model.py` takes the place of the planner and the writer.
"""

from collections.abc import Awaitable, Callable

from agents.acting.obstacle import WORDS, current_obstacle
from agents.acting.report import report_of
from agents.answers import attachments, drawing, shared_page
from agents.answers.begin import Turn
from agents.answers.beside_errand import hand_over_beside
from agents.answers.conversation import handed_over, replied_to
from agents.answers.end_notes import EndNotes
from agents.answers.going_on import goes_on_with
from agents.answers.no_model.without_model import answer_by_extraction, watch_here
from agents.answers.planner import plan
from agents.answers.reply import Reply
from agents.answers.writer import extractive_reply, with_links, write_answer
from agents.llm import messages as llm_messages
from agents.llm.failures.refusals import BROKEN_OFF
from agents.llm.providers import Endpoint
from agents.memory import remember
from agents.models import Memory, Run
from agents.runs import failure_texts
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Context
from agents.runs.day_budget import DaySpent
from agents.runs.stream import Stream
from agents.zones.slots import parse_given
from devices.db import in_db
from devices.models import Message
from devices.web.links import link_to
from thoughts.text.addresses import addresses
from thoughts.text.labels import HOUSE


async def answer_turn(turn: Turn, stream: Stream) -> Reply:
    """Return the reply to a turn's message, or to a task.

    Raises ModelFailed, and BudgetSpent where nothing was written yet. A task also raises Parked while it waits for the
    owner, and DaySpent when the day's budget is used up.
    """
    for case in COMMANDS:
        if reply := await case(turn, stream):
            return reply
    obstacle = await in_db(current_obstacle)() if turn.context.may_act else None
    if obstacle:
        turn.context.of(EndNotes).append((obstacle, WORDS[obstacle]))
    for case in MATERIALS if obstacle or not turn.context.may_act else ():
        if reply := await case(turn, stream):
            return reply.with_notes(turn.context)
    if obstacle == "no_model":
        return Reply("", [], sorted(HOUSE)).with_notes(turn.context)
    if turn.context.may_act and not obstacle:
        turn = await hand_over_beside(turn)
    reply = await _from_words(turn, stream)
    return reply.with_walls(turn.context).with_notes(turn.context)


async def _draw(turn: Turn, stream: Stream) -> Reply | None:
    message = turn.context.run.message
    if message is None or message.kind != Message.Kind.COMMAND:
        return None
    return await drawing.draw_picture(turn.context, stream)


async def _remember_shared(turn: Turn, stream: Stream) -> Reply | None:
    message = turn.context.run.message
    if message is None or message.page is None or not remember.means_this_page(message.text):
        return None
    turn.context.on_start()
    return await in_db(_propose_memory)(turn.context.run)


async def _remember_slot(turn: Turn, stream: Stream) -> Reply | None:
    """Keep a value that the owner gives, before any model hears of it, and read it back."""
    message = turn.context.run.message
    slot = parse_given(message.text) if message is not None else None
    if message is None or slot is None:
        return None
    turn.context.on_start()
    where = link_to("memories")
    if turn.context.caller != "planner":
        return Reply(failure_texts.NOT_FOR_PROGRAMS.format(where=where), [where], sorted(HOUSE))
    if message.is_temporary:
        return Reply(failure_texts.NOT_KEPT.format(where=where), [where], sorted(HOUSE))
    try:
        await in_db(remember.keep_slot)(slot.name, slot.value, Memory.Source.CHAT)
    except remember.NotRemembered as refused:
        return Reply(f"I cannot remember that. {refused}", [], sorted(HOUSE))
    return Reply(failure_texts.SLOT_KEPT.format(name=slot.name, where=where), [where], sorted(HOUSE))


async def _watch_shared(turn: Turn, stream: Stream) -> Reply | None:
    message = turn.context.run.message
    return await watch_here(turn.context) if message is not None and message.page is not None else None


async def _about_shared(turn: Turn, stream: Stream) -> Reply | None:
    message = turn.context.run.message
    if message is None or message.page is None:
        return None
    return await _from_material(shared_page.answer_from_page, turn, stream)


async def _about_files(turn: Turn, stream: Stream) -> Reply | None:
    message = turn.context.run.message
    if message is None or not message.attachments:
        return None
    return await _from_material(attachments.answer_from_files, turn, stream)


Case = Callable[[Turn, Stream], Awaitable[Reply | None]]
# In this order: a message with a page may also ask to remember or to watch it. The first reply counts.
COMMANDS: tuple[Case, ...] = (_draw, _remember_slot, _remember_shared, _watch_shared)
# In Act mode these stand beside what the owner wants done.
MATERIALS: tuple[Case, ...] = (_about_shared, _about_files)


async def _from_material(
    answer_from: Callable[[Context, Endpoint | None, Stream], Awaitable[Reply]], turn: Turn, stream: Stream
) -> Reply:
    """Answer from what came with the message. A spent budget, or a silent model, ends it with what was written."""
    endpoint, message, quotation = turn.context.models.main, turn.context.run.message, turn.quoted_message
    if message and quotation and goes_on_with(message, quotation) and (begun := replied_to.writer_material(quotation)):
        turn.context.handles.hand(begun)
    try:
        reply = await answer_from(turn.context, endpoint, stream)
    except BudgetSpent as spent:
        if not stream.text.strip():
            raise
        reply = reply_so_far(turn.context, stream).with_stop_reason(spent)
    except llm_messages.ModelFailed as failed:
        reply = _broken_off(turn.context, stream, failed)
    return reply if endpoint else reply.labelled_extractive()


async def _from_words(turn: Turn, stream: Stream) -> Reply:
    endpoint, message = turn.context.models.main, turn.context.run.message
    if (
        message is not None
        and message.thought_id
        and (thought := await in_db(handed_over.handed_thought)(message.thought_id))
    ):
        turn.context.handles.hand(thought)
    if turn.quoted_message is not None and (quotation := replied_to.writer_material(turn.quoted_message)):
        turn.context.handles.hand(quotation)
    return await (
        answer_by_extraction(turn.context, turn.tools) if endpoint is None else _by_model(turn, endpoint, stream)
    )


async def _by_model(turn: Turn, endpoint: Endpoint, stream: Stream) -> Reply:
    context = turn.context
    try:
        planned = await plan(context, endpoint, turn.history, turn.question, turn.tools, turn.memories, stream)
        if not context.handles.has_untrusted:
            return _planner_reply(context, planned.text).with_end(context)
        if report := await in_db(report_of)(context.run):
            await stream.delta(f"{report.text}\n\n")
        await stream.status("Writing")
        reply = await write_answer(context, endpoint, planned.text, stream)
        return reply.with_report(report).with_end(context)
    except DaySpent:
        raise
    except BudgetSpent as spent:
        reply = await _reply_after_budget(context, endpoint, stream, spent)
        return reply.with_report(await in_db(report_of)(context.run)).with_stop_reason(spent)
    except llm_messages.ModelFailed as failed:
        return _broken_off(context, stream, failed).with_report(await in_db(report_of)(context.run))


def _propose_memory(run: Run) -> Reply:
    """Propose the selection on the page as a memory. The reply contains no word of the page."""
    assert run.message is not None
    if run.page is None:
        return Reply(failure_texts.PAGE_GONE, [], ["penny"])
    where = link_to("memories")
    if run.message.is_temporary:
        return Reply(failure_texts.NOT_KEPT.format(where=where), [where], sorted(HOUSE))
    try:
        remember.propose_memory(run.page.text, run.page.domain)
    except remember.NotRemembered as refused:
        return Reply(f"I cannot remember that. {refused}", [], sorted(HOUSE))
    return Reply(failure_texts.PROPOSED.format(where=where), [where], sorted(HOUSE))


async def _reply_after_budget(context: Context, endpoint: Endpoint, stream: Stream, spent: BudgetSpent) -> Reply:
    """Return the best reply of a turn whose budget is spent. Raises `spent` where there is none."""
    if stream.text.strip():
        return reply_so_far(context, stream)
    if not context.handles.has_untrusted:
        raise spent
    context.budget.leave_last_words()
    try:
        await stream.status("Writing")
        return await write_answer(context, endpoint, "", stream)
    except (llm_messages.ModelFailed, BudgetSpent):
        return (
            reply_so_far(context, stream)
            if stream.text.strip()
            else extractive_reply(context.question, context.handles, [])
        )


def _broken_off(context: Context, stream: Stream, failed: llm_messages.ModelFailed) -> Reply:
    """Return what the model wrote before it fell silent or broke off.

    Raises `failed` where it wrote nothing, and in the background, where the whole answer is asked for again.
    """
    if failed.code not in BROKEN_OFF or context.run.is_background or not stream.text.strip():
        raise failed
    return reply_so_far(context, stream).with_stop_reason(failed)


def reply_so_far(context: Context, stream: Stream) -> Reply:
    if not context.handles.has_untrusted:
        return _planner_reply(context, stream.text)
    return with_links(stream.text, context.handles)


def _planner_reply(context: Context, text: str) -> Reply:
    """Return the planner's own words. Only addresses that the owner wrote become links."""
    return Reply(text, [url for url in addresses(text) if context.handles.is_known(url)], sorted(HOUSE))
