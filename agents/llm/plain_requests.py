"""Rewrite a request for a model that takes no tools or no system role: both become words. Imports no Django."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from agents.llm.messages import CallTurn, PageTurn, Request, ResultTurn, TextTurn, ToolSpec, Turn

Lack = Literal["tools", "system"]

TOOLS = """You can call these tools. To call one, answer with one JSON object and nothing else: \
{{"name": the tool, "arguments": an object that fits its JSON Schema}}. For several calls answer with a list of such \
objects. Their results come with the next message. Without a call, answer in words.
{tools}"""


def plain_turns(request: Request, instructions: str, lacks: Collection[Lack]) -> tuple[str, tuple[Turn, ...]]:
    """Return the instructions and turns that say the same without what the model lacks.

    Without a system role the first turn holds the instructions, and turns of one side are joined: such models want
    both sides to take turns.
    """
    turns = request.turns
    if "tools" in lacks:
        instructions = (
            f"{instructions}\n\n{TOOLS.format(tools=_listed(request.tools))}" if request.tools else instructions
        )
        turns = tuple(_in_words(turn) for turn in turns)
    if "system" in lacks:
        begin = TextTurn("user", instructions)
        instructions, turns = "", _joined((begin, *turns))
    return instructions, turns


def _listed(tools: tuple[ToolSpec, ...]) -> str:
    return "\n".join(f"- {tool.name}: {tool.description} Its arguments: {json.dumps(tool.schema)}" for tool in tools)


def _in_words(turn: Turn) -> Turn:
    if isinstance(turn, CallTurn):
        calls = [json.dumps({"name": call.tool, "arguments": call.arguments}) for call in turn.requests]
        return TextTurn("assistant", "\n".join(filter(None, (turn.text, *calls))))
    if isinstance(turn, ResultTurn):
        return TextTurn("user", f"The result of {turn.request.tool}: {json.dumps(turn.content)}")
    if isinstance(turn, PageTurn):
        return TextTurn("user", f"The result of {turn.request.tool}:\n{turn.text}")
    return turn


def _joined(turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
    joined: list[Turn] = []
    for turn in turns:
        last = joined[-1] if joined else None
        if isinstance(turn, TextTurn) and isinstance(last, TextTurn) and last.role == turn.role:
            joined[-1] = replace(last, text=f"{last.text}\n\n{turn.text}", picture=last.picture or turn.picture)
        else:
            joined.append(turn)
    return tuple(joined)
