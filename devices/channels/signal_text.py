"""Markdown as Signal shows it, and long messages in parts that end where a sentence does."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

PART_CHARACTERS = 1800  # Signal shows about 2,000 bytes of a message at once and hides the rest behind a button
PARTS_MAX = 12
CUT = "(The rest is in the chat: {url})"
_MARKDOWN = MarkdownIt("js-default", {"html": False, "linkify": False, "typographer": False}).disable("image")
_MARKS = re.compile(r"([*~`]|\|\|)")
_SENTENCE_END = re.compile(r"(?:[.!?…][\"'”’)\]]*(?=\s)|[。！？]|\n)")
_JOINED = re.compile("[\u0300-\u036f\u200d\ufe0f\U0001f3fb-\U0001f3ff]")
_STYLES = {"strong_open": "**", "strong_close": "**", "em_open": "*", "em_close": "*", "s_open": "~", "s_close": "~"}


def styled(markdown: str) -> str:
    """Return Markdown in the marks of `text_mode: styled`. A link is its name and its address, a heading bold, a list has its dots.

    What is no mark is escaped, so that a star in a text stays a star.
    """
    return _Writer().write(_MARKDOWN.parse(markdown))


class _Writer:
    """Goes through the tokens once. `marks`: how the items of the lists begin that are open now, the innermost last."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._marks: list[int | None] = []
        self._open, self._around = "", ""
        self._row: list[str] = []

    def write(self, tokens: list[Token]) -> str:
        for token in tokens:
            self._take(token)
        return re.sub(r"\n{3,}", "\n\n", "".join(self._blocks)).strip()

    def _take(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._marks.append(int(token.attrGet("start") or 1) if token.type[0] == "o" else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._marks.pop()
            self._blocks.append("" if self._marks else "\n")
        elif token.type == "list_item_open":
            self._open = self._item()
        elif token.type in ("heading_open", "th_open"):
            self._around = "**"
        elif token.type in ("td_close", "th_close"):
            self._row.append(self._blocks.pop().strip())
        elif token.type == "tr_close":
            self._blocks.append(" · ".join(self._row) + "\n")
            self._row = []
        elif token.type in ("fence", "code_block"):
            self._blocks.append(f"`{_escaped(token.content.rstrip())}`\n\n")
        elif token.type == "hr":
            self._blocks.append("———\n\n")
        elif token.type == "inline":
            self._inline(token)

    def _item(self) -> str:
        number = self._marks[-1]
        if number is not None:
            self._marks[-1] = number + 1
        return "   " * (len(self._marks) - 1) + (f"{number}. " if number is not None else "• ")

    def _inline(self, token: Token) -> None:
        words = _inline(token.children or [])
        around = self._around if words and "*" not in words else ""
        self._blocks.append(self._open + around + words + around + ("\n" if self._marks else "\n\n"))
        self._open, self._around = "", ""


def _inline(tokens: list[Token]) -> str:
    said, plain, links = "", "", list[tuple[str, int, int]]()
    for token in tokens:
        if token.type in _STYLES:
            said += _STYLES[token.type]
        elif token.type == "link_open":
            links.append((str(token.attrGet("href") or ""), len(said), len(plain)))
        elif token.type == "link_close":
            href, start, plain_start = links.pop()
            said = said[:start] + _link(said[start:], plain[plain_start:], href)
        elif token.type == "code_inline":
            said += f"`{_escaped(token.content)}`"
        elif token.type in ("softbreak", "hardbreak"):
            said += "\n" if token.type == "hardbreak" else " "
        else:
            said += _escaped(token.content)
        plain += token.content
    return said


def _link(name: str, plain: str, href: str) -> str:
    """Return a link as words: Signal has no names for addresses. The number of a claim needs none: it stands for a page of ours.

    `name`: as it is shown, with its marks; `plain`: without them, by which it is told whether the address is its own name.
    """
    if plain.isdigit():
        return ""
    address = href.removeprefix("mailto:")
    is_its_own = plain.strip() in ("", href, address, _MARKDOWN.normalizeLinkText(href))
    return _escaped(address) if is_its_own else f"{name} ({_escaped(address)})"


def _escaped(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)


def split(text: str, most: int = PART_CHARACTERS, parts_max: int = PARTS_MAX, more_at: str = "") -> list[str]:
    """Return a text in parts of at most so many characters, each ending with a sentence or a line where one ends in its second half."""
    parts: list[str] = []
    rest = text.strip()
    while len(rest) > most and len(parts) < parts_max - 1:
        at = _end(rest, most)
        parts.append(rest[:at].rstrip())
        rest = rest[at:].lstrip()
    if len(rest) > most:
        rest = f"{rest[: _end(rest, most - len(CUT) - len(more_at))].rstrip()}\n{CUT.format(url=more_at)}"
    return _closed([*parts, rest] if rest else parts)


def _end(text: str, most: int) -> int:
    """Return where the part ends that begins a text: behind a sentence, else behind a word, else anywhere but within a character."""
    ends = [match.end() for match in _SENTENCE_END.finditer(text, 0, most + 1) if match.end() <= most]
    if ends and ends[-1] >= most // 2:
        return ends[-1]
    space = text.rfind(" ", most // 2, most)
    return space + 1 if space > 0 else _whole(text, most)


def _whole(text: str, at: int) -> int:
    """Return a place at or before `at` that parts no mark from what it escapes, and no letter from its accents and joiners."""
    while at > 1 and (_JOINED.match(text[at]) or text[at - 1] in "\u200d\\"):
        at -= 1
    return at


def _closed(parts: list[str]) -> list[str]:
    """Close a style where a part ends within it, and open it again in the next."""
    closed, opened = [], ""
    for part in parts:
        whole = opened + part
        marks = list[str]()
        for mark in re.findall(r"(?<!\\)(\*\*\*|\*\*|\*|~|`)", whole):
            marks.pop() if marks and marks[-1] == mark else marks.append(mark)
        closed.append(whole + "".join(reversed(marks)))
        opened = "".join(marks)
    return closed
