"""Find the part of a shop's page that is about its own product. Imports no Django."""

import re
from functools import lru_cache

from thoughts.text.shop_words import Words, fold_shop, read_sections

HEADING_MAX = 70  # characters of a line that may be a heading
_NAME_MIN = 3


@lru_cache
def _headings() -> Words:
    headings = Words()
    for section, _, words in read_sections("price_words.txt"):
        for word in words if section in ("related", "about") else ():
            headings.add(word, section, "")
    return headings


def own_part(title: str, text: str) -> tuple[int, int]:
    """Return where the page's own product begins and ends: from its name to the heading of other things."""
    start = after_title(title, text)
    at, has_offer = 0, False
    for line in text.split("\n"):
        if at >= start and line.strip() and at > 0:
            section = _section_of(line)
            if section == "related" or (section == "about" and has_offer):
                return start, at
        has_offer = has_offer or (at >= start and any(letter.isdigit() for letter in line))
        at += len(line) + 1
    return start, len(text)


def after_title(title: str, text: str) -> int:
    """Return where the page's own name begins in its text; 0 if the text does not contain it."""
    name = re.split(r"\s+[|–—·-]\s+", title)[0].strip()
    place = text.lower().find(name.lower()) if len(name) > _NAME_MIN else -1
    return max(place, 0)


def _section_of(line: str) -> str:
    """Return the section that a line is the heading of, "" if it is none."""
    folded = fold_shop(line.strip()[: HEADING_MAX + 20])
    match = _headings().match(folded, 0)
    if match is None:
        return ""
    rest = re.sub(r"[\W\d_]+", "", folded[match.end :])
    is_labelled = folded[match.end : match.end + 1] == ":"
    section = match.entries[0].section
    if section == "about":
        return section if not rest else ""
    return section if is_labelled or (len(folded) <= HEADING_MAX and len(rest) <= 30) else ""
