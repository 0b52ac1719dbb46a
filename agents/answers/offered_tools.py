"""Which tools the planner sees: the core, and the groups that the owner's words or the planner itself opened.

What it may call is decided by the gateway alone. A tool that it calls by name without having seen it opens its group.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from agents.gateway.catalog import FOLLOW_UPS, OPEN_TOOLS, USE_SKILL, Tool, openable, opener_spec
from agents.gateway.groups import Group, groups_asked_for
from agents.llm.messages import ToolSpec
from agents.runs.budget import estimate
from agents.runs.context import Context

PART_OF_WINDOW = 3  # with the groups that words open, the tools take at most a third of the model's window


@dataclass
class Offer:
    """What decides in a run what its planner is offered. `groups`: those that are open besides the core.

    `has_handles`: of earlier answers or thoughts, in the conversation.
    """

    groups: set[str] = field(default_factory=set)
    has_handles: bool = False


def open_groups_asked_for(context: Context, tools: list[Tool], words: Iterable[str], window: int) -> None:
    """Open the groups that the owner's words plainly ask for, where the model's window has room for them."""
    groups = dict.fromkeys(group for text in words for group in groups_asked_for(text))
    for group in groups:
        context.of(Offer).groups.add(group)
        if _tokens(offered_tools(context, tools)) > window // PART_OF_WINDOW:
            context.of(Offer).groups.discard(group)


def open_groups_called(context: Context, tools: list[Tool], names: Iterable[str]) -> None:
    """Open the groups of the tools that were called by name."""
    called_tools = set(names)
    context.of(Offer).groups |= {tool.group for tool in tools if tool.name in called_tools and tool.group != "core"}


def offered_tools(context: Context, tools: list[Tool]) -> list[ToolSpec]:
    """Return what the planner is told of the tools that can be called now: the core first."""
    usable, groups = usable_tools(context, tools), context.of(Offer).groups
    others = tuple(group for group in openable(usable) if group not in groups)
    core = [tool.spec() for tool in usable if tool.group == "core" and tool is not OPEN_TOOLS]
    opener = [opener_spec(others)] if others else []
    return core + opener + [tool.spec() for tool in usable if tool.group in groups or tool is USE_SKILL]


def usable_tools(context: Context, tools: Iterable[Tool], group: Group | None = None) -> list[Tool]:
    """Return the tools that would do something in this run, of one group if it is given."""
    return [
        tool
        for tool in tools
        if group in (None, tool.group) and not (tool.keeps and context.is_temporary) and _is_of_use(tool, context)
    ]


def _is_of_use(tool: Tool, context: Context) -> bool:
    if tool is USE_SKILL:
        return any(skill.instructions is None for skill in context.skills)
    return context.of(Offer).has_handles or tool.name not in FOLLOW_UPS


def _tokens(specs: list[ToolSpec]) -> int:
    return estimate(*(json.dumps([spec.name, spec.description, spec.schema]) for spec in specs))
