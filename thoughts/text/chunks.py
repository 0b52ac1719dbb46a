"""Cut the text of a page into the passages that a search compares. Imports no Django.

A chunk is a span of the text. It ends at the end of a paragraph, else of a sentence, else of a word. The next one
begins with its last sentence, where that is short: an answer often stands beside what it answers.
"""

import regex

from thoughts.text.page_form import plain_view, without_numbers
from thoughts.text.sentences import sentence_ends

CHUNK_CHARACTERS, CHUNK_MAX = 500, 700
PARAGRAPH_MIN = 300  # a passage of this length ends with its paragraph
OVERLAP_CHARACTERS = 100
CHUNKS_MAX = 5_000  # of one text
_PARAGRAPH = regex.compile(r"\n[^\S\n]*+\n\s*+")

Span = tuple[int, int]


def chunk_spans(text: str) -> list[Span]:
    """Return (start, end) of the chunks, in order; together they cover every word, or the first CHUNKS_MAX chunks."""
    spans = list[Span]()
    pieces = _pieces(text)
    start, at = 0, 0
    while at < len(pieces) and len(spans) < CHUNKS_MAX:
        end, at = _grown(pieces, start, at)
        spans.append((start, end))
        last_begin, last_end = pieces[at - 1][:2]
        is_short = at < len(pieces) and last_end - last_begin <= OVERLAP_CHARACTERS and last_begin > start
        start = last_begin if is_short and not pieces[at - 1][2] else end
    return [span for one in spans if (span := _trimmed(text, *one))]


def chunk_words(form: str, *, is_text_file: bool = False) -> str:
    """Return what is compared of a chunk: its words without the marks of the page's form."""
    return form if is_text_file else without_numbers(plain_view(form).text)


def _grown(pieces: list[tuple[int, int, bool]], start: int, at: int) -> tuple[int, int]:
    """Return where a chunk from `start` ends, and the place of the piece behind it. It takes one piece at least."""
    while True:
        _, end, closes = pieces[at]
        at += 1
        length = end - start
        is_enough = length >= (PARAGRAPH_MIN if closes else CHUNK_CHARACTERS)
        if at == len(pieces) or is_enough or pieces[at][1] - start > CHUNK_MAX:
            return end, at


def _pieces(text: str) -> list[tuple[int, int, bool]]:
    """Return (start, end, whether a paragraph ends there) of sentences, none longer than a chunk may be."""
    pieces = list[tuple[int, int, bool]]()
    begin = 0
    for gap in [*_PARAGRAPH.finditer(text), None]:
        stop = gap.end() if gap else len(text)
        ends = [begin + end for end in sentence_ends(text[begin:stop])]
        for start, end in zip([begin, *ends], [*ends, stop], strict=True):
            pieces += [(one, other, False) for one, other in _bounded(text, start, end)]
        if pieces:
            pieces[-1] = (*pieces[-1][:2], True)
        begin = stop
        if len(pieces) > CHUNKS_MAX * 20:
            break
    return pieces


def _bounded(text: str, start: int, end: int) -> list[Span]:
    spans = list[Span]()
    while end - start > CHUNK_CHARACTERS:
        cut = start + CHUNK_CHARACTERS
        space = max(text.rfind("\n", start + 1, cut), text.rfind(" ", start + 1, cut))
        cut = space + 1 if space > start + CHUNK_CHARACTERS // 2 else cut
        spans.append((start, cut))
        start = cut
    return [*spans, (start, end)] if end > start else spans


def _trimmed(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if end > start else None
