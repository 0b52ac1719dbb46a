"""Decide which parts of a URL look like secrets: by their name, or by their value.

browser_ext/src/grants/url_secrets.ts has the same rules, and both read the words and forms of
thoughts/text/private/secrets.json.
"""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl

from thoughts.text.private.words import data

_ADDRESS = data("secrets")["address"]
# A parameter is secret if a word of its name is here, or its whole name ends with one of ENDINGS.
WORDS = frozenset(" ".join(_ADDRESS["parameter_words"]).split())
ENDINGS = tuple(" ".join(_ADDRESS["parameter_endings"]).split())
LETTERS = re.compile(r"[a-z]+")
CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# The forms of signed tokens (JWT) and of the keys of well-known services.
KNOWN = re.compile("|".join(data("secrets")["known"]), re.ASCII)
HEXADECIMAL = re.compile(r"(?<![A-Za-z0-9])[0-9A-Fa-f]{32,}(?![A-Za-z0-9])")
RUN = re.compile(r"[A-Za-z0-9]{20,}")
CHANGE = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")
CHANGES_OF_CHANCE = 4
# Separates parameters inside a value, such as an encoded address to continue to.
INSIDE = re.compile(r"[?&;#]")
DEEPER = re.compile(r"[?&;#=%+]")  # a text without these holds no further parameters
DEEPEST = 3
NOT_PLAIN = re.compile(r"[%+&]|^\?|[^\x20-\x7e]")


def without_secrets(query: str) -> str:
    """Return a query (without `?`) without its secret parameters, the others unchanged."""
    return "&".join(part for part in query.split("&") if not is_secret(part))


def without_secret_segments(path: str) -> str:
    """Return a path without secret parameters such as `;jsessionid=`."""
    return "/".join(_without_secret_parts(segment) for segment in path.split("/"))


def is_secret(parameter: str, depth: int = 0) -> bool:
    """Return whether `name=value`, still encoded, is a secret or holds one."""
    return any(
        ("=" in parameter and is_secret_name(name)) or any(_holds_secret(text, depth) for text in (name, value))
        for name, value in _decoded(parameter)
    )


def _decoded(parameter: str) -> Iterable[tuple[str, str]]:
    """Return the decoded names and values of the text between two `&`, as browsers decode it."""
    if NOT_PLAIN.search(parameter):
        # Invalid UTF-8 becomes U+FFFD, as in browsers.
        return parse_qsl(parameter.removeprefix("?"), keep_blank_values=True)
    name, _, value = parameter.partition("=")
    return [(name, value)] if parameter else []


def is_secret_name(name: str) -> bool:
    """Return whether a word of a name (`access-token`, `accessToken`), or its end, says secret."""
    words = LETTERS.findall(name.lower())
    camel = [word.lower() for word in CAMEL.findall(name)]
    joined = "".join(words)
    return not WORDS.isdisjoint([*words, *camel]) or joined.endswith(ENDINGS) or joined.startswith("aspsessionid")


def looks_secret(text: str) -> bool:
    """Return whether a text looks like a key, a signed token or a random number."""
    if KNOWN.search(text) or HEXADECIMAL.search(text):
        return True
    return any(len(CHANGE.findall(run)) >= CHANGES_OF_CHANCE for run in RUN.findall(text))


def _holds_secret(text: str, depth: int) -> bool:
    if looks_secret(text):
        return True
    if depth == DEEPEST or not DEEPER.search(text):
        return False
    return any(is_secret(part, depth + 1) for part in INSIDE.split(text) if part)


def _without_secret_parts(segment: str) -> str:
    first, *parts = segment.split(";")
    return ";".join([first, *(part for part in parts if not is_secret(part))])
