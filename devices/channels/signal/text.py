"""Convert Markdown into the styled text of Signal."""

from markdown_it.token import Token

from devices.channels.channel import Limits
from devices.channels.signal.styled_text import Run, close_parts, escape, write_runs
from thoughts.markdown.bounds import has_too_many_marks
from thoughts.markdown.parser import markdown

# Signal shows about 2,000 bytes of a message at once and hides the rest behind a button.
LIMITS = Limits(1800, 12, in_bytes=True, close_parts=close_parts)
_STYLES = {"strong": "**", "em": "*", "s": "~"}
_BREAK, _BLOCK = ("\n", frozenset[str]()), ("\n\n", frozenset[str]())


def styled(text: str) -> str:
    """Convert Markdown into the marks of `text_mode: styled`.

    Links become name and address, headings bold, list items dots. Other marks are escaped, so a star in a text stays a
    star. A text with too many marks for the parser stays as it was written.
    """
    if has_too_many_marks(text):
        return escape(text.strip())
    return write_runs(_Writer().runs(markdown().parse(text))).strip()


class _Writer:
    """Convert the tokens in one pass. `_items`: item marks of the open lists, innermost last."""

    def __init__(self) -> None:
        self._blocks: list[list[Run]] = []
        self._items: list[int | None] = []
        self._open, self._around = "", frozenset[str]()
        self._row: list[list[Run]] = []

    def runs(self, tokens: list[Token]) -> list[Run]:
        for token in tokens:
            self._take(token)
        return _few_breaks([run for block in self._blocks for run in block])

    def _take(self, token: Token) -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._items.append(int(token.attrGet("start") or 1) if token.type[0] == "o" else None)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._items.pop()
            self._blocks.append([] if self._items else [_BREAK])
        elif token.type == "list_item_open":
            self._open = self._item()
        elif token.type in ("heading_open", "th_open"):
            self._around = frozenset({"**"})
        elif token.type in ("td_close", "th_close"):
            self._row.append(_stripped(self._blocks.pop()))
        elif token.type == "tr_close":
            between: Run = (" · ", frozenset())
            cells = [run for cell in self._row for run in (between, *cell)]
            self._blocks.append([*cells[1:], _BREAK])
            self._row = []
        elif token.type in ("fence", "code_block"):
            self._blocks.append([(token.content.rstrip(), frozenset("`")), _BLOCK])
        elif token.type == "hr":
            self._blocks.append([("———", frozenset()), _BLOCK])
        elif token.type == "inline":
            self._inline(token)

    def _item(self) -> str:
        number = self._items[-1]
        if number is not None:
            self._items[-1] = number + 1
        return "   " * (len(self._items) - 1) + (f"{number}. " if number is not None else "• ")

    def _inline(self, token: Token) -> None:
        runs = [(words, marks | self._around) for words, marks in _inline(token.children or [])]
        self._blocks.append([(self._open, frozenset()), *runs, _BREAK if self._items else _BLOCK])
        self._open, self._around = "", frozenset()


def _inline(tokens: list[Token]) -> list[Run]:
    runs, links, open_marks = list[Run](), list[tuple[str, int]](), list[str]()
    for token in tokens:
        mark = _STYLES.get(token.type.partition("_")[0])
        marks = frozenset(open_marks)
        if mark:
            open_marks.append(mark) if token.nesting > 0 else open_marks.remove(mark)
        elif token.type == "link_open":
            links.append((str(token.attrGet("href") or ""), len(runs)))
        elif token.type == "link_close":
            href, start = links.pop()
            runs[start:] = _link(runs[start:], href, marks)
        elif token.type in ("softbreak", "hardbreak"):
            runs.append(("\n" if token.type == "hardbreak" else " ", marks))
        else:
            runs.append((token.content, marks | {"`"} if token.type == "code_inline" else marks))
    return runs


def _link(name: list[Run], href: str, marks: frozenset[str]) -> list[Run]:
    """Return a link as text: Signal cannot name addresses.

    The number of a claim is dropped: it links one of Penny's pages.
    """
    words = "".join(text for text, _ in name)
    if words.isdigit():
        return []
    address = href.removeprefix("mailto:")
    is_its_own = words.strip() in ("", href, address, markdown().normalizeLinkText(href))
    return [(address, marks)] if is_its_own else [*name, (f" ({address})", marks)]


def _stripped(cell: list[Run]) -> list[Run]:
    """Return a cell without the break behind it."""
    return [run for run in cell if run[0].strip()]


def _few_breaks(runs: list[Run]) -> list[Run]:
    """Leave at most one empty line between blocks. Lines of code stay."""
    rest, breaks = list[Run](), 0
    for text, marks in runs:
        if text and not text.strip("\n") and "`" not in marks:
            text = "\n" * min(len(text), 2 - breaks)
        breaks = min(2, breaks + len(text)) if not text.strip("\n") else len(text) - len(text.rstrip("\n"))
        rest.append((text, marks))
    return rest
