"""Cut secrets out of the addresses in a text: tokens, keys, codes, signatures, names and passwords of users.

What is no secret stays letter by letter. Keys of a known form, private keys and the words of a wallet are cut outside
of addresses too: nobody needs to read them.
"""

import re
from functools import lru_cache

from thoughts.text.private.secrets import CUT
from thoughts.text.private.seed_phrases import seed_phrases_in
from thoughts.text.private.url_secrets import INSIDE, KNOWN, is_secret, without_secret_segments, without_secrets
from thoughts.text.private.words import Words, data, entries, fold

ADDRESS_CHARACTERS = 8_192
TOKEN_CHARACTERS, LONG_TOKEN_CHARACTERS = 6, 16
WORD_LETTERS = 3
_WORD = re.compile(r"""[^\s"<>`\\^{|}]+""")  # an address holds none of these characters unescaped
_SCHEME = re.compile(r"(?:https?|wss?|ftps?)://", re.IGNORECASE)
_BARE = re.compile(r"(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?[/?#]", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9_-]+")
_PRIVATE_KEY = re.compile(data("secrets")["private_key"])
_END_OF_SENTENCE = re.compile(r"[)\].,;:!?'*_]+$")


def cut_secrets_in(text: str) -> str:
    """Return a text without the secrets in its addresses, without keys of a known form and phrases of wallets."""
    if "/" in text or "?" in text:
        text = _WORD.sub(lambda match: _without_secrets(match[0]), text)
    text = _PRIVATE_KEY.sub(CUT, KNOWN.sub(_cut_key, text))
    for start, end in reversed(seed_phrases_in(text)):
        text = text[:start] + CUT + text[end:]
    return text


def _cut_key(match: re.Match[str]) -> str:
    """Leave "bearer instruments" alone: a token is no word."""
    scheme, _, token = match[0].partition(" ")
    return match[0] if token.isalpha() and scheme.lower() == "bearer" else CUT


def _without_secrets(word: str) -> str:
    begins = _SCHEME.search(word)
    start = begins.end() if begins else 0
    if not begins and not _BARE.match(word):
        return word
    end = _END_OF_SENTENCE.search(word, max(start, len(word) - 8))
    address, rest = (word[start : end.start()], word[end.start() :]) if end else (word[start:], "")
    # Too long to be taken apart: its host alone is left.
    clean = _clean(address) if len(address) <= ADDRESS_CHARACTERS else re.split(r"[/?#]", address, maxsplit=1)[0]
    return word[:start] + clean + rest


def _clean(address: str) -> str:
    """Return an address, without its scheme, without its secrets."""
    whole, hash_mark, fragment = address.partition("#")
    before, question_mark, query = whole.partition("?")
    authority, slash, path = before.partition("/")
    authority = authority.rpartition("@")[2]
    path = _without_tokens(without_secret_segments(path))
    clean_query = without_secrets(query)
    has_secret = any(is_secret(part) for part in INSIDE.split(fragment) if part)
    return "".join((
        authority, slash, path,
        question_mark if clean_query or not query else "", clean_query,
        "" if has_secret else hash_mark + fragment,
    ))  # fmt: skip


def _without_tokens(path: str) -> str:
    """Return a path without keys of a known form, and without tokens after a word such as `reset` or `invite`."""
    segments, after_word, after_token = list[str](), False, False
    for segment in path.split("/"):
        is_token = bool(KNOWN.search(segment)) or (after_word and _is_token(segment))
        is_token = is_token or (after_token and len(segment) >= LONG_TOKEN_CHARACTERS and segment.isalnum())
        if not is_token:
            segments.append(segment)
            after_word = (after_word and len(segment) <= WORD_LETTERS) or _path_words().has_any(fold(segment))
        after_token = is_token
    return "/".join(segments)


def _is_token(segment: str) -> bool:
    """Return whether a part of a path looks like no word that people chose."""
    if len(segment) < TOKEN_CHARACTERS or not _TOKEN.fullmatch(segment):
        return False
    words = [part for part in re.split("[_-]", segment) if part.isalpha() and len(part) >= WORD_LETTERS]
    if len(words) > 1:
        return False
    has_both = any(map(str.isdigit, segment)) and any(map(str.isalpha, segment))
    return has_both or len(segment) >= LONG_TOKEN_CHARACTERS


@lru_cache
def _path_words() -> Words:
    return Words(entries(data("secrets")["address"]["path_words"]))
