"""The planner's loop: call tools until the planner answers or its steps are used up.

Its text is streamed to the owner, unless something untrusted was read: then the text is the writer's brief.
"""

import asyncio
import json
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from agents.acting.resume import earlier_calls
from agents.answers.conversation.site_names import with_site_names
from agents.answers.conversation.unseen import SeenHistory
from agents.answers.offered_tools import Offer, offered_tools, open_groups_asked_for, open_groups_called
from agents.gateway import site_plans
from agents.gateway.call import call_tool, callable_tools
from agents.gateway.catalog import Tool
from agents.llm import messages
from agents.llm.providers import Endpoint
from agents.llm.windows import window_of
from agents.runs.context import Content, Context, Parked
from agents.runs.fit import ask_fitting
from agents.runs.stream import Stream
from agents.zones.fit import fitting_planner_request
from agents.zones.inputs import Past, Private
from devices.db import in_db


@dataclass
class Plan:
    """The planner's steps and text: the reply, or the writer's brief.

    It is the brief if something untrusted was read.
    """

    text: str
    steps: list[messages.CallTurn | messages.ResultTurn] = field(default_factory=list)


async def plan(
    context: Context,
    endpoint: Endpoint,
    history: list[Past],
    question: Private,
    tools: list[Tool],
    memories: list[Private],
    stream: Stream,
) -> Plan:
    """Run the planner until it calls no more tools. Raises ModelFailed, BudgetSpent, Parked."""
    owner = Private(_who(context.numbers["OWNER_NAME"], context.numbers["OWNER_PLACE"]))
    today = datetime.now(ZoneInfo(context.numbers["TIMEZONE"])).date()
    context.of(SeenHistory).length = len(history)
    context.of(Offer).has_handles = bool(context.handles.thoughts) or any(entry.handle for entry in history)
    window = window_of(endpoint, int(context.numbers["MODEL_WINDOW"]))
    open_groups_asked_for(context, tools, _owner_words(context, history), window)
    result = Plan("")
    if begun := await in_db(earlier_calls)(context.run):  # of an attempt before this one
        result.steps.append(messages.CallTurn("", begun))
        result.steps += await _run_tools(context, begun)
    for number in range(context.numbers["CHAT_STEPS_MAX"], 0, -1):
        # The last step offers no tools, so that it ends with a text.
        specs = offered_tools(context, tools) if number > 1 else []
        build = partial(
            _build_noting_history,
            context,
            *(owner, today, history, question, result.steps, specs, context.skills, memories),
            others=[tool.name for tool in tools],
            is_temporary=context.is_temporary,
        )
        on_text = None if context.handles.has_untrusted else stream.delta
        answer = await ask_fitting(context, endpoint, build, on_text, stream.withdraw)
        if number == 1 and result.steps:
            context.budget.stop("planning steps", context.numbers["CHAT_STEPS_MAX"])
        if not answer.requests:
            result.text = answer.text
            return result
        await stream.withdraw()
        result.steps.append(messages.CallTurn(answer.text, answer.requests))
        open_groups_called(context, tools, (request.tool for request in answer.requests))
        await site_plans.approve_sites(context, answer.requests)
        result.steps += await _run_tools(context, answer.requests)
        if context.budget.spent:
            raise context.budget.spent
        tools = await in_db(callable_tools)(context.caller, may_act=context.may_act)
    return result


def _build_noting_history(context: Context, *parts: Any, others: list[str], is_temporary: bool) -> messages.Request:
    """Build the planner's request, and note how much of the conversation is in it."""
    request = fitting_planner_request(*parts, others=others, is_temporary=is_temporary)
    context.of(SeenHistory).newest = sum(isinstance(turn, messages.TextTurn) for turn in request.turns) - 1
    return request


def _owner_words(context: Context, history: list[Past]) -> list[str]:
    """Return the question, and what the owner said before it, which it may go on from."""
    earlier = [entry.words.text for entry in history if entry.role == "user" and entry.words]
    return [context.question, *earlier[-1:]]


def _who(name: str, place: str) -> str:
    """Describe the owner. Only the planner gets this."""
    return f"{name or 'the owner'}, who is in {place}" if place else name or "the owner"


async def _run_tools(context: Context, requests: tuple[messages.ToolRequest, ...]) -> list[messages.ResultTurn]:
    """Run the calls of one step side by side, equal calls once. Raises Parked."""
    unique = {(request.tool, _normal(request.arguments)): request for request in requests}
    async with asyncio.TaskGroup() as group:
        running = {key: group.create_task(_result(context, request)) for key, request in unique.items()}
    results = {key: task.result() for key, task in running.items()}
    for result in results.values():
        if isinstance(result, Parked | messages.ModelFailed):  # after all calls, so that each question is asked
            raise result
    pairs = [(request, results[request.tool, _normal(request.arguments)]) for request in requests]
    answers = [(request, result) for request, result in pairs if not isinstance(result, Parked | messages.ModelFailed)]
    return [messages.ResultTurn(request, with_site_names(result)) for request, result in answers]


async def _result(context: Context, request: messages.ToolRequest) -> Content | Parked | messages.ModelFailed:
    try:
        return await call_tool(context, request)
    except (Parked, messages.ModelFailed) as failed:
        return failed


def _normal(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments
