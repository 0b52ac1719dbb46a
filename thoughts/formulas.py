"""Formulas in Markdown: taken out before anything else reads their signs, and kept as code between TeX's own brackets.

`\\(x^2\\)` in a line and `\\[x^2\\]` in lines of its own are what Markdown never makes of anything else, so that a
surface that can draws them, and any other shows them as they were written. penny_site/static/penny/chat/formulas.js
reads them the same way.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

CHARACTERS = 1000
_BRACKETED = re.compile(r"\\\((?P<tex>(?:[^\\\n]|\\[^()\n])+?)\\\)")
# Escaped brackets around words are no formula: what a page says is written so. They hold one only in lines of their
# own, with signs of one.
_DISPLAYED = re.compile(r"\\\[(?P<tex>(?=.*(?:\\[A-Za-z]|(?<!\\)[\^_={+]))(?:[^\\]|\\[^\[\]])+?)\\\]", re.DOTALL)
_DOUBLED = re.compile(r"\$\$(?P<tex>[^$]+?)\$\$")
# Between two dollars stands a formula only where no prices can be meant: no space inside, no digit behind, and a sign
# that prices have not.
_DOLLARS = re.compile(r"\$(?P<tex>(?!\s)(?:[^$\\\n]|\\[^\n])+?)(?<!\s)\$(?![\w$])")
_SIGNS = re.compile(r"[\\^_={}<>+]|^[A-Za-z]{1,2}$")
_OPENS = re.compile(r"\\\[|\$\$")


def formulas(md: MarkdownIt) -> None:
    """Have a parser know formulas."""
    md.inline.ruler.before("escape", "formula", _inline)
    md.block.ruler.before("fence", "formula", _block, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _inline(state: StateInline, silent: bool) -> bool:
    found = _formula_at(state.src[state.pos : min(state.posMax, state.pos + CHARACTERS)])
    if found is None:
        return False
    tex, length = found
    if not silent:
        state.push("code_inline", "code", 0).content = tex
    state.pos += length
    return True


def _formula_at(text: str) -> tuple[str, int] | None:
    """Return the formula that a text begins with, between its brackets, and how many characters it takes."""
    if text[:1] not in ("\\", "$"):
        return None
    if (match := _BRACKETED.match(text) or _DOLLARS.match(text)) and (
        match[0][0] == "\\" or _SIGNS.search(match["tex"])
    ):
        return rf"\({match['tex'].strip()}\)", match.end()
    if match := _DOUBLED.match(text):
        return rf"\[{_tex(match)}\]", match.end()
    return None


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take lines from one that begins with an opening bracket to one that ends with the closing one, and nothing around
    them.
    """
    begins = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not _OPENS.match(state.src, begins):
        return False
    for line in range(start, end):
        is_over = line > start and (state.isEmpty(line) or state.sCount[line] < state.blkIndent)
        if is_over or state.eMarks[line] - begins > CHARACTERS:
            return False
        lines = state.getLines(start, line + 1, state.blkIndent, False).strip()
        match = _DISPLAYED.fullmatch(lines) or _DOUBLED.fullmatch(lines)
        if match:
            if not silent:
                _push(state, _tex(match), start, line + 1)
            return True
    return False


def _push(state: StateBlock, tex: str, start: int, end: int) -> None:
    state.line = end
    token = state.push("code_block", "code", 0)
    token.content, token.map = rf"\[{tex}\]", [start, end]


def _tex(match: re.Match[str]) -> str:
    return " ".join(match["tex"].split())
