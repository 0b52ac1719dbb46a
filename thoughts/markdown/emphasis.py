"""Emphasis in scripts that put no space between words.

CommonMark opens no emphasis between a letter and a punctuation mark, since a Latin word ends with a space or a mark.
Chinese, Japanese, Thai and Korean words do not: `**具体：**与其说` is bold.
"""

from unicodedata import category

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline.state_inline import Scanned, StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType

# Letters of Latin and Greek stand in formulas: `2*(a)*b` is none.
_FIRST_LETTER, _LATIN_AND_GREEK = "\u0400", ("\u1d00", "\u1fff")
_MARKS = (("\u3000", "\u303f"), ("\ufe10", "\ufe1f"), ("\ufe30", "\ufe4f"), ("\uff00", "\uffef"))


class FriendlyInline(ParserInline):
    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


class _State(StateInline):
    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:  # noqa: N802, N803  names of the library
        scanned = super().scanDelims(start, canSplitWord)
        end = start + scanned.length
        before, after = self.src[start - 1 : start], self.src[end : min(end + 1, self.posMax)]
        if not (canSplitWord and before and after and (_needs_no_space(before) or _needs_no_space(after))):
            return scanned
        # A mark of these scripts counts as a letter: it begins and ends emphasis like one.
        is_open = not isWhiteSpace(ord(after)) and (not _is_mark(after) or _parts_words(before))
        is_close = not isWhiteSpace(ord(before)) and (not _is_mark(before) or _parts_words(after))
        return Scanned(is_open, is_close, scanned.length)


def _needs_no_space(sign: str) -> bool:
    if sign < _FIRST_LETTER or _LATIN_AND_GREEK[0] <= sign <= _LATIN_AND_GREEK[1]:
        return False
    return category(sign)[0] in "LM" or _is_own_mark(sign)


def _is_own_mark(sign: str) -> bool:
    return any(first <= sign <= last for first, last in _MARKS)


def _is_mark(sign: str) -> bool:
    return (isMdAsciiPunct(ord(sign)) or isPunctChar(sign)) and not _is_own_mark(sign)


def _parts_words(sign: str) -> bool:
    return isWhiteSpace(ord(sign)) or _is_mark(sign) or _needs_no_space(sign)
