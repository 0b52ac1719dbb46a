"""The gateway: every tool call of every run passes `call_tool`.

Nothing else reaches a browser.

Order: zone → classified capability → not stopped → no writes from a temporary chat → grant → rate limit → ask where
needed → deadline → record. A call that acts is made once, however often its run is attempted.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings
from pydantic import BaseModel, ValidationError

from agents.gateway.catalog import ACT, BROWSE_URL, BROWSE_URLS, DRAW, SCREENSHOT_PAGE, SEARCH_KEPT, TOOLS, Tool
from agents.gateway.page_calls import ON_PAGES
from agents.llm.messages import ToolRequest
from agents.model_choice.in_use import models_in_use
from agents.models import Step
from agents.runs.budget_spent import BudgetSpent
from agents.runs.context import Caller, Content, Context, ToolRefused
from agents.runs.steps import OutcomeUnknown, act_key, earlier_result, record_step
from devices.db import in_db
from devices.models import Device
from devices.owner import stop
from devices.web.stored_text import json_to_store
from thoughts.models import Kept

# Tool name -> its function. Filled by agents/worker/tables.py, because the tools import the gateway.
RUNNERS: dict[str, Callable[[Context, Tool, Any, Step], Awaitable[Content]]] = {}


async def call_tool(context: Context, request: ToolRequest) -> Content:
    """Run one tool call; return typed values for the planner, or an error code. Raises Parked."""
    tool = TOOLS.get(request.tool)
    pages = tool.pages if tool else 0
    origin = frozenset({"owner", "penny"})
    stored_request = {"arguments": json_to_store(request.arguments)[:2000]}
    try:
        key = act_key(context, tool.name, request.arguments) if tool and tool.acts else ""
        if key and (earlier := await in_db(earlier_result)(context.run, key)) is not None:
            return earlier
        async with record_step(
            context,
            kind="tool",
            zone=context.zone,
            name=request.tool,
            origin=origin,
            request=stored_request,
            pages=pages,
            key=key,
        ) as step:
            if tool is None or context.caller not in tool.callers or (tool is ACT and not context.may_act):
                raise ToolRefused("unknown_tool")
            if await in_db(stop.is_stopped)():
                raise ToolRefused("stopped")
            if tool.keeps and context.is_temporary:
                raise ToolRefused("temporary_chat")
            content = await RUNNERS[tool.name](context, tool, _parse(tool, request.arguments), step)
            step.result = content
            return content
    except OutcomeUnknown:
        return {"error": "outcome_unknown"}
    except (ToolRefused, BudgetSpent) as refused:
        context.refusals.append(refused.code)
        return {"error": refused.code} | ({"tools": sorted(TOOLS)} if refused.code == "unknown_tool" else {})


def callable_tools(caller: Caller, *, may_act: bool = False) -> list[Tool]:
    """Return the tools that can be called now: without a capable device a tool is not offered.

    `may_act`: the owner lets Penny act on pages for this message. Otherwise no tool that acts is offered.
    """
    runnable = _runnable() - (set() if may_act else {ACT.name})
    return [
        tool
        for tool in TOOLS.values()
        if caller in tool.callers and (tool.name in runnable or tool.needs_no_browser) and _is_set(tool)
    ]


def _runnable() -> set[str]:
    runnable = Device.objects.runnable_tools()
    if BROWSE_URL.name in runnable:
        runnable.add(BROWSE_URLS.name)
    if ON_PAGES.name in runnable:
        runnable.add(ACT.name)
    return runnable if models_in_use().vision else runnable - {SCREENSHOT_PAGE.name}


def _is_set(tool: Tool) -> bool:
    if tool.name == SEARCH_KEPT.name:
        return Kept.objects.kept().exists()
    return tool.name != DRAW.name or settings.IMAGE_MODEL is not None


def _parse(tool: Tool, arguments: str) -> BaseModel:
    try:
        return tool.arguments.model_validate_json(arguments)
    except ValidationError:
        raise ToolRefused("bad_arguments") from None
