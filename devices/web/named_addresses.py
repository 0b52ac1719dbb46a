"""Find the addresses that the owner's words name: whole ones, and sites without a scheme, as people write them."""

import re
import unicodedata
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from thoughts.text.addresses import address_places

_NAME = re.compile(
    r"(?<![^\s(\[{<\"'“„«,;!?])(?P<host>(?:[\w-]{1,63}\.){1,8}(?P<ending>[^\W\d_]{2,24}))(?![\w@-])"
    r"(?::\d{1,5})?(?:/(?:[^\s<>\"]{0,2000}[^\s<>\".,;:!?)\]}'”’])?)?"
)
_TO_OPEN = re.compile(r"\b(?:open|read|visit|watch|öffne|lies|besuche|beobachte)\s+$", re.I)
BEFORE, COUNTRY = 40, 2  # characters
# Endings that make a name an address in any sentence, besides those of countries.
_SURE = frozenset({"ai", "app", "biz", "com", "dev", "edu", "eu", "gov", "info", "io", "net", "org"})
# Endings of countries that are also words or those of files: "readme.md" and "at 9.am" name no site.
_WORDS = frozenset(
    {
        "am", "as", "at", "be", "by", "cc", "do", "in", "is", "it", "md", "me", "my", "no", "ps", "py", "rs", "sh",
        "so", "tf", "to", "us",
    }
)  # fmt: skip


def named_addresses(text: str) -> dict[str, str]:
    """Return the addresses, by how they are written, in their order. One without a scheme is https.

    A site has a known public suffix after at least one label. One that is also a word or the ending of a file counts
    after "open" or "read", with "www." or a path, or where nothing else is said.
    """
    text = unicodedata.normalize("NFC", text)
    places = address_places(text)
    pieces = [(start, raw, raw) for start, raw in places]
    names = [match for match in _NAME.finditer(_without(places, text)) if _is_site(match)]
    pieces += [(match.start(), match.group(), f"https://{match.group()}") for match in names]
    return {raw: url for _, raw, url in sorted(pieces)}


def _without(places: list[tuple[int, str]], text: str) -> str:
    """Return a text with blanks in place of its whole addresses."""
    parts, end = list[str](), 0
    for start, raw in places:
        parts += [text[end:start], " " * len(raw)]
        end = start + len(raw)
    return "".join([*parts, text[end:]])


def _is_site(match: re.Match[str]) -> bool:
    host, ending = match["host"], match["ending"]
    if ending != ending.lower() or _known_suffixes().privatesuffix(host.lower()) is None:  # "I like it.It is cheap."
        return False
    if ending in _SURE or (len(ending) == COUNTRY and ending not in _WORDS):
        return True
    before = match.string[max(0, match.start() - BEFORE) : match.start()]
    is_alone = match.string.strip(" .!?") == match.group()
    return is_alone or "/" in match.group() or host.startswith("www.") or bool(_TO_OPEN.search(before))


@lru_cache
def _known_suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
