"""The gateway: every tool call of every run passes `call_tool`, and nothing else reaches a browser.

zone → classified capability → grant → rate limit → ask where needed → deadline → record. A call that acts is made once, however often its
run is attempted.
"""

from pydantic import BaseModel, ValidationError

from agents.browsing import RUNNERS
from agents.budgets import BudgetSpent
from agents.llm import ToolRequest
from agents.permits import Content, Context, ToolRefused
from agents.steps import OutcomeUnknown, act_key, earlier_result, recorded
from agents.tools import BROWSE_URL, SEARCH_WEB, TOOLS, Caller, Tool
from devices.db import in_db
from devices.models import Device
from devices.stored_text import json_to_store


async def call_tool(context: Context, request: ToolRequest) -> Content:
    """Run one tool call and return what the planner may see of it: typed values, or the code of an error. Raises Parked."""
    tool = TOOLS.get(request.tool)
    origin = frozenset({"owner", "penny"})
    kept = {"arguments": json_to_store(request.arguments)[:2000]}
    try:
        key = act_key(context, tool.name, request.arguments) if tool and tool.acts else ""
        if key and (earlier := await in_db(earlier_result)(context.run, key)) is not None:
            return earlier
        async with recorded(
            context, kind="tool", zone=context.zone, name=request.tool, origin=origin, request=kept, pages=_pages(tool), key=key
        ) as step:
            if tool is None or context.caller not in tool.callers:
                raise ToolRefused("unknown_tool")
            content = await RUNNERS[tool.name](context, tool, _parse(tool, request.arguments), step)
            step.result = content
            return content
    except OutcomeUnknown:
        return {"error": "outcome_unknown"}
    except (ToolRefused, BudgetSpent) as refused:
        return {"error": refused.code} | ({"tools": sorted(TOOLS)} if refused.code == "unknown_tool" else {})


def offered(caller: Caller) -> list[Tool]:
    """Return the tools that can be called now: one that no connected device can run is not offered."""
    runnable = Device.objects.runnable_tools()
    return [tool for tool in TOOLS.values() if caller in tool.callers and (tool.runs_on == "server" or tool.name in runnable)]


def _pages(tool: Tool | None) -> int:
    """Return how many pages a call opens; a search opens the page of its results."""
    return 1 if tool in (BROWSE_URL, SEARCH_WEB) else 0


def _parse(tool: Tool, arguments: str) -> BaseModel:
    try:
        return tool.arguments.model_validate_json(arguments)
    except ValidationError:
        raise ToolRefused("bad_arguments") from None
