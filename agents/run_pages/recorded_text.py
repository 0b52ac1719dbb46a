"""Recorded requests and results as plain text for the page of a run."""

import json
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Part:
    """One field as text. Invisible characters appear as their codes."""

    name: str
    text: str


def parts(value: dict[str, Any]) -> Iterator[Part]:
    """Yield every field. A conversation is one part for each turn, so that its lines stay lines."""
    for name, field in value.items():
        if name == "turns" and isinstance(field, list):
            yield from (_turn(turn) for turn in field)
        else:
            yield Part(name, visible(field if isinstance(field, str) else _json(field)))


def _turn(turn: dict[str, Any]) -> Part:
    only_text = set(turn) == {"role", "text"}
    return Part(str(turn.get("role", "turn")), visible(turn["text"] if only_text else _json(turn)))


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def visible(text: str) -> str:
    """Replace characters without a shape (controls, direction marks, joiners) by their codes."""
    return "".join(
        letter if letter in "\n\t" or unicodedata.category(letter)[0] != "C" else f"\\u{ord(letter):04x}"
        for letter in text
    )
