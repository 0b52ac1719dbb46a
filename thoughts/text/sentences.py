"""Where a sentence ends, by one rule for every script. Imports no Django."""

from collections.abc import Iterator

import regex

# A full stop ends a sentence before a space alone: not in "3.5" and "coffee.example". Others end it wherever they are.
_END = regex.compile(r"[.!?…]+[\"'”’»)\]]*+(?=\s|$)|[。！？।॥؟۔။]+[」』”»)]*+")


def sentence_ends(text: str) -> Iterator[int]:
    """Yield the places behind the sentences of a text, the spaces behind them included, without the end of the text."""
    for match in _END.finditer(text):
        end = match.end()
        while end < len(text) and text[end].isspace():
            end += 1
        if end < len(text):
            yield end
