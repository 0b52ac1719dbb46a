"""Parse formulas in Markdown before other syntax, and output them as code between TeX brackets.

`\\(x^2\\)` stands in a line, `\\[x^2\\]` in lines of its own. Markdown produces neither from other text: a surface
that can render formulas does, any other shows them as written. penny_site/static/penny/chat/formulas.js parses the same
syntax.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

CHARACTERS = 1000
_BRACKETED = re.compile(r"\\\((?P<tex>(?:[^\\\n]|\\[^()\n])+?)\\\)")
# Escaped brackets around words are no formula: text of pages is escaped so. Only brackets in lines of their own that
# contain a sign of a formula count.
_DISPLAYED = re.compile(r"\\\[(?P<tex>(?=.*(?:\\[A-Za-z]|(?<!\\)[\^_={+]))(?:[^\\]|\\[^\[\]])+?)\\\]", re.DOTALL)
_DOUBLED = re.compile(r"\$\$(?P<tex>[^$]+?)\$\$")
# Two dollars may also be two prices. A formula has no space inside the dollars, no digit behind them, and a sign that
# prices lack.
_DOLLARS = re.compile(r"\$(?P<tex>(?!\s)(?:[^$\\\n]|\\[^\n])+?)(?<!\s)\$(?![\w$])")
_SIGNS = re.compile(r"[\\^_={}<>+]|^[A-Za-z]{1,2}$")
_OPENS = re.compile(r"\\\[|\$\$")


def formulas(md: MarkdownIt) -> None:
    """Add the syntax of formulas to a parser."""
    md.inline.ruler.before("escape", "formula", _inline)
    md.block.ruler.before("fence", "formula", _block, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _inline(state: StateInline, silent: bool) -> bool:
    formula = _formula_at(state.src[state.pos : min(state.posMax, state.pos + CHARACTERS)])
    if formula is None:
        return False
    tex, length = formula
    if not silent:
        state.push("code_inline", "code", 0).content = tex
    state.pos += length
    return True


def _formula_at(text: str) -> tuple[str, int] | None:
    """Return the formula at the start of a text, between its brackets, and its length in characters."""
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
    """Parse lines from an opening bracket at a line start to a closing one at a line end."""
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
