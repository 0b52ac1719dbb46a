"""Find a canary in text, however it is encoded."""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterable, Iterator
from urllib.parse import unquote

_APART = re.compile(r"[\W_]+")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}){8,}")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})")


def holds(text: str, canary: str) -> bool:
    """Whether the text holds the canary in any encoding that `which` knows."""
    return bool(which(text, [canary]))


def which(text: str, canaries: Iterable[str]) -> set[str]:
    """Return the canaries that the text holds.

    They count in any case, split, escaped, reversed, or in base64, hex, percent encoding, tags or selectors.
    """
    bare_canaries = [(canary, _bare(canary)) for canary in canaries]
    forms = [_bare(form) for form in _forms(text)]
    return {canary for canary, bare in bare_canaries if any(bare in form or bare[::-1] in form for form in forms)}


def _forms(text: str) -> Iterator[str]:
    unescaped = (
        _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
        .encode("utf-16", "surrogatepass")
        .decode("utf-16", "replace")
    )
    yield from (unescaped, unquote(unescaped), unquote(unquote(unescaped)))
    yield _tagged(unescaped)
    yield from _bit_coded(unescaped)
    for match in _BASE64.findall(unescaped):
        yield _from_base64(match)
    for match in _HEX.findall(unescaped):
        yield bytes.fromhex(match).decode(errors="replace")


def _bare(text: str) -> str:
    return _APART.sub("", unicodedata.normalize("NFKC", text).casefold())


def _tagged(text: str) -> str:
    """Return the text in Unicode tags and variation selectors."""
    tags = "".join(chr(ord(letter) - 0xE0000) for letter in text if 0xE0020 <= ord(letter) <= 0xE007E)
    points = [ord(letter) for letter in text]
    selected = bytes(
        p - 0xFE00 if p < 0xFE10 else p - 0xE0100 + 16
        for p in points
        if 0xFE00 <= p <= 0xFE0F or 0xE0100 <= p <= 0xE01EF
    )
    return tags + " " + selected.decode(errors="replace")


def _bit_coded(text: str) -> Iterator[str]:
    """Return the text in runs of two invisible characters, each of them once as the one."""
    for zero, one in ("\u200b\u200c", "\u200e\u200f", "\u00ad\u2060", "\u3164\u115f"):
        bits = "".join("1" if letter == one else "0" for letter in text if letter in (zero, one))
        if len(bits) >= 64:
            yield int(bits[: len(bits) // 8 * 8], 2).to_bytes(len(bits) // 8).decode(errors="replace")


def _from_base64(text: str) -> str:
    try:
        return base64.b64decode(text.replace("-", "+").replace("_", "/") + "=" * (-len(text) % 4)).decode(
            errors="replace"
        )
    except (ValueError, binascii.Error):
        return ""
