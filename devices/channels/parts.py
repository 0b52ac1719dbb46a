"""Split long messages into parts that end with a sentence."""

import re

from devices.channels.channel import Limits

CUT = "(The rest is in the chat: {url})"
_SENTENCE_END = re.compile(r"(?:[.!?…][\"'”’)\]]*(?=\s)|[。！？]|\n)")
_JOINED = re.compile("[\u0300-\u036f\u200d\ufe0f\U0001f3fb-\U0001f3ff]")


def split_parts(text: str, limits: Limits, more_at: str = "") -> list[str]:
    """Split a text into at most `limits.parts` parts that end with a sentence or a line.

    Where neither ends in the second half of a part, it ends with a word. `more_at`: the address of the rest, if that is
    too much.
    """
    parts, most = list[str](), limits.characters
    rest = text.strip()
    while len(rest) > most and len(parts) < limits.parts - 1:
        at = _part_end(rest, most)
        parts.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    if len(rest) > most:
        rest = f"{rest[: _part_end(rest, most - len(CUT) - len(more_at))].rstrip()}\n{CUT.format(url=more_at)}"
    return _close_styles([*parts, rest] if rest else parts, limits.marks)


def _part_end(text: str, most: int) -> int:
    """Return where the first part ends: after a sentence, else a word, else a character."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, most + 1) if match.end() <= most]
    if ends and ends[-1] >= most // 2:
        return ends[-1]
    space = text.rfind(" ", most // 2, most)
    return space + 1 if space > 0 else _whole(text, most)


def _whole(text: str, at: int) -> int:
    """Return a place at or before `at` that splits no escape, and no letter from its accents."""
    while at > 1 and (_JOINED.match(text[at]) or text[at - 1] in "\u200d\\"):
        at -= 1
    return at


def _close_styles(parts: list[str], marks: tuple[str, ...]) -> list[str]:
    """Close a style in which a part ends, and open it again in the next part."""
    if not marks:
        return parts
    whole_parts, open_marks = [], ""
    mark = re.compile(rf"(?<!\\)({'|'.join(map(re.escape, marks))})")
    for part in parts:
        whole, inside = open_marks + part, list[str]()
        for token in mark.findall(whole):
            inside.pop() if inside and inside[-1] == token else inside.append(token)
        whole_parts.append(whole + "".join(reversed(inside)))
        open_marks = "".join(inside)
    return whole_parts
