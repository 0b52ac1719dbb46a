"""Parse formulas in Markdown before other syntax, and output them as code between TeX brackets.

`\\(x^2\\)` stands in a line, `\\[x^2\\]` in lines of its own or in a sentence. Markdown produces neither from other
text: a surface that can render formulas does, any other shows them as written.
browser_ext/src/conversation/text/formula_rules.ts parses the same syntax.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

CHARACTERS = 1000
_BRACKETED = re.compile(r"\\\((?P<tex>(?:[^\\\n]|\\[^()\n])+?)\\\)")
# Escaped brackets around words are no formula: text of pages is escaped so, with the signs of formulas in it. Only
# brackets that hold such a sign count; inside a sentence no plain word may stand beside an equals sign.
_DISPLAYED = re.compile(r"\\\[(?P<tex>(?=.*(?:\\[A-Za-z]|(?<!\\)[\^_={+]))(?:[^\\]|\\[^\[\]])+?)\\\]", re.DOTALL)
_IN_SENTENCE = re.compile(r"\\\[(?P<tex>(?:[^\\]|\\[^\[\]])+?)\\\](?!\()")
_TOKENS = re.compile(r"\\?.", re.DOTALL)
_COMMAND, _WORD = re.compile(r"\\[A-Za-z]+"), re.compile(r"[^\W\d_]{4}")
_DOUBLED = re.compile(r"\$\$(?P<tex>\s*[^$\s][^$]*?)\$\$")
# Two dollars may also be two prices. A formula has no space inside the dollars, no digit behind them, and a sign that
# prices lack.
_DOLLARS = re.compile(r"\$(?P<tex>(?!\s)(?:[^$\\\n]|\\[^\n])+?)(?<!\s)\$(?![\w$])")
# Inside a word: an index, a power, or one letter by its name. `H$_2$O`, `5 $\mu$m`.
_IN_WORD = re.compile(r"\$(?P<tex>(?:[_^](?:\{[^{}$\n]+\}|\\[A-Za-z]+|[^\s$\\{}]))+|\\[A-Za-z]+)\$(?!\$)")
_SIGNS = re.compile(r"[\\^_={}<>+]|^[A-Za-z]{1,2}$")
_OPENS = re.compile(r"\\\[|\$\$")
_CLOSED = re.compile(r"\\\[(?:[^\\]|\\[^\[\]])+?\\\]", re.DOTALL)


def formulas(md: MarkdownIt) -> None:
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
    if match := _IN_WORD.match(text):
        return rf"\({match['tex']}\)", match.end()
    match = _DOUBLED.match(text) or _IN_SENTENCE.match(text)
    if match and (match[0][0] == "$" or _is_formula(match["tex"])):
        return rf"\[{_tex(match)}\]", match.end()
    return None


def _is_formula(tex: str) -> bool:
    tokens = _TOKENS.findall(tex)
    if any(sign in "^_{" or _COMMAND.fullmatch(sign) for sign in tokens):
        return True
    return bool({"=", "+"} & set(tokens)) and not _WORD.search(tex)


def _block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse lines from an opening bracket at a line start to a closing one at a line end."""
    begins = state.bMarks[start] + state.tShift[start]
    if state.is_code_block(start) or not _OPENS.match(state.src, begins):
        return False
    last = _last_line(state, start, end, _end_of(state.src, begins))
    if last is None:
        return False
    lines = state.getLines(start, last + 1, state.blkIndent, False).strip()
    match = _DISPLAYED.fullmatch(lines) or _DOUBLED.fullmatch(lines)
    if match and not silent:
        _push(state, _tex(match), start, last + 1)
    return match is not None


def _end_of(text: str, begins: int) -> int:
    """Return where the first closing bracket ends, -1 without one.

    No formula holds its own brackets, so no other closing bracket can be the right one.
    """
    if text.startswith("$$", begins):
        at = text.find("$$", begins + 2, begins + CHARACTERS)
        return at + 2 if at >= 0 else -1
    match = _CLOSED.match(text, begins, begins + CHARACTERS)
    return match.end() if match else -1


def _last_line(state: StateBlock, start: int, end: int, ends: int) -> int | None:
    """Return the line that a formula's end closes, None if there is more in that line or an empty line before."""
    for line in range(start, end):
        is_over = line > start and (state.isEmpty(line) or state.sCount[line] < state.blkIndent)
        if is_over or ends < 0:
            return None
        if ends <= state.eMarks[line]:
            return None if state.src[ends : state.eMarks[line]].strip() else line
    return None


def _push(state: StateBlock, tex: str, start: int, end: int) -> None:
    state.line = end
    token = state.push("code_block", "code", 0)
    token.content, token.map = rf"\[{tex}\]", [start, end]


def _tex(match: re.Match[str]) -> str:
    return " ".join(match["tex"].split())
