"""Split long messages into parts that end with a sentence."""

import re

from devices.channels.channel import Limits

JOINED_MAX = 40  # signs that belong together: a family of emoji has 11
CUT = "(The rest is in the chat: {url})"
_SENTENCE_END = re.compile(r"(?:[.!?…][\"'”’)\]]*(?=\s)|[。！？]|\n)")
_JOINED = re.compile("[\u0300-\u036f\u200d\ufe0f\U0001f3fb-\U0001f3ff]")


def split_parts(text: str, limits: Limits, more_at: str = "") -> list[str]:
    """Split a text into at most `limits.parts` parts that end with a sentence or a line.

    Where neither ends in the second half of a part, it ends with a word. `more_at`: the address of the rest, if that is
    too much.
    """
    parts, cut = list[str](), CUT.format(url=more_at)
    rest = text.strip()
    while len(rest) > (most := limits.fitting(rest)) and len(parts) < limits.parts - 1:
        at = _part_end(rest, most)
        parts.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    if len(rest) > most:
        rest = f"{rest[: _part_end(rest, most - len(cut) - 1)].rstrip()}\n{cut}"
    whole = [*parts, rest] if rest else parts
    return limits.close_parts(whole) if limits.close_parts else whole


def _part_end(text: str, most: int) -> int:
    """Return where the first part ends: after a sentence, else a word, else a character."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, most + 1) if match.end() <= most]
    if ends and ends[-1] >= most // 2:
        return ends[-1]
    space = text.rfind(" ", most // 2, most)
    return space + 1 if space > 0 else _whole(text, most)


def _whole(text: str, at: int) -> int:
    """Return a place at or before `at` that splits no escape, no mark, and no letter from its accents."""
    first = max(1, at - JOINED_MAX)
    for end in range(at, first, -1):
        is_mark = text[end] == text[end - 1] and text[end] in "*|"
        if not (_JOINED.match(text[end]) or text[end - 1] in "\u200d\\" or is_mark):
            return end
    return at
