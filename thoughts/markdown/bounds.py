"""Keep what a text becomes in proportion to its length.

A short row of a table is filled up to its width, and a reference repeats its address wherever it is named: 2 kB of
either become hundreds of times as much.
"""

import sys

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, reference
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

CELLS_ADDED = 2000  # to rows that are too short; the table ends there
ADDRESS_CHARACTERS = 100_000  # of all links together; those behind are words
# Signs at which the parser looks twice, and signs of the HTML at which a gate does. Both are about 1 s of work on a
# slow machine, and three times what a dense table of the longest message has.
MARKS, SIGNS = "[|<&*_~`$\\", "<&"
MARKS_MAX, SIGNS_MAX = 12_000, 12_000

# The library reads its own bound of 65,536 from there for each row.
sys.modules["markdown_it.rules_block.table"].MAX_AUTOCOMPLETED_CELLS = CELLS_ADDED  # type: ignore[attr-defined]


def has_too_many_marks(text: str) -> bool:
    return sum(map(text.count, MARKS)) > MARKS_MAX


def has_too_many_signs(html: str) -> bool:
    return sum(map(html.count, SIGNS)) > SIGNS_MAX


def bounds(md: MarkdownIt) -> None:
    md.block.ruler.at("reference", _reference)
    md.core.ruler.push("address_bound", _bound_addresses)


def _reference(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Leave the text of a footnote: nothing here shows notes, and as a reference it would vanish."""
    begins = state.bMarks[start] + state.tShift[start]
    return not state.src.startswith("[^", begins) and reference(state, start, end, silent)


def _bound_addresses(state: StateCore) -> None:
    left = ADDRESS_CHARACTERS
    for token in (child for block in state.tokens for child in block.children or ()):
        if token.type == "link_open":
            left -= len(str(token.attrs.get("href", "")))
        if left < 0 and token.type in ("link_open", "link_close"):
            _hide(token)


def _hide(token: Token) -> None:
    token.type, token.tag, token.attrs, token.nesting, token.content = "text", "", {}, 0, ""
