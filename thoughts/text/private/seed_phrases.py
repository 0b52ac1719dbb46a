"""Find the words that restore a wallet (BIP-39): a run of at least twelve words of one of its lists."""

import unicodedata
from functools import lru_cache
from importlib.resources import files

import regex

WORDS_MIN = 12
# Numbers, points and line ends may stand between two words.
_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]{0,23}")
GAP_CHARACTERS = 12
SHORTEST, LONGEST = 3, 12  # characters of a word; in other scripts than Latin one may be enough
LISTS = (
    "english", "chinese_simplified", "chinese_traditional", "czech", "french", "italian", "japanese", "korean",
    "portuguese", "spanish",
)  # fmt: skip


def seed_phrases_in(text: str) -> list[tuple[int, int]]:
    """Return where each phrase begins and ends."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    if not _may_hold_one(text, words):
        return []
    spans, began, last, count, common = list[tuple[int, int]](), 0, 0, 0, 0
    for start, end in words:
        lists = _lists().get(_comparable(text[start:end]), 0)
        if not count or not common & lists or start - last > GAP_CHARACTERS:
            if count >= WORDS_MIN:
                spans.append((began, last))
            began, count, common = start, 0, lists
        if lists:
            common, count, last = common & lists, count + 1, end
        else:
            count = 0
    return [*spans, (began, last)] if count >= WORDS_MIN else spans


def _may_hold_one(text: str, words: list[tuple[int, int]]) -> bool:
    """Return whether twelve words in a row are as long as those of the lists: most texts need no look at these."""
    count = last = 0
    for start, end in words:
        is_like_one = end - start <= LONGEST and (end - start >= SHORTEST or not text[start].isascii())
        count = (count + 1 if start - last <= GAP_CHARACTERS else 1) if is_like_one else 0
        last = end
        if count == WORDS_MIN:
            return True
    return False


def _comparable(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.lower())
    return "".join(character for character in decomposed if not "\u0300" <= character <= "\u036f")


@lru_cache
def _lists() -> dict[str, int]:
    """Return for each word one bit for each list that holds it."""
    bits = dict[str, int]()
    for number, name in enumerate(LISTS):
        for word in (files("mnemonic") / "wordlist" / f"{name}.txt").read_text("utf-8").split():
            key = _comparable(word)
            bits[key] = bits.get(key, 0) | 1 << number
    return bits
