"""Print how many tools a planner sees, and their tokens as they are sent: `python -m tests.bench.planner_tools`.

A token is taken to be 3.5 characters of JSON, fewer than of English text. Fails where the core is above its bounds.
"""

import asyncio
import json
import math
import sys
from collections.abc import Sequence
from datetime import date
from typing import Any

from tests.bench.reality.__main__ import set_up

TOOLS_MAX, TOKENS_MAX = 9, 1_100
CHARACTERS_PER_TOKEN = 3.5


async def tools_sent(specs: Sequence[Any]) -> list[dict[str, Any]]:
    """Return the tools of a planner's request as a model's server gets them."""
    from agents.llm.client import ask
    from agents.zones.inputs import Private
    from agents.zones.planner import planner_request
    from tests.agents.llm.streams import DONE, delta, serve

    async def record(_: object) -> None:
        pass

    request = planner_request(Private("Ada"), date(2026, 11, 25), [], Private("Go"), [], specs)
    with serve([delta(content="Hi."), delta("stop"), DONE]) as server:
        await ask(server.endpoint, request, record)
    return list(server.bodies[0].get("tools") or [])


def tokens_of(tools: Sequence[dict[str, Any]]) -> int:
    return math.ceil(len(json.dumps(tools, ensure_ascii=False)) / CHARACTERS_PER_TOKEN)


def specs_offered(*groups: str, may_act: bool = True) -> list[Any]:
    """Return what the planner is told where every tool can be called, and the conversation has handles."""
    from constance.utils import get_values

    from agents.answers.offered_tools import Offer, offered_tools
    from agents.gateway.catalog import ACT, TOOLS
    from agents.models import Run
    from agents.runs.context import Context
    from agents.runs.handles import Handles
    from tests.agents.background import NO_MODELS

    context = Context(Run(kind="turn"), "planner", Handles([]), "", NO_MODELS, get_values())
    offer = context.of(Offer)
    offer.groups, offer.has_handles = set(groups), True
    return offered_tools(context, [tool for tool in TOOLS.values() if may_act or tool is not ACT])


def main() -> int:
    set_up()
    from agents.gateway.groups import GROUPS

    def show(label: str, specs: list[Any]) -> tuple[int, int]:
        tools = asyncio.run(tools_sent(specs))
        print(f"{label:20} {len(tools):3} tools {tokens_of(tools):6,} tokens")
        return len(tools), tokens_of(tools)

    show("core", specs_offered(may_act=False))
    number, tokens = show("core, Act mode", specs_offered())
    for group in GROUPS:
        show(f"with {group}", specs_offered(group))
    show("with all", specs_offered(*GROUPS))
    print(f"bounds of the core: {TOOLS_MAX} tools, {TOKENS_MAX:,} tokens")
    return int(number > TOOLS_MAX or tokens > TOKENS_MAX)


if __name__ == "__main__":
    sys.exit(main())
