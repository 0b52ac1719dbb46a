"""Tell a model's answer from what it writes to itself, and from calls that it writes as text."""

import json
import re
from collections.abc import Collection
from typing import Any

# What begins a thought, at the start of a line, and what ends it.
_THOUGHTS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
    "<|channel|>analysis<|message|>": "<|channel|>final<|message|>",
}
# The end alone: some servers leave the begin in the prompt.
_END_ALONE = re.compile(rf"(?:{'|'.join(re.escape(end) for end in _THOUGHTS.values())})[ \t]*\n")
_TAGGED_CALL = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
_FENCED = re.compile(r"```(?:json|tool_call|tool_code)?[ \t]*\n(.*)\n```", re.DOTALL)
CALLS_MAX, CALL_CHARACTERS = 16, 20_000  # a longer text is an answer


class VisibleText:
    """The part of a streamed text that is the answer. What may still become a tag is held back."""

    def __init__(self) -> None:
        self._waiting, self._end, self._is_line_start, self._has_begun = "", "", True, False

    def feed(self, text: str) -> str:
        """Return what can be shown now."""
        self._waiting += text
        pieces: list[str] = []
        while self._waiting:
            if self._end and not self._skip_thought():
                break
            if self._is_line_start:
                self._waiting = self._waiting if self._has_begun else self._waiting.lstrip()
                if (begin := _opening(self._waiting)) == "":
                    break  # it may become a tag
                if begin:
                    self._waiting, self._end = self._waiting[len(begin) :], _THOUGHTS[begin]
                    continue
            line, newline, self._waiting = self._waiting.partition("\n")
            self._is_line_start, self._has_begun = bool(newline), self._has_begun or bool(line)
            pieces.append(line + newline)
        return "".join(pieces)

    def rest(self) -> str:
        """Return what was held back and became no tag. A thought without an end is no answer."""
        return "" if self._end else self._waiting

    def _skip_thought(self) -> bool:
        """Drop a thought up to its end; return whether the end has come."""
        _, end, rest = self._waiting.partition(self._end)
        self._waiting = rest if end else self._waiting[1 - len(self._end) :]
        if end:
            self._end, self._is_line_start = "", True
        return bool(end)


def visible_text(text: str) -> str:
    """Return a whole answer without the thoughts in it."""
    visible = VisibleText()
    # By lines: the rest of a long text would be copied for each of its lines.
    visible_part = "".join(map(visible.feed, text.splitlines(keepends=True))) + visible.rest()
    *_, after = _END_ALONE.split(visible_part)
    return after.lstrip() if after != visible_part else visible_part


def calls_in(text: str, tools: Collection[str]) -> list[tuple[str, str]]:
    """Return the calls that make up a whole text: the name of an offered tool, and the JSON of its arguments."""
    text = text.strip()
    if len(text) > CALL_CHARACTERS:
        return []
    if tagged := _TAGGED_CALL.findall(text):
        sources, is_all = tagged, not _TAGGED_CALL.sub("", text).strip()
    else:
        fenced = _FENCED.fullmatch(text)
        sources, is_all = [fenced[1] if fenced else text], True
    calls = [call for source in sources for call in _parse_calls(source)]
    is_meant = is_all and 0 < len(calls) <= CALLS_MAX and all(name in tools for name, _ in calls)
    return calls if is_meant else []


def _parse_calls(source: str) -> list[tuple[str, str]]:
    """Return the calls in a JSON text, one or a list; nameless ones have an empty name."""
    if source[:1] not in ("{", "["):
        return []
    try:
        value = json.loads(source)
    except (ValueError, RecursionError):
        return []
    return [_call_of(item) for item in (value if isinstance(value, list) else [value])]


def _call_of(item: Any) -> tuple[str, str]:
    call = item.get("function", item) if isinstance(item, dict) else {}
    if not isinstance(call, dict):
        return "", ""
    name = call.get("name", call.get("tool", ""))
    arguments = call.get("arguments", call.get("parameters", {}))
    return (name if isinstance(name, str) else ""), (arguments if isinstance(arguments, str) else json.dumps(arguments))


def _opening(text: str) -> str | None:
    """Return the tag that a text begins with, an empty text if it may become one, as nothing may, and None if not."""
    begins = [tag for tag in _THOUGHTS if text.startswith(tag)]
    return begins[0] if begins else "" if any(tag.startswith(text) for tag in _THOUGHTS) else None
