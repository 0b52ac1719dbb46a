"""Commands as tools of a turn: the owner asks in plain words.

They touch Penny's own data only; the planner gets typed values.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from agents.answers import drawing
from agents.commands import config, preferences, profile, proposals, questions, search, stop
from agents.commands import mute as commands_mute
from agents.commands import schedule as commands_schedule
from agents.commands.registry import Act, Answer, Misused, Order, command_shown_by
from agents.gateway.arguments import Draw, Feeling, FindThoughts, Later, Mute, Profile, Propose, Show, Unmute
from agents.gateway.catalog import Tool
from agents.llm.messages import ModelFailed
from agents.models import Run, Schedule, Step
from agents.runs.context import Content, Context, ToolRefused
from agents.schedules import reminders
from agents.schedules.time_phrases import When
from agents.schedules.zone_phrases import time_of
from agents.thinking import start
from devices.access.handshake import web_device
from devices.db import in_db
from devices.grants import asks
from devices.models import Device
from devices.owner import muting
from thoughts.feed.filter import Filter, narrowed
from thoughts.models import Preference, Thought
from thoughts.text.labels import foreign

HITS = 6


async def remind(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Later)
    return await in_db(_remind)(context, arguments)


def _remind(context: Context, later: Later) -> Content:
    now = timezone.now()
    when = _when(later.when, now)
    if when.rule:
        return _propose(context, Schedule.Kind.REMINDER, later.what, when, now)
    moment = when.moment(now)
    reminders.store_reminder(later.what, "", moment, _device(context), keeps_moment=when.keeps_moment)
    return {"kept": True, "at": moment.isoformat(timespec="minutes")}


async def schedule(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Later)
    later, now = arguments, timezone.now()
    return await in_db(lambda: _propose(context, Schedule.Kind.TASK, later.what, _when(later.when, now), now))()


def _propose(context: Context, kind: str, what: str, when: When, now: datetime) -> Content:
    """Read it back to the owner in a message made by code; a yes stores it."""
    assert context.run.message is not None
    with transaction.atomic():
        proposals.send_proposal(
            context.run.message, commands_schedule.propose_schedule(kind, what, when, now, _device(context))
        )
    return {"kept": False, "shown_to_owner": True} | ({"rule": when.rule} if when.rule else {})


def _device(context: Context) -> Device | None:
    return context.run.message.device if context.run.message else None


def _when(text: str, now: datetime) -> When:
    when = time_of(text, now)
    if when is None:
        raise ToolRefused("unknown_time")
    if when.other:
        raise ToolRefused("two_times")
    return when


async def prefer(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Feeling)
    return await in_db(_run_command)(
        preferences.store_preference, arguments.text, 1 if arguments.feeling == "like" else -1
    )


async def set_profile(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Profile)
    return await in_db(_set_profile)(context, arguments)


def _set_profile(context: Context, arguments: Profile) -> Content:
    """Store a part of the profile. What a new time zone moved, the owner reads beside the answer."""
    content = _run_command(profile.set_profile, arguments.part, arguments.value)
    moved, links = config.describe_effects(profile.PROFILE[arguments.part])
    if moved and context.run.message:
        with transaction.atomic():
            proposals.send_proposal(context.run.message, Answer(moved.strip(), links))
    return content


def _run_command(keep: Callable[..., str], *values: Any) -> Content:
    try:
        keep(*values)
    except Misused:
        raise ToolRefused("bad_arguments") from None
    return {"kept": True}


async def think(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, FindThoughts)
    words = " ".join(arguments.words.split())
    return await in_db(_think)(words)


def _think(words: str) -> Content:
    preference = Preference.objects.filter(text__iexact=words).first() or Preference.objects.create(text=words)
    start.start_thinking(preference)
    return {"started": True}


async def find_thoughts(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Search the thoughts.

    The planner gets handles and domains, and may hand them to the writer.
    """
    assert isinstance(arguments, FindThoughts)
    words = arguments.words
    thoughts = await in_db(lambda: list(narrowed(Thought.objects.filter(hidden_at=None), Filter(words=words))[:HITS]))()
    results = [
        {"handle": _handle(context, thought), "domains": [{"domain": site} for site in foreign(thought.origin)]}
        for thought in thoughts
    ]
    return {"count": len(thoughts), "results": results}


def _handle(context: Context, thought: Thought) -> str:
    handles = {key: handle for handle, key in context.handles.thoughts.items()}
    handle = handles.get(thought.pk) or f"t{len(handles) + 1}"
    context.handles.thoughts[handle] = thought.pk
    return handle


async def run_mute(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Mute)
    if about := arguments.about.strip():
        return await in_db(_run_command)(commands_mute.mute_about, about)
    return await in_db(_mute)(arguments.until.strip().removeprefix("until "))


def _mute(text: str) -> Content:
    now = timezone.now()
    when = _when(text, now) if text else When()
    if when.rule:
        raise ToolRefused("unknown_time")
    until = when.moment(now) if when.at else None
    muting.mute_until(until, keeps_moment=when.keeps_moment)
    return {"kept": True} | ({"at": until.isoformat(timespec="minutes")} if until else {})


async def run_unmute(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Unmute)
    if about := arguments.about.strip():
        return await in_db(_run_command)(commands_mute.unmute_about, about)
    await in_db(muting.unmute)()
    return {"kept": True}


async def status(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    return await in_db(_status)(context)


def _status(context: Context) -> Content:
    running = Run.objects.filter(state__in=Run.OPEN).exclude(pk=context.run.pk)
    waiting = len({ask.prompt for ask in asks.waiting_asks(timezone.now())})
    return {"runs": running.count(), "questions_to_owner": waiting, "new_thoughts": Thought.objects.unread().count()}


_PROPOSED: dict[str, Callable[[Order], Answer]] = {
    "forget": preferences.propose_forgetting,
    "setting": config.propose_setting,
    "export": search.propose_export,
    "allow": questions.propose_allow,
    "deny": questions.propose_deny,
    "cancel": stop.propose_cancel,
    "stop": stop.propose_stop,
}


async def show(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Send the owner what a command shows, as a message beside the answer. No model sees it."""
    assert isinstance(arguments, Show)
    words = arguments.words.strip()
    if arguments.what == "settings":
        words = words.partition(" ")[0]  # a value after the name would change the setting
    elif arguments.what != "found":
        words = ""
    return await in_db(_show_beside)(context, command_shown_by(arguments.what).act, words)


async def run_propose(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Read back what would be forgotten, set, exported, answered or ended; only a yes does it."""
    assert isinstance(arguments, Propose)
    return await in_db(_show_beside)(context, _PROPOSED[arguments.what], arguments.words.strip()) | {"kept": False}


@transaction.atomic
def _show_beside(context: Context, act: Act, words: str) -> Content:
    message = context.run.message
    assert message is not None
    try:
        answer = act(Order(message.owner, message.device or web_device(), message, context.run, words, timezone.now()))
    except Misused:
        raise ToolRefused("bad_arguments") from None
    assert answer is not None
    proposals.send_proposal(message, answer)
    return {"shown_to_owner": True}


async def draw(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    assert isinstance(arguments, Draw)
    if settings.IMAGE_MODEL is None:
        raise ToolRefused("unknown_tool")
    await context.say("Drawing")
    try:
        await drawing.add_picture(context, settings.IMAGE_MODEL, arguments.what)
    except ModelFailed as failed:
        raise ToolRefused(failed.code) from None
    return {"shown_to_owner": True}
