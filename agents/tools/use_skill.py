"""Load the instructions of a skill."""

from typing import Any

from agents.gateway.arguments import UseSkill
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from agents.skills import active
from devices.db import in_db


async def use_skill(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Give the planner an approved skill's instructions for the rest of the run."""
    assert isinstance(arguments, UseSkill)
    skill = await in_db(active.load_skill)(arguments.name, context.run.id)
    if skill is None or skill.instructions is None:
        raise ToolRefused("unknown_skill")
    context.skills = [skill if other.name == skill.name else other for other in context.skills]
    return {"characters": len(skill.instructions.text)}
