"""Compare two documents line by line, for people."""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT_LINES = 3


@dataclass(frozen=True)
class Line:
    """One line of a comparison; `skipped` stands for several equal lines that are left out."""

    kind: Literal["added", "removed", "same", "skipped"]
    text: str


def difference(old: str, new: str) -> list[Line]:
    """Return the lines that differ, with a few around them. Equal documents give an empty list."""
    before, after = old.splitlines(), new.splitlines()
    groups = list(SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(CONTEXT_LINES))
    lines: list[Line] = []
    end = 0
    for group in groups:
        lines += _skipped_lines(group[0][1] - end)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [Line("same", text) for text in before[i1:i2]]
                continue
            lines += [Line("removed", text) for text in before[i1:i2]] + [Line("added", text) for text in after[j1:j2]]
        end = group[-1][2]
    return lines + (_skipped_lines(len(before) - end) if groups else [])


def _skipped_lines(count: int) -> list[Line]:
    return [Line("skipped", f"{count} line{'s' if count > 1 else ''} the same")] if count > 0 else []
