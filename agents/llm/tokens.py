"""Estimate tokens from above, for every script; cut texts to a number of tokens. Imports no Django.

No tokenizer of the model is at hand. The weights are those of usual ones where they need many tokens.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from agents.llm.messages import CallTurn, PageTurn, Request, ResultTurn, TextTurn, ToolSpec, Turn

PICTURE_TOKENS = 1_500  # about what vision models count for one
WORTH, FAR_ABOVE = 1_500, 1.7  # tokens of a request that is looked at, and by how much an estimate may be too high
TURN_TOKENS = 8  # that a server's template puts around each message
# Tokens of one character, by the first code point of each range.
_LETTER, _DIGIT, _MARK = 1 / 3.6, 0.6, 0.4
_RANGES = (
    (0x10000, 2.5),  # emoji, rare characters
    (0x2E80, 1.3),  # Chinese, Japanese, Korean
    (0x2000, 1.0),  # typography, symbols
    (0x1E00, 0.9),  # Vietnamese
    (0x1000, 2.2),  # Burmese, Georgian, Amharic, Khmer
    (0x0900, 1.1),  # the scripts of India, Thai, Lao
    (0x0530, 0.9),  # Armenian, Hebrew, Arabic
    (0x0400, 0.6),  # Cyrillic
    (0x0250, 0.9),  # Greek
    (0x0080, 0.8),  # letters with accents
)


@lru_cache(maxsize=4096)
def _weight(character: str) -> float:
    point = ord(character)
    if point < 0x80:
        return _DIGIT if character.isdigit() else _LETTER if character.isalpha() or character == " " else _MARK
    return next(weight for first, weight in _RANGES if point >= first)


def tokens_of(text: str) -> int:
    """Return how many tokens a text has at most, in usual models."""
    return round(sum(count * _weight(character) for character, count in Counter(text).items())) + bool(text)


def cut_to(text: str, tokens: int) -> str:
    """Return the beginning of a text that has at most so many tokens; it ends with a line or a word where it can.

    Takes time by the tokens, not by the length of the text.
    """
    most = int((tokens + 1) / _LETTER) + 1  # more characters have more tokens, whatever they are
    if len(text) <= most and tokens_of(text) <= tokens:
        return text
    low, high = 0, min(len(text), most)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if tokens_of(text[:middle]) <= tokens else (low, middle - 1)
    part = text[:low]
    for end in ("\n", " "):
        head = part.rpartition(end)[0]
        if len(head) > 0.7 * len(part):
            return head.rstrip()
    return part


def parts_of(text: str, tokens: int) -> Iterator[tuple[int, str]]:
    """Yield a text in parts of at most so many tokens, each with its start. `tokens` is above zero."""
    tokens, start = max(tokens, 1), 0
    most = int((tokens + 2) / _LETTER) + 2
    while start < len(text):
        part = cut_to(text[start : start + most], tokens) or text[start : start + 1]
        yield start, part
        start += len(part)
        while start < len(text) and text[start].isspace():
            start += 1


def request_tokens(request: Request) -> int:
    """Return how many tokens a request has at most, with its tools and its schema."""
    return (
        tokens_of(request.instructions)
        + sum(map(turn_tokens, request.turns))
        + sum(map(_tool_tokens, request.tools))
        + (tokens_of(json.dumps(request.schema)) if request.schema is not None else 0)
        + TURN_TOKENS
    )


def is_far_less(counted: int, sent: int) -> bool:
    """Whether a server counted far less than was sent, by the estimate. It may have cut it, or left out a part."""
    return sent >= WORTH and 0 < counted * FAR_ABOVE < sent


@lru_cache(maxsize=256)
def _tool_tokens(tool: ToolSpec) -> int:
    return tokens_of(f"{tool.name}: {tool.description} {json.dumps(tool.schema)}") + TURN_TOKENS


def turn_tokens(turn: Turn) -> int:
    if isinstance(turn, CallTurn):
        return TURN_TOKENS + tokens_of(turn.text + "".join(call.tool + call.arguments for call in turn.requests))
    if isinstance(turn, ResultTurn):
        return TURN_TOKENS + tokens_of(json.dumps(turn.content))
    assert isinstance(turn, TextTurn | PageTurn)
    return TURN_TOKENS + tokens_of(turn.text) + (PICTURE_TOKENS if isinstance(turn, TextTurn) and turn.picture else 0)
