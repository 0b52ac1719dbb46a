"""Parse the form of a page's text as Markdown: its headings, lists, quotations, tables and code, no other marks."""

import re
from functools import lru_cache

from markdown_it import MarkdownIt

from thoughts.markdown.bounds import bounds, has_too_many_marks
from thoughts.text.page_form import plain_view

# Signs for private use stand for the mark around a quote: no gate touches them, and none of the page's own is kept.
OPEN, CLOSE = "\ue000", "\ue001"
_NO_MARKS = str.maketrans({OPEN: " ", CLOSE: " "})
_NUMBER = re.compile(r"\s*\d{1,9}\. ")
_SIGNS = re.compile(r"!(?=\[[^\]\n]{0,80}\])|(?<=\[)\^(?=[^\]\s]{1,12}\])")  # of pictures and of notes
_ABOVE = 3  # levels of headings of Penny's own page


def page_html(form: str, start: int, end: int) -> str | None:
    """Return the HTML of a page's text, not yet clean, with OPEN and CLOSE around the words of `form[start:end]`.

    None if it has too many marks.
    """
    form = form.translate(_NO_MARKS)
    if has_too_many_marks(form):
        return None
    tokens = _parser().parse(_with_quote(form, start, end))
    for token in tokens:
        if token.type.startswith("heading"):
            token.tag = f"h{min(int(token.tag[1]) + _ABOVE, 6)}"
    for token in (child for block in tokens for child in block.children or ()):
        if token.type == "text":
            token.content = _SIGNS.sub("", token.content)
    return str(_parser().renderer.render(tokens, _parser().options, {}))


def _with_quote(form: str, start: int, end: int) -> str:
    """Return the form with the signs around each piece of the quote that no mark of the form interrupts."""
    pieces, at = list[str](), 0
    for begin, stop in _pieces(form, start, end):
        pieces += [form[at:begin], OPEN, form[begin:stop], CLOSE]
        at = stop
    return "".join([*pieces, form[at:]])


def _pieces(form: str, start: int, end: int) -> list[tuple[int, int]]:
    view = plain_view(form)
    first, last = view.within(start, end)
    pieces = list[tuple[int, int]]()
    for place in view.places[first:last]:
        if form[place] == "\n":
            continue
        is_next = bool(pieces) and form[pieces[-1][1] : place] in ("", "\\")
        pieces[-1 if is_next else len(pieces) :] = [(pieces[-1][0] if is_next else place, place + 1)]
    numbers = (
        (_NUMBER.match(form, begin, stop) if _begins_line(form, begin) else None, begin, stop) for begin, stop in pieces
    )
    spans = ((number.end() if number else begin, stop) for number, begin, stop in numbers)
    return [(begin, stop) for begin, stop in spans if form[begin:stop].strip()]


def _begins_line(form: str, place: int) -> bool:
    return not form[form.rfind("\n", 0, place) + 1 : place].strip(" >-")


@lru_cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero", {"html": False, "breaks": True})
    parser.enable(["heading", "list", "table", "fence", "blockquote", "newline", "backticks", "link"])
    parser.add_render_rule("link_open", lambda *_: "")
    parser.add_render_rule("link_close", lambda *_: "")
    parser.validateLink = _is_handle  # type: ignore[method-assign]
    return parser.use(bounds)


def _is_handle(url: str) -> bool:
    return re.fullmatch(r"l\d{1,3}", url) is not None
