from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from constance.utils import get_values
from django.conf import settings

from agents.answers import replied_to, temporary_chat
from agents.answers.history import Discussed, Entry, discussed, owner_words, past, recent
from agents.gateway.call import offered
from agents.gateway.catalog import Tool
from agents.memory import remember
from agents.models import Run
from agents.runs.context import Context
from agents.runs.handles import Handles
from agents.skills import active
from agents.zones.inputs import Past, Private, SkillText
from agents.zones.planner import placeholder
from devices.models import Message


@dataclass(frozen=True)
class Turn:
    """A turn at its start: its context, in which nothing was read yet, the conversation as a planner may see it, and
    the tools.

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
    """What a turn starts with, of the database: the conversation before it, what the owner replies to, the settings,
    the tools that can be called now, the skills for sites that may be read, and what the owner has Penny remember.
    """

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
    handles = Handles(
        [*owner_words(entries), *own, run.message.text], turn_id=run.turn_id, earlier=temporary_chat.answers(said)
    )
    handles.thoughts = {thought.handle: key for key, thought in material.thoughts.items()}
    context = Context(
        run, "planner", handles, run.message.text, settings.MODEL is not None, material.numbers, say, started
    )
    context.skills = material.skills
    return Turn(context, past(entries, material.thoughts), Private(asked), material.tools, material.memories, quoted)


def begin_task(run: Run) -> Turn:
    """Return the turn that a task is carried out as: the owner's words, and no conversation around them."""
    handles = Handles([run.task], turn_id=run.turn_id)
    context = Context(run, "task", handles, run.task, settings.MODEL is not None, get_values())
    context.skills = active.offered(run.pk)
    return Turn(context, [], Private(run.task), offered("task"), remember.told())
