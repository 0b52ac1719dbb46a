"""Find the addresses that the owner's words name: whole ones, and sites without a scheme, as people write them."""

import re
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from thoughts.text.addresses import address_places

_NAME = re.compile(
    r"(?<![\w@./:-])(?P<host>(?:[\w-]{1,63}\.){1,8}(?P<ending>[^\W\d_]{2,24}))(?![\w@-])"
    r"(?::\d{1,5})?(?:/(?:[^\s<>\"]{0,2000}[^\s<>\".,;:!?)\]}'”’])?)?"
)
_TO_OPEN = re.compile(r"\b(?:open|read|visit|öffne|lies|besuche)\s+$", re.I)
BEFORE = 40  # characters
# Endings of files that are also those of countries and the like: `readme.md` is a word.
_FILES = frozenset({"cc", "md", "mov", "ps", "py", "rs", "sh", "so", "zip"})


def named_addresses(text: str) -> dict[str, str]:
    """Return the addresses, by how they are written, in their order. One without a scheme is https.

    A site has a known public suffix after at least one label. The name of a file is none, unless it is to be opened.
    """
    places = address_places(text)
    pieces = [(start, raw, raw) for start, raw in places]
    for start, raw in places:
        text = text[:start] + " " * len(raw) + text[start + len(raw) :]
    names = [match for match in _NAME.finditer(text) if _is_site(match)]
    pieces += [(match.start(), match.group(), f"https://{match.group()}") for match in names]
    return {raw: url for _, raw, url in sorted(pieces)}


def _is_site(match: re.Match[str]) -> bool:
    ending = match["ending"]
    if ending != ending.lower():  # "I like it.It is cheap."
        return False
    before = match.string[max(0, match.start() - BEFORE) : match.start()]
    if ending in _FILES and not _TO_OPEN.search(before):
        return False
    return _known_suffixes().privatesuffix(match["host"].lower()) is not None


@lru_cache
def _known_suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
