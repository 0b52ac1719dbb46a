"""Hand an earlier answer or a thought to the writer."""

from typing import Any

from agents.answers.conversation import handed_over
from agents.gateway.arguments import HandOver
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from agents.zones.inputs import Untrusted
from devices.db import in_db


async def hand_over(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Pass an answer or a thought to the writer; the planner gets its size."""
    assert isinstance(arguments, HandOver)
    item = await in_db(_item)(context, arguments.handle)
    if item is None:
        raise ToolRefused("unknown_handle")
    context.handles.hand(item)
    return {"handle": arguments.handle, "characters": len(item.text)}


def _item(context: Context, handle: str) -> Untrusted | None:
    assert context.run.message is not None
    if handle in context.handles.earlier or (handle.startswith("a") and context.is_temporary):
        return context.handles.earlier.get(handle)
    if handle.startswith("a"):
        return handed_over.handed_answer(context.run.message.owner_id, int(handle[1:]))
    key = context.handles.thoughts.get(handle)
    return handed_over.handed_thought(key) if key else None
