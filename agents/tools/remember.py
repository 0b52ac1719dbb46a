"""Remember something that the owner asks for."""

from typing import Any

from agents.gateway.arguments import Remember
from agents.gateway.catalog import Tool
from agents.memory import remember as memory_remember
from agents.models import Memory, Step
from agents.runs.context import Content, Context, ToolRefused
from devices.db import in_db


async def remember(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Store the planner's wording: it can only hold the owner's words."""
    assert isinstance(arguments, Remember)
    try:
        _, is_new = await in_db(memory_remember.remember)(arguments.text, Memory.Source.CHAT)
    except memory_remember.NotRemembered as refused:
        raise ToolRefused(refused.code) from None
    return {"is_new": is_new}
