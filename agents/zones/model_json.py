"""Find the JSON object that a model wrote, whatever it wrote around it and however broken it is.

Text that is JSON is decoded; only what is not is repaired. Imports no Django.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from agents.llm.replies.repaired_json import repair_json

REPAIR_CHARACTERS = 40_000  # a longer text is cut: a whole reading has less
DEPTH_MAX, ITEMS_MAX = 3, 50  # where an object is looked for within another
FAILURES_MAX = 200  # of decoding: each counts the lines before it
READS_FREE = 20_000  # characters that may be read in vain, besides four for each one of the text
_BEGIN = re.compile(r'\{(?=\s{0,99}["}])|\[(?=\s{0,99}[\[{"\]\w-])')
_DECODER = json.JSONDecoder(strict=False)

Score = Callable[[dict[str, Any]], int]


class ReadingInvalid(ValueError):
    """An answer of which nothing is usable. The text says why, and never repeats the answer."""


def best_object(answer: str, score: Score, best_score: int, fields: set[str]) -> dict[str, Any]:
    """Return the object in an answer with the highest score, the last one of equals.

    Raises ReadingInvalid if none scores. `best_score`: what a whole object scores. `fields`: its names, to know an
    object without braces.
    """
    best = _best(list(_decoded(answer)), score)
    if score(best) < best_score:
        best = _best([best, _repaired(answer, fields)], score)
    if score(best) <= 0:
        raise ReadingInvalid("the answer: holds no JSON object with the fields")
    return best


def _best(values: list[Any], score: Score) -> dict[str, Any]:
    objects = list(_objects(values, DEPTH_MAX))
    return max(reversed(objects), key=score, default={})


def _objects(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield the objects in a value, also those that it holds as text."""
    if isinstance(value, dict):
        yield value
    if depth < 0:
        return
    if isinstance(value, dict | list):
        for inner in list(value.values() if isinstance(value, dict) else value)[:ITEMS_MAX]:
            yield from _objects(inner, depth - 1)
    elif isinstance(value, str) and value.lstrip()[:1] in ("{", '"'):
        yield from _objects(list(_decoded(value)), depth - 1)


def _decoded(text: str) -> Iterator[Any]:
    """Yield the whole JSON values in a text. What was read in vain counts, so that the time stays linear."""
    end, failures_left, looks_left = 0, FAILURES_MAX, 4 * len(text) + READS_FREE
    if text.lstrip()[:1] == '"':
        try:
            yield _DECODER.decode(text)
            return
        except (ValueError, RecursionError):
            pass
    for begin in _BEGIN.finditer(text):
        if begin.start() < end:
            continue
        try:
            value, end = _DECODER.raw_decode(text, begin.start())
            yield value
        except json.JSONDecodeError as error:
            failures_left, looks_left = failures_left - 1, looks_left - (error.pos - begin.start())
        except (ValueError, RecursionError):  # a number of thousands of digits, or too deep
            return
        if failures_left < 0 or looks_left < 0:
            return


def _repaired(answer: str, fields: set[str]) -> Any:
    """Return what the repair makes of an answer from its first field on."""
    names = "|".join(map(re.escape, fields))
    begin = re.search(
        rf"(\{{\s{{0,99}})?[\\\\\"'“‘`*]{{0,4}}\b({names})\b[\\\\\"'”’`*]{{0,4}}\s{{0,99}}[:=]", answer, re.IGNORECASE
    )
    if begin is None:
        return None
    text = answer[begin.start() : begin.start() + REPAIR_CHARACTERS]
    return repair_json(text if begin[1] else "{" + text)
