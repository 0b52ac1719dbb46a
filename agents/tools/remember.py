"""Remember something that the owner asks for."""

from typing import Any

from agents.gateway.arguments import Remember
from agents.gateway.catalog import Tool
from agents.memory import remember as memory_remember
from agents.models import Memory, Step
from agents.runs.context import Content, Context, ToolRefused
from agents.zones.slots import parse_given
from devices.db import in_db


async def remember(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Store the planner's wording: it can only hold the owner's words. A value of a form waits for the owner."""
    assert isinstance(arguments, Remember)
    try:
        if slot := parse_given(f"remember that {arguments.text}"):
            return {"is_new": await in_db(memory_remember.propose_slot)(slot.name, slot.value)}
        _, is_new = await in_db(memory_remember.remember)(arguments.text, Memory.Source.CHAT)
    except memory_remember.NotRemembered as refused:
        raise ToolRefused(refused.code) from None
    return {"is_new": is_new}
