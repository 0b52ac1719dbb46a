"""Convert Markdown into the styled text of Signal."""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from devices.channels.channel import Limits

# Signal shows about 2,000 bytes of a message at once and hides the rest behind a button.
LIMITS = Limits(1800, 12, marks=("***", "**", "*", "~", "`"))
_MARKDOWN = MarkdownIt("js-default", {"html": False, "linkify": False, "typographer": False}).disable("image")
_MARKS = re.compile(r"([*~`]|\|\|)")
_STYLES = {"strong_open": "**", "strong_close": "**", "em_open": "*", "em_close": "*", "s_open": "~", "s_close": "~"}


def styled(markdown: str) -> str:
    """Convert Markdown into the marks of `text_mode: styled`.

    Links become name and address, headings bold, list items dots. Other marks are escaped, so a star in a text stays a
    star.
    """
    return _Writer().write(_MARKDOWN.parse(markdown))


class _Writer:
    """Convert the tokens in one pass. `_marks`: item marks of the open lists, innermost last."""

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
            self._blocks.append(f"`{_escape(token.content.rstrip())}`\n\n")
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
    styled_text, plain, links = "", "", list[tuple[str, int, int]]()
    for token in tokens:
        if token.type in _STYLES:
            styled_text += _STYLES[token.type]
        elif token.type == "link_open":
            links.append((str(token.attrGet("href") or ""), len(styled_text), len(plain)))
        elif token.type == "link_close":
            href, start, plain_start = links.pop()
            styled_text = styled_text[:start] + _link(styled_text[start:], plain[plain_start:], href)
        elif token.type == "code_inline":
            styled_text += f"`{_escape(token.content)}`"
        elif token.type in ("softbreak", "hardbreak"):
            styled_text += "\n" if token.type == "hardbreak" else " "
        else:
            styled_text += _escape(token.content)
        plain += token.content
    return styled_text


def _link(name: str, plain: str, href: str) -> str:
    """Return a link as text: Signal cannot name addresses.

    The number of a claim is dropped: it links one of Penny's pages. `name`: with marks; `plain`: without marks,
    compared with the address.
    """
    if plain.isdigit():
        return ""
    address = href.removeprefix("mailto:")
    is_its_own = plain.strip() in ("", href, address, _MARKDOWN.normalizeLinkText(href))
    return _escape(address) if is_its_own else f"{name} ({_escape(address)})"


def _escape(text: str) -> str:
    return _MARKS.sub(r"\\\1", text)
