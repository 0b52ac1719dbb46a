"""Read the JSON that models write for calls: with small faults, in a fence, twice, or as text within text.

A value is mended only where it stands there whole: what a cut would have left is never completed into another meaning.
"""

import json
import re
from typing import Any

from agents.llm.replies.repaired_json import repair_json

CHARACTERS_MAX = 20_000  # longer faulty JSON is not mended
DEPTH_MAX = 100
_FENCE = re.compile(r"\s*```[\w-]{0,20}[ \t]*\n?(.*?)\n?```\s*", re.DOTALL)
_BETWEEN = re.compile(r"[\s;,]*")
_CLOSERS = re.compile(r"[\s}\]]{0,8}")
_DECODER = json.JSONDecoder(strict=False)


def mend_arguments(arguments: str) -> str:
    """Return the arguments of a call as one JSON object, unchanged where they are one or have no one plain meaning."""
    if not arguments.strip():
        return "{}"
    if isinstance(_strict(arguments), dict):
        return arguments
    values = load_values(arguments) or _first_object(arguments)
    while values is not None and len(values) == 1 and isinstance(values[0], str):
        values = load_values(values[0]) if values[0].lstrip().startswith(("{", '"')) else None
    if values == [None]:
        return "{}"
    objects = [value for value in values or () if isinstance(value, dict)]
    objects = [value for value in objects if value] or objects[:1]  # some servers send {} before the arguments
    unique = {json.dumps(value, sort_keys=True): value for value in objects}
    return json.dumps(next(iter(unique.values()))) if values and len(unique) == 1 else arguments


def load_values(text: str) -> list[Any] | None:
    """Return the JSON values that make up a text, one after another; None where it is something else."""
    if len(text) > CHARACTERS_MAX:
        return None
    if fence := _FENCE.fullmatch(text):
        text = fence[1]
    values, at = list[Any](), _BETWEEN.match(text).end()  # type: ignore[union-attr]  # it matches everywhere
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            if values and _CLOSERS.fullmatch(text, at):
                return values
            mended = _mended(text[at:])
            return None if mended is None else [*values, mended]
        values.append(value)
        at = _BETWEEN.match(text, at).end()  # type: ignore[union-attr]
    return values


def _first_object(text: str) -> list[Any] | None:
    """Return the object that a text begins with, where only words follow."""
    try:
        value, end = _DECODER.raw_decode(text.lstrip()[:CHARACTERS_MAX])
    except (ValueError, RecursionError):
        return None
    return [value] if isinstance(value, dict) and "{" not in text.lstrip()[end:] else None


def _strict(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _mended(text: str) -> Any:
    """Return the one object or list that a faulty text stands for, or None."""
    text = text.strip()
    if text[:1] not in ("{", "["):
        return None
    for closers in ("}", "]", "}]", "}}", "]}", "}}]", "]}}"):
        if (value := _strict(text + closers)) is not None:
            return value
    if text[-1:] not in ("}", "]") or text.count("{") + text.count("[") > DEPTH_MAX:
        return None
    value = repair_json(text)
    is_whole = isinstance(value, dict | list) and all(_stands_in(leaf, text) for leaf in _texts_in(value))
    return value if is_whole else None


def _stands_in(leaf: str, text: str) -> bool:
    return leaf in text or json.dumps(leaf)[1:-1] in text or json.dumps(leaf, ensure_ascii=False)[1:-1] in text


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, inner in value.items() for text in [str(key), *_texts_in(inner)]]
    if isinstance(value, list):
        return [text for inner in value for text in _texts_in(inner)]
    return [value] if isinstance(value, str) else []
