"""Decide which parts of a URL look like secrets: by their name, or by their value.

browser_ext/src/url_secrets.ts has the same rules.
"""

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl

# A parameter is secret if a word of its name is here, or its whole name ends with one of ENDINGS.
WORDS = frozenset((
    "apikey", "assertion", "auth", "authorization", "bearer", "cftoken", "code", "cookie", "cookies", "cred", "creds",
    "credential",
    "credentials", "csrf", "hmac", "jwt", "key", "keys", "nonce", "oauth", "otp", "pass", "passcode", "passphrase",
    "passwd",
    "password", "passwords", "pin", "pwd", "samlrequest", "samlresponse", "secret", "secrets", "sess", "session",
    "sid", "sig",
    "signature", "state", "ticket", "token", "tokens", "totp", "xsrf",
))  # fmt: skip
ENDINGS = (
    "token", "tokens", "secret", "password", "passwd", "passphrase", "sessionid", "sessid", "apikey", "accesskey",
    "privatekey",
    "signature", "credential", "credentials", "authcode", "jsessionid", "sessionkey",
)  # fmt: skip
LETTERS = re.compile(r"[a-z]+")
CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# A signed token (JWT), and prefixes of the keys of well-known services.
KNOWN = re.compile(
    r"eyJ[A-Za-z0-9_-]{8,1000}\.[A-Za-z0-9_-]{4,}"
    r"|(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{10,}|ya29\.[\w-]{16,}"
    r"|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|[sr]k[-_](?:live|test|proj|ant)[-_][\w-]{16,}|sk-[A-Za-z0-9]{20,}"
    r"|[Bb]earer [^ ]{8,})",
    re.ASCII,
)
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
