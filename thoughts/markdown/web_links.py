"""Find web addresses in the owner's own words.

An address with http(s) is one whatever its host. A bare name needs an ending of the public list, a local name or a
number needs a port or a path: `main.py` and `1.2.3.4` are no addresses.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from linkify_it import LinkifyIt
from publicsuffixlist import PublicSuffixList

CHARACTERS = 2048  # of one address
# Marks of sentences outside of ASCII end an address as a space does: 见https://web.dev/x。
_WORD = re.compile(r"[^\s\u2018-\u201f\u2026\u3000-\u303f\ufe30-\ufe4f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff65]+")
_SCHEME = re.compile(r"(?<![A-Za-z0-9.+-])https?://", re.IGNORECASE)
_LETTERS = "0-9A-Za-z\u00c0-\u052f"
_BARE = re.compile(
    rf"(?<![{_LETTERS}_@./:\\-])"
    r"(?P<host>\d{1,3}(?:\.\d{1,3}){3}(?![\w.])|localhost"
    rf"|(?:[{_LETTERS}](?:[{_LETTERS}-]{{0,61}}[{_LETTERS}])?\.){{1,8}}[{_LETTERS}-]{{2,63}})"
    r"(?P<port>:\d{1,5}(?![\d:.]))?(?=(?P<path>[/?#])?)",
    re.IGNORECASE,
)
_IPV6 = re.compile(r"https?://\[[0-9a-f:.]{2,45}\](?::\d{1,5})?", re.IGNORECASE)
_NUMBERS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_HOME_NETWORK = re.compile(r"192\.168\.\d{1,3}\.\d{1,3}")
_MASK = re.compile(r"/\d{1,2}(?![\w/])")  # a network, such as 10.0.0.0/8
LOCAL_ENDINGS = ("localhost", "local", "lan", "home", "internal", "intranet", "home.arpa", "localdomain")
# Endings of files that are endings of names too. Alone they are files more often.
_FILES = frozenset({"cc", "cs", "md", "mov", "pl", "ps", "py", "rs", "sh", "so", "zip"})


@dataclass(frozen=True)
class WebLink:
    """A match in the form that markdown-it reads. `schema` is empty where the text has none."""

    index: int
    last_index: int
    text: str
    url: str
    schema: str


class WebLinks:
    """The part of linkify-it's interface that markdown-it uses, within one word at a time: its cost has a bound."""

    def pretest(self, text: str) -> bool:
        return "." in text or ":" in text

    test = pretest

    def match(self, text: str) -> list[WebLink]:
        return [
            WebLink(word.start() + link.index, word.start() + link.last_index, link.text, link.url, link.schema)
            for word in _WORD.finditer(text)
            if self.pretest(word[0])
            for link in _links_of(word[0])
        ]

    def match_at_start(self, text: str) -> WebLink | None:
        word = _WORD.match(text[: CHARACTERS + 1])
        return _with_scheme(word[0], 0) if word and _SCHEME.match(word[0]) else None


def _links_of(word: str) -> Iterator[WebLink]:
    at = 0
    while at < len(word):
        scheme, bare = _SCHEME.search(word, at), _BARE.search(word, at)
        first = min((match for match in (scheme, bare) if match), key=lambda match: match.start(), default=None)
        if first is None:
            return
        link = _with_scheme(word, first.start()) if first is scheme else _without_scheme(word, first)
        if link:
            yield link
        at = link.last_index if link else first.end()


def _with_scheme(word: str, start: int) -> WebLink | None:
    address = _IPV6.match(word, start)
    end = _path_end(word, address.end()) if address else _end(word[start : start + CHARACTERS + 1], start)
    if end == start or end - start > CHARACTERS:
        return None
    text = word[start:end]
    return WebLink(start, end, text, text, text.partition("//")[0].lower())


def _without_scheme(word: str, match: re.Match[str]) -> WebLink | None:
    host, start = match["host"].lower(), match.start()
    is_local = host == "localhost" or _ends_in(host, LOCAL_ENDINGS) or bool(_NUMBERS.fullmatch(host))
    if is_local and not (match["port"] or _is_path(word, match) or _HOME_NETWORK.fullmatch(host)):
        return None
    if not is_local and not _is_public(host, bool(match["port"] or match["path"])):
        return None
    if not _is_over(word, match.end()):
        return None
    end = _path_end(word, match.end()) if match["path"] else match.end()
    if end - start > CHARACTERS:
        return None
    text = word[start:end]
    return WebLink(start, end, text, f"http{'' if is_local else 's'}://{text}", "")


def _is_path(word: str, match: re.Match[str]) -> bool:
    return bool(match["path"]) and not (_NUMBERS.fullmatch(match["host"]) and _MASK.match(word, match.end()))


def _is_public(host: str, is_more: bool) -> bool:
    """Whether the name has an ending of the public list; where that may be a file, only with www, a port or a path."""
    ending = host.rpartition(".")[2]
    if ending in _FILES and not (is_more or host.startswith("www.")):
        return False
    return _suffixes().publicsuffix(ending, accept_unknown=False) is not None


def _is_over(word: str, at: int) -> bool:
    """Whether a bare host ends here: `a.com@b` and `a.com_x` hold none. A letter of another script is the next word."""
    return at == len(word) or not (word[at] in "@_-" or (word[at].isascii() and word[at].isalnum()))


def _ends_in(host: str, endings: tuple[str, ...]) -> bool:
    return any(host.endswith(f".{ending}") for ending in endings)


def _end(text: str, start: int) -> int:
    """Return where an address with its scheme ends, `start` if there is none."""
    match = _finder().match_at_start(text)
    return start + match.last_index if match else start


def _path_end(word: str, at: int) -> int:
    # The library knows which marks belong to an address and which to the sentence; it needs a host before the path.
    ahead = "http://a.a"
    tail = ahead + word[at : at + CHARACTERS]
    return at + _end(tail, 0) - len(ahead) if word[at : at + 1] in ("/", "?", "#") else at


@lru_cache
def _finder() -> LinkifyIt:
    return LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})


@lru_cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
