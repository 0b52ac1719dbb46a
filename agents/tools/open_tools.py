"""Offer a group of tools to the planner."""

from typing import Any

from agents.answers.offered_tools import Offer, usable_tools
from agents.gateway.arguments import OpenTools
from agents.gateway.call import callable_tools
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from devices.db import in_db


async def open_tools(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Offer a group's tools for the rest of the run: those that this caller may call anyway."""
    assert isinstance(arguments, OpenTools)
    tools = await in_db(callable_tools)(context.caller, may_act=context.may_act)
    usable = usable_tools(context, tools, arguments.group)
    if not usable:
        raise ToolRefused("no_such_tools")
    context.of(Offer).groups.add(arguments.group)
    return {"tools": sorted(each.name for each in usable)}
