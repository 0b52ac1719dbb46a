"""Where a text comes from that an act would send: the owner's words, this errand's pages, or neither.

Code compares; no model and no page says it.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal

Source = Literal["you", "page", "penny"]
_SPACE = re.compile(r"\s+")


def source_of(value: str, own_words: Sequence[str], pages: Iterable[str]) -> Source | None:
    """Return the source of a value, None for one without a letter or digit: it is empty, or masked."""
    folded = fold_words(value)
    if not re.search(r"\w", folded):
        return None
    pattern = re.compile(rf"(?<!\w){re.escape(folded)}(?!\w)")
    if any(pattern.search(fold_words(words)) for words in own_words):
        return "you"
    return "page" if any(pattern.search(fold_words(page)) for page in pages) else "penny"


def fold_words(text: str) -> str:
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
