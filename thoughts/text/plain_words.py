"""Check and produce plain words, the only text that a reading may hold. Imports no Django.

Plain words have no address (disguised ones included), Markdown, HTML or invisible characters.
"""

import re
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from thoughts.text.addresses import has_address
from thoughts.text.cleaning import clean_text, usual_letters
from thoughts.text.page_form import without_numbers

_NAME = r"[^\W_](?:[\w-]*[^\W_])?"
_SCHEME = re.compile(
    r"\b(?:h\W?(?:tt|xx|\*\*)\W?ps?|ftps?|wss?|file|ipfs)\W{0,3}:\W{0,3}/\s*/|\b(?:javascript|vbscript|mailto)\s*:|\bdata\s*:\s*\w+/\w",
    re.I,
)
_WWW = re.compile(r"\bwww\d?\s*[.。]\s*\w", re.I)
_RELATIVE = re.compile(rf"(?<![:\w/])//{_NAME}\.")
_WITH_PATH = re.compile(rf"[^\W_][.。]({_NAME})(?::\d+)?[/?#]\w", re.I)
_NUMBERED = re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+|/)")
_BRACKETED = re.compile(r"[^\W_]\s*[\[({]\s*(?:\.|dot|punkt|punto|point)\s*[\])}]\s*[^\W_]", re.I)
_SPACED = re.compile(rf"[^\W_]\s*(?:\s[.。]\s*|[.。]\s|\s+dot\s+)\s*({_NAME})", re.I)
_RESERVED = {"example", "test", "invalid", "localhost", "onion"}
_LINK = re.compile(r"\]\s*[(\[]|^[^\S\n]*\[(?:\\[\s\S]|[^\[\]\\])+\]\s*:", re.M)
_TAG = re.compile(r"<[/!?]?[a-z]", re.I)
_COMMENT_OR_ENTITY = re.compile(r"<!--|&#?\w{2,31};", re.I)
_MARKS = (
    re.compile(r"(\*{1,3})(?=\S)([^*\n]+)(?<=\S)\1"),
    re.compile(r"(_{2,3})(?=\S)((?:[^_\n]|(?<=[^\W_])_(?=[^\W_]))+)(?<=\S)\1"),
    re.compile(r"(~~)(?=\S)([^~\n]+)(?<=\S)\1"),
    re.compile(r"(?<!`)(`+)(?=[^`\s])([^`\n]+)(?<=\S)\1"),
)
_UNDERLINED = re.compile(r"(?<!\w)_(?=\S)([^_]+)(?<=\S)_(?!\w)")
_LINE_MARKS = re.compile(r"^[^\S\n]*(?:#{1,6}\s+|>[^\S\n]*|[-*+]\s+|(?:[-*_][^\S\n]*){3,}$|```\w*)", re.M)


class NotPlain(ValueError):
    """Text that may not stand in a reading.

    The message names the kind of violation, never the text.
    """


def plain(text: str) -> str:
    """Return text as one line of plain words: visible, without marks of Markdown.

    Raises NotPlain for addresses, links and HTML.
    """
    visible = _unmarked(clean_text(text.encode(errors="ignore").decode()))
    folded = _unmarked(usual_letters(visible))
    if _LINK.search(folded):
        raise NotPlain("holds a link")
    if _has_html(folded):
        raise NotPlain("holds HTML")
    if has_disguised_address(" ".join(folded.split())):
        raise NotPlain("holds a web address")
    return " ".join(visible.split())


def is_plain(text: str) -> bool:
    try:
        return bool(plain(text))
    except NotPlain:
        return False


def has_disguised_address(words: str) -> bool:
    """Whether one line holds an address, even one written so that programs miss it.

    Names of sites alone are words.
    """
    if has_address(words) or any(
        pattern.search(words) for pattern in (_SCHEME, _WWW, _RELATIVE, _NUMBERED, _BRACKETED)
    ):
        return True
    return any(_is_ending(match[1]) for match in _WITH_PATH.finditer(words)) or any(
        len(match[1]) > 2 and match[1].islower() and _is_ending(match[1]) for match in _SPACED.finditer(words)
    )


def _unmarked(text: str) -> str:
    text = _LINE_MARKS.sub("", without_numbers(text))
    for marks in 2 * _MARKS:
        text = marks.sub(r"\2", text)
    return _UNDERLINED.sub(r"\1", text)


def _has_html(text: str) -> bool:
    tag = _TAG.search(text)
    return (tag is not None and ">" in text[tag.end() :]) or _COMMENT_OR_ENTITY.search(text) is not None


def _is_ending(label: str) -> bool:
    """Whether the label is a public suffix or a reserved top-level domain."""
    return label.lower() in _RESERVED or _suffixes().publicsuffix(label.lower(), accept_unknown=False) is not None


@lru_cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
