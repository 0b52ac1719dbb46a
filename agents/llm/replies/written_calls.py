"""Find the calls of tools that a model writes as text.

A call is carried out where it has one plain meaning: it ends the answer, stands outside of quoted code, and names an
offered tool. In a tag or token that only calls have it is a call in any case, and never part of the answer.
"""

import ast
import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from agents.llm.replies.sloppy_json import load_values, mend_arguments

CALLS_MAX, CALL_CHARACTERS = 16, 20_000  # a longer text is an answer
NAME_CHARACTERS = 64
_TAGS = (
    r"tool[_ -]?calls?|function[_ -]?calls?|toolcall|functioncall|tool_use|tool_code|tool_request|use_tool|call_tool|"
    r"start_function_call|end_function_call|action|tools"
)
# What only calls have, at their begin.
_MARK = re.compile(
    rf"<(?:[a-z]{{1,12}}:|｜DSML｜)?(?:{_TAGS})>(?=\s{{0,20}}(?:[{{\[<]|call:|[\w.-]{{1,80}}\s{{0,20}}(?:[{{<(\n]|\Z)))|"
    r"<(?:[a-z]{1,12}:|｜DSML｜)?(?:function|invoke|tool)(?:=|[ \t]+name=)[^<>\n]{1,80}>|"
    rf"<\|(?:{_TAGS}|tool[_▁]calls?[_▁](?:section[_▁])?begin|python_tag|action_start|start_action)\|?>|"
    r"<｜tool▁calls?▁begin｜>|\[tool_calls?\]|functools(?=\[)|✿FUNCTION✿|"
    r"(?:<\|start\|>assistant)?<\|channel\|>[^<\n]{0,40}\bto=|<\|tool_call>",
    re.IGNORECASE,
)
# What a model makes up after its calls.
_RESULT = re.compile(
    r"<(?:tool_response|tool_result|tool_results|function_results?|function_response|observation)s?>|\[TOOL_RESULTS\]|"
    r"<\|(?:im_start|start_header_id|tool_response|observation|user)\|>|<｜tool▁outputs▁begin｜>|✿RESULT✿|"
    r"\n\s{0,8}(?:Observation|Result|Tool result):|<\|start\|>functions",
    re.IGNORECASE,
)
_TOKEN = re.compile(
    rf"</?(?:{_TAGS}|calls)[ \t]*>|<\|[^|<>\n]{{1,40}}\|?>|"
    r"<[a-z_]{1,20}\|>|<｜[^｜<>\n]{1,40}｜>|</s>|\[/?tool_calls?\]|\[ARGS\]|\[CALL_ID\][ \t]*[\w-]{0,60}|"
    r"functools(?=\[)|"
    r"✿FUNCTION✿[ \t]*[:：]?|✿ARGS✿[ \t]*[:：]?",
    re.IGNORECASE,
)
_SPACE = re.compile(r"<(/?)(?:[a-z]{1,12}:|｜DSML｜)", re.IGNORECASE)
_FUNCTION = re.compile(
    r"<(function|invoke|tool)(?:=|[ \t]+name=)[\"']?([\w.:-]{1,80})[\"']?[ \t]*>(.*?)"
    r"(?:</\1>|(?=<(?:function|invoke|tool)(?:=|[ \t]+name=))|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_PARAMETER = re.compile(
    r"<(parameter|param|arg)(?:=|[ \t]+name=)[\"']?([\w.-]{1,80})[\"']?(?:[ \t]+[^<>\n]{0,80})?>(.*?)"
    r"(?:</(?:parameter|param|arg)>|(?=<(?:parameter|param|arg)(?:=|[ \t]+name=))|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_GLM_ARGUMENT = re.compile(r"<arg_key>(.{1,80}?)</arg_key>\s{0,20}<arg_value>(.*?)</arg_value>", re.DOTALL)
_NAME = re.compile(r"(?:[\w ]{0,24}\bto=)?((?:functions?[.:])?[\w.-]{1,80}?)(?::\d{1,4})?\s*(?:json|code)?")
_NAME_FIRST = re.compile(
    r"(?:call:|to=)?((?:functions?[.:])?[\w.-]{1,80}?)(?::\d{1,4})?\s{0,20}(?:```\w{0,10}\s{0,4})?(?=[{])"
)
_NOISE = {
    "function",
    "functions",
    "json",
    "assistant",
    "commentary",
    "analysis",
    "call",
    "code",
    "tool",
    "",
    "`",
    "```",
}
_LAST_FENCE = re.compile(r"```[ \t]{0,4}([\w-]{0,20})[ \t]*\n((?:(?!```).)*)(?:```\s*)?\Z", re.DOTALL)
_REACT = re.compile(
    r"(?:^|\n)[ \t*]{0,8}(?:Action|Tool|Tool name|Function)[ \t*]{0,4}:[ \t*`]{0,8}([\w.-]{1,80})[ \t*`]{0,8}\n"
    r"[ \t*]{0,8}(?:Action Input|Tool Input|Input|Arguments|Args|Parameters)[ \t*]{0,4}:[ \t*]{0,8}(.*)\Z",
    re.DOTALL | re.IGNORECASE,
)
_ACTION_LIST = re.compile(
    r"(?:^|\n)[ \t*#]{0,8}(?:Action|Actions|Tool calls?|Function calls?)[ \t*]{0,4}:[\s*]{0,8}(?=```|\[|\{|\Z)",
    re.IGNORECASE,
)
_JSON_LINE = re.compile(r"(?m)^[ \t]{0,8}(?=[{\[]|<\w{1,60}>)")
_OWN_TAG = re.compile(r"<(\w{1,60})>(.*)</\1>\s*\Z", re.DOTALL)
_PYTHON = re.compile(r"\[?\s{0,8}(?:print\()?[\w.]{1,80}\(")
_NAME_KEYS = ("name", "tool", "tool_name", "function_name", "recipient_name", "function", "action", "call")
_ARGUMENT_KEYS = (
    *("arguments", "parameters", "args", "input", "params", "kwargs", "action_input", "tool_input", "tool_arguments"),
    "arguments_json",
)
_LISTS = ("tool_calls", "function_call", "tool_call", "tool_uses", "calls", "function_calls", "tools", "tool_use")

Call = tuple[str, str]  # the name of a tool, and the JSON of its arguments


@dataclass(frozen=True)
class Written:
    """What a text says: words for the owner, and calls. `is_unclear`: a call stands in it that cannot be read."""

    words: str
    calls: list[Call]
    is_unclear: bool = False


def tool_name(name: str, tools: Collection[str]) -> str:
    """Return the offered tool that a name means, the name itself if none."""
    if name in tools:
        return name
    plain = re.split(r"<\||\s", name.strip(), maxsplit=1)[0]
    plain = re.sub(r"^(?:functions?|default_api|tools?|api|call)[.:]", "", plain)
    folded = {tool.casefold().replace("-", "_"): tool for tool in tools}
    return folded.get(plain.casefold().replace("-", "_").strip("`\"'*()"), name)[:NAME_CHARACTERS]


def read_written(text: str, tools: Collection[str]) -> Written:
    """Tell the calls in a whole text from the words in it."""
    if mark := first_mark(text):
        words, body = text[: mark.start()].rstrip(), text[mark.start() :]
        result = _RESULT.search(body)
        calls = _parse_marked(body[: result.start()] if result else body, tools) if len(body) <= CALL_CHARACTERS else []
        is_clear = 0 < len(calls) <= CALLS_MAX
        return Written(words, calls if is_clear else [], is_unclear=not is_clear)
    bare = _parse_bare(text, tools) if tools else None
    return Written(bare[0], bare[1]) if bare else Written(text, [])


def first_mark(text: str) -> re.Match[str] | None:
    """Return the first mark that only calls have, outside of quoted code."""
    place = fences = 0
    for mark in _MARK.finditer(text):
        fences, place = fences + text.count("```", place, mark.start()), mark.start()
        line = text[max(0, place - 400) : place].rpartition("\n")[2]
        opening = text[text.rfind("```", 0, place) :][:20] if fences % 2 else ""
        is_call_fence = re.match(r"```(?:tool|xml|json|\s)", opening) and text.startswith(("<", "`"))
        if (
            (fences % 2 == 0 or (is_call_fence and not text[place:].partition("```")[2].strip()))
            and line.count("`") % 2 == 0
            and not line.endswith(('"', "'", "“"))
        ):
            return mark
    return None


def _parse_marked(body: str, tools: Collection[str]) -> list[Call]:
    """Return the calls that make up a marked text, none if anything in it is something else."""
    body = _SPACE.sub(r"<\1", body)
    calls, rest, end = list[Call](), list[str](), 0
    for function in _FUNCTION.finditer(body):
        rest.append(body[end : function.start()])
        end = function.end()
        calls.append((tool_name(function[2], tools), _arguments_in(function[3])))
    pieces = [piece.strip() for piece in _TOKEN.split("\n".join([*rest, body[end:]]) if calls else body)]
    name = ""
    for piece in pieces:
        if all(word in _NOISE for word in piece[:80].lower().strip(" :.").split(" ")):
            continue
        if (match := _NAME.fullmatch(piece)) and (plain := tool_name(match[1], tools)) in tools:
            calls += [(name, "{}")] if name else []
            name = plain
            continue
        new = [(name, mend_arguments(piece))] if name and piece[:1] in ("{", "`") else _parse_piece(piece, tools)
        if not new or any(not is_object(arguments) for _, arguments in new):
            return []
        calls, name = calls + new, ""
    return [*calls, (name, "{}")] if name else calls


def _parse_piece(piece: str, tools: Collection[str]) -> list[Call]:
    """Return the calls that a piece between marks holds."""
    if glm := list(_GLM_ARGUMENT.finditer(piece)):
        name = piece[: glm[0].start()].strip()
        return [(tool_name(name, tools), json.dumps({match[1].strip(): _value(match[2]) for match in glm}))]
    children = _children(piece) if piece[:1] == "<" else {}
    if "name" in children or "tool_name" in children:
        return _calls_in(children, tools)
    if match := _NAME_FIRST.match(piece):
        return [(tool_name(match[1], tools), mend_arguments(piece[match.end() :].strip().removesuffix("```")))]
    if piece[:1] in ("{", "[", "`") and (values := load_values(piece)) is not None:
        calls = [call for value in values for call in _calls_in(value, tools)]
        return calls if all(name for name, _ in calls) else []
    return _python_calls(piece, tools)


def _parse_bare(text: str, tools: Collection[str]) -> tuple[str, list[Call]] | None:
    """Return the words and the calls of a text whose calls have no mark. They name offered tools and end the text."""
    text = text.strip()
    result = _RESULT.search(text)
    text = text[: result.start()].rstrip() if result else text
    for words, source in _candidates(text):
        if len(source) > CALL_CHARACTERS:
            continue
        calls = _parse_source(source, tools)
        if 0 < len(calls) <= CALLS_MAX and all(name in tools and is_object(arguments) for name, arguments in calls):
            return words.rstrip(), calls
        if calls and not words and all(name for name, _ in calls):
            return None
    return None


def _candidates(text: str) -> list[tuple[str, str]]:
    """Return how a text may be split into words and calls, likeliest first."""
    if fence := _LAST_FENCE.search(text, max(0, len(text) - CALL_CHARACTERS)):
        words = text[: fence.start()]
        is_open = words.count("```") % 2
        words = words[: header.start()] if (header := _ACTION_LIST.search(words)) else words
        return [] if is_open else [(words, fence[2].strip())]
    if react := _REACT.search(text):
        source = json.dumps({"name": react[1], "arguments": mend_arguments(react[2].strip().strip("`"))})
        return [(text[: react.start()], source)]
    if action := _ACTION_LIST.search(text):
        return [(text[: action.start()], text[action.end() :])]
    if text[:1] in ("{", "[") or _PYTHON.match(text) or _NAME_FIRST.match(text):
        return [("", text)]
    starts = [match.end() for match in _JSON_LINE.finditer(text, max(0, len(text) - CALL_CHARACTERS))]
    return [(text[:start], text[start:]) for start in starts[:4] if text.count("```", 0, start) % 2 == 0]


def _parse_source(source: str, tools: Collection[str]) -> list[Call]:
    if calls := _python_calls(source, tools):
        return calls
    if match := _NAME_FIRST.match(source):
        return [(tool_name(match[1], tools), mend_arguments(source[match.end() :]))]
    if (tag := _OWN_TAG.match(source)) and tool_name(tag[1], tools) in tools:
        return [(tool_name(tag[1], tools), _arguments_in(tag[2]))]
    if source[:1] in ("{", "[") and (values := load_values(source)) is not None:
        return [call for value in values for call in _calls_in(value, tools)]
    return []


def _calls_in(value: Any, tools: Collection[str]) -> list[Call]:
    """Return the calls in a JSON value; what is no call has an empty name."""
    if isinstance(value, list):
        return [call for item in value[: CALLS_MAX + 1] for call in _calls_in(item, tools)] or [("", "{}")]
    if not isinstance(value, dict):
        return [("", "{}")]
    if (key := next((key for key in _LISTS if isinstance(value.get(key), dict | list)), None)) is not None:
        return _calls_in(value[key], tools)
    if isinstance(function := value.get("function"), dict):
        return _calls_in(function, tools)
    if len(value) == 1 and isinstance(arguments := next(iter(value.values())), dict | str):
        name = tool_name(str(next(iter(value))), tools)
        if name in tools and (isinstance(arguments, dict) or not arguments):
            return [(name, json.dumps(arguments or {}))]
    name = next((value[key] for key in _NAME_KEYS if isinstance(value.get(key), str)), "")
    key = next((key for key in _ARGUMENT_KEYS if key in value), None)
    arguments = value[key] if key else None
    if key is None:
        arguments = {key: inner for key, inner in value.items() if key not in (*_NAME_KEYS, "type", "id")}
        arguments = arguments if tool_name(name, tools) in tools else {}
    return [(tool_name(name, tools) if name else "", _as_json(arguments))]


def _arguments_in(body: str) -> str:
    """Return the arguments of a function in XML: a JSON object, or one tag for each."""
    if parameters := list(_PARAMETER.finditer(body)):
        return json.dumps({match[2]: _value(match[3]) for match in parameters})
    body = body.strip()
    return mend_arguments(body) if body[:1] in ("{", "`") else json.dumps(_children(body))


def _children(body: str) -> dict[str, Any]:
    return {match[1]: _value(match[2]) for match in re.finditer(r"<(\w{1,60})>([^<]*)</\1>", body)}


def _value(text: str) -> Any:
    """Return a value that is written without quotes: JSON where it is a number, list or object, else the text."""
    text = text.strip()
    if text[:1] in ("{", "[") or re.fullmatch(r"-?\d{1,15}|true|false|null", text):
        values = load_values(text)
        return values[0] if values and len(values) == 1 else text
    return text


def _python_calls(source: str, tools: Collection[str]) -> list[Call]:
    """Return the calls that are written as Python, with named values."""
    if len(source) > CALL_CHARACTERS or not _PYTHON.match(source):
        return []
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    nodes = [statement.value if isinstance(statement, ast.Expr) else statement for statement in statements]
    nodes = [inner for node in nodes for inner in (node.elts if isinstance(node, ast.List | ast.Tuple) else [node])]
    calls = [_python_call(node, tools) for node in nodes]
    return [call for call in calls if call] if all(calls) else []


def _python_call(node: ast.AST, tools: Collection[str]) -> Call | None:
    if not isinstance(node, ast.Call):
        return None
    name = ast.unparse(node.func).removesuffix(".call")
    if name == "print" and len(node.args) == 1:
        return _python_call(node.args[0], tools)
    try:
        arguments = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg}
        as_json = json.dumps(arguments)
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None
    return (tool_name(name, tools), as_json) if not node.args and len(arguments) == len(node.keywords) else None


def _as_json(arguments: Any) -> str:
    return mend_arguments(arguments) if isinstance(arguments, str) else json.dumps(arguments or {})


def is_object(arguments: str) -> bool:
    """Whether arguments are a JSON object."""
    try:
        return isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return False
