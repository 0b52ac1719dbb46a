"""Collect what a turn or a task starts with: conversation, memories, settings and tools."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from constance.utils import get_values

from agents.answers import going_on
from agents.answers.conversation import replied_to, temporary_chat
from agents.answers.conversation.history import (
    Discussed,
    Entry,
    discussed_thoughts,
    owner_words,
    planner_history,
    recent_entries,
)
from agents.answers.conversation.site_names import site_names
from agents.gateway.call import callable_tools
from agents.gateway.catalog import Tool
from agents.memory import remember
from agents.model_choice.in_use import Models, models_in_use
from agents.models import Run
from agents.runs.context import Caller, Context
from agents.runs.handles import Handles
from agents.skills import active
from agents.zones.inputs import Past, Private, SkillText
from agents.zones.planner import placeholder
from devices.models import Device, Message


@dataclass(frozen=True)
class Turn:
    """The start of a turn: its context, the conversation for the planner, and the tools.

    Nothing untrusted was read yet. `quoted_message`: the message that the owner replies to.
    """

    context: Context
    history: list[Past]
    question: Private
    tools: list[Tool]
    memories: list[Private]
    quoted_message: Message | None = None


@dataclass(frozen=True)
class Material:
    """What a turn starts with, as read from the database.

    `program`: the one with a token that the turn is for. `tools`: those that can be called now. `skills`: those for
    sites that may be read.
    """

    entries: list[Entry]
    thoughts: dict[UUID, Discussed]
    numbers: dict[str, Any]
    program: Device | None
    tools: list[Tool]
    skills: list[SkillText]
    models: Models
    facts: remember.Facts
    quoted_message: Message | None = None


def gather_materials(messages: Sequence[Message | None]) -> list[Material | None]:
    """Return the material of several turns, None for None. The turns share the queries."""
    questions = [message for message in messages if message is not None]
    if not questions:
        return [None] * len(messages)
    numbers, quotations = get_values(), replied_to.replied_messages(questions)
    programs = {message.pk: _program_of(message, quotations.get(message.pk)) for message in questions}
    cases = {message.pk: (_caller_of(programs[message.pk]), message.may_act) for message in questions}
    tools = {(caller, may_act): callable_tools(caller, may_act=may_act) for caller, may_act in {*cases.values()}}
    skills, models, facts = active.offered_skills(None), models_in_use(), remember.confirmed_facts()
    materials = (
        Material(
            rows,
            discussed_thoughts(message, rows),
            numbers,
            programs[message.pk],
            tools[cases[message.pk]],
            skills,
            models,
            facts,
            quotations.get(message.pk),
        )
        for message, rows in zip(questions, recent_entries(questions), strict=True)
    )
    return [None if message is None else next(materials) for message in messages]


def _program_of(message: Message, quotation: Message | None) -> Device | None:
    """Return the program with a token that a turn is for: who goes on with an answer to it has its rights."""
    question_before = quotation.parent if quotation and going_on.goes_on_with(message, quotation) else None
    devices = (question.device for question in (message, question_before) if question)
    return next((device for device in devices if device and device.has_only_a_token), None)


def _caller_of(program: Device | None) -> Caller:
    return "program" if program else "planner"


def begin_turn(
    run: Run, material: Material, say: Callable[[str], Awaitable[None]], on_start: Callable[[], None]
) -> Turn:
    assert run.message is not None
    about = material.thoughts.get(run.message.thought_id) if run.message.thought_id else None
    quotation = material.quoted_message
    lines = [placeholder(about.handle, site_names(about.domains))] if about else []
    goes_on = going_on.goes_on_with(run.message, quotation)
    is_last = quotation is not None and [row.seq for row in material.entries[-1:]] == [quotation.seq]
    quoted = replied_to.planner_lines(quotation, in_history=goes_on and is_last)
    question = "\n".join([*lines, *quoted, run.message.text])
    program_id = material.program.pk if material.program else None
    own = [quotation.text] if quotation and _is_owners(quotation, program_id) else []
    exchanges = [temporary_chat.Exchange(*fields) for fields in run.earlier]
    first = max(run.message.seq, 0) + 1  # above the handles of the history
    entries = [*material.entries, *temporary_chat.history_entries(exchanges, first)]
    handles = Handles(
        [*owner_words(entries, program_id), *own, run.message.text],
        turn_id=run.turn_id,
        earlier=temporary_chat.answers_by_handle(exchanges, first),
    )
    handles.thoughts = {thought.handle: key for key, thought in material.thoughts.items()}
    whole_question = going_on.whole_question(run.message, quotation)
    caller = _caller_of(material.program)
    context = Context(run, caller, handles, whole_question, material.models, material.numbers, say, on_start)
    context.skills = material.skills
    return Turn(
        context,
        planner_history(entries, material.thoughts, program_id),
        Private(question),
        material.tools,
        remember.memories_for(question, material.facts),
        quotation,
    )


def _is_owners(message: Message, program_id: UUID | None) -> bool:
    """Whether a message holds the owner's words in a turn of this program, or of none."""
    writer = message.device if message.device and message.device.has_only_a_token else None
    return message.direction == Message.Direction.IN and (writer is None or writer.pk == program_id)


def begin_task(run: Run) -> Turn:
    handles = Handles([run.task], turn_id=run.turn_id)
    context = Context(run, "task", handles, run.task, models_in_use(), get_values())
    context.skills = active.offered_skills(run.pk)
    memories = remember.memories_for(run.task, remember.confirmed_facts())
    return Turn(context, [], Private(run.task), callable_tools("task"), memories)
