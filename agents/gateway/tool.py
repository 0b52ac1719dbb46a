"""One tool and its classification, and what a planner is told of it."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import BaseModel

from agents.gateway.groups import Group
from agents.llm.messages import ToolSpec
from agents.runs.context import Caller

Runner = Literal["browser", "server"]
# Of a schema: what the gateway checks anyway, and a model has no use for.
_LEFT_OUT = {"title", "default", "minLength", "maxLength", "pattern", "exclusiveMinimum", "exclusiveMaximum"}


@dataclass(frozen=True)
class Tool:
    """One tool and its classification.

    `capability`: what it uses of a host, None if it touches no host; `history` is a browser's history, which the owner
    shares and is asked about. `deadline`: the setting that bounds it. `does`: the words for it in a question to the
    owner. `pages`: how many it opens; `pages_by_others`: it opens them through another tool. `keeps`: it changes
    Penny's data, which a temporary chat must not do. `group`: the tools that a planner sees together with it.
    """

    name: str
    description: str
    arguments: type[BaseModel]
    runs_on: Runner
    capability: Literal["read", "act", "history"] | None
    callers: frozenset[Caller]
    deadline: str
    does: str = "read a page"
    pages: int = 0
    pages_by_others: bool = False
    keeps: bool = False
    group: Group = "core"

    @property
    def acts(self) -> bool:
        """Whether it changes something outside, so that it must not happen twice."""
        return self.capability == "act"

    @property
    def needs_no_browser(self) -> bool:
        return self.runs_on == "server" and not self.pages_by_others

    def spec(self) -> ToolSpec:
        return _spec(self)


class Unclassified(TypeError):
    """A tool that does not say where it runs, what it uses, or who may call it."""


@cache
def _spec(tool: Tool) -> ToolSpec:
    """Cached: pydantic needs half a millisecond for a schema, and every turn offers tools."""
    return ToolSpec(tool.name, tool.description, schema_of(tool.arguments))


def schema_of(arguments: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a tool's arguments, as short as a model can do with."""
    schema = arguments.model_json_schema()
    properties = {name: _short(field) for name, field in schema["properties"].items()}
    required = {"required": schema["required"]} if schema.get("required") else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _short(schema: dict[str, Any]) -> dict[str, Any]:
    """Drop what `_LEFT_OUT` names, and that a field may be null: it may be left out."""
    fields = {key: value for key, value in schema.items() if key not in _LEFT_OUT}
    if "items" in fields:
        fields["items"] = _short(fields["items"])
    values = [option for option in fields.pop("anyOf", []) if option != {"type": "null"}]
    return fields | (_short(values[0]) if values else {})
