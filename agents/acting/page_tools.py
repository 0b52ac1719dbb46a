"""The operator's tools. Reads what a model called; says exactly what is wrong.

What each does to a page stands in the table of policy.py.
"""

import json
from dataclasses import dataclass

from pydantic import ValidationError

from agents.acting import calls
from agents.acting.calls import Call
from agents.acting.policy import WAYS, Tool
from agents.llm.messages import ToolRequest, ToolSpec

MISTAKE_CHARACTERS = 200


@dataclass(frozen=True)
class PageTool:
    name: Tool
    arguments: type[Call]
    spec: ToolSpec


class Unclassified(TypeError):
    """A tool of which the table does not say what it does to a page."""


class CallInvalid(ValueError):
    """A call without one plain meaning. The text names the mistake for the model."""


PAGE_TOOLS: dict[str, PageTool] = {}


def _register(name: Tool, description: str, arguments: type[Call]) -> PageTool:
    """Add a tool. Raises Unclassified."""
    if name not in WAYS:
        raise Unclassified(f"nothing is said of what {name} does to a page")
    schema = arguments.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("title", None)
        part.pop("description", None)
        for field in part.get("properties", {}).values():
            field.pop("title", None)
    tool = PageTool(name, arguments, ToolSpec(name, description, schema, zone="operator"))
    PAGE_TOOLS[name] = tool
    return tool


LOOK = _register("look", "See the page again, another part of it, or what is inside of a ref.", calls.Look)
FIND = _register("find", "Find lines by words, by a role, or both.", calls.Find)
_register("click", "Click a control.", calls.Click)
_register("set", "Set a control: a text, true or false, or options. submit sends its form.", calls.Set)
_register("fill", "Set several controls in order.", calls.Fill)
_register("type", "Type a text key by key, where a page listens to keys.", calls.Type)
_register("select", "Choose options of a list.", calls.Select)
_register("check", "Switch a box on or off.", calls.Check)
_register("press", "Press keys in the control that has the focus.", calls.Press)
_register("hover", "Point at something.", calls.Hover)
_register("scroll", "Scroll, to load more.", calls.Scroll)
_register("go", "Go back, forward, anew, to the link of a ref, or to a path of this site.", calls.Go)
_register("wait", "Wait until the page is quiet, a text comes or goes, or a path is reached.", calls.Wait)
ASK = _register("ask", "Ask the owner what only they can know.", calls.Question)
TAKE_OVER = _register(
    "take_over", "Hand the page to the owner: to sign in, prove that they are human, or pay.", calls.TakeOver
)
DONE = _register("done", "End: the goal is reached, in part, or cannot be reached.", calls.Done)
SPECS = tuple(tool.spec for tool in PAGE_TOOLS.values())


def parse(request: ToolRequest) -> tuple[PageTool, Call]:
    """Return the tool and the arguments of a call. Raises CallInvalid."""
    tool = PAGE_TOOLS.get(request.tool)
    if tool is None:
        raise CallInvalid(f"There is no tool {request.tool[:40]!r}. There are: {', '.join(PAGE_TOOLS)}.")
    try:
        return tool, tool.arguments.model_validate(json.loads(request.arguments or "{}"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "its arguments"
        raise CallInvalid(f"{tool.name}: {where}: {first['msg']}."[:MISTAKE_CHARACTERS]) from None
    except (ValueError, RecursionError):
        raise CallInvalid(f"{tool.name}: its arguments are no JSON object.") from None
