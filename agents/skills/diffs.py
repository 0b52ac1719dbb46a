"""What is different between two documents, line by line, for people."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT_LINES = 3


@dataclass(frozen=True)
class Line:
    """`kind`: only in the new one, only in the old one, in both, or so many lines of both that are left out."""

    kind: Literal["added", "removed", "same", "skipped"]
    text: str


def difference(old: str, new: str) -> list[Line]:
    """Return the lines of both that are not the same, with a few around them; none where they are equal."""
    before, after = old.splitlines(), new.splitlines()
    groups = list(SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(CONTEXT_LINES))
    found: list[Line] = []
    shown = 0
    for group in groups:
        found += _skipped(group[0][1] - shown)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                found += [Line("same", text) for text in before[i1:i2]]
                continue
            found += [Line("removed", text) for text in before[i1:i2]] + [Line("added", text) for text in after[j1:j2]]
        shown = group[-1][2]
    return found + (_skipped(len(before) - shown) if groups else [])


def _skipped(count: int) -> list[Line]:
    return [Line("skipped", f"{count} line{'s' if count > 1 else ''} the same")] if count > 0 else []
