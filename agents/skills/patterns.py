"""Match pages to skills by globs of host and path, such as `*.youtube.com/watch*`.

A pattern selects pages and grants nothing. It is a host, and after the first slash a path; both are shell globs (`*`:
any characters, slashes and dots included; `?`: one; `[ab]`: one of these). A host that begins with `*.` also matches
without it. Without a path every path matches. A query is ignored. Hosts ignore case, paths do not. IP addresses and
localhost have their port.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase

import idna

from devices.web.hosts import covers, grant_host, parse_url

PATTERN_CHARACTERS = 200
_HOST = re.compile(r"[a-z0-9_.:*?\[\]-]{1,150}")
_WILD = re.compile(r"[*?\[]")


class PatternInvalid(ValueError):
    """A pattern that could match nothing. The text says why."""


@dataclass(frozen=True)
class Pattern:
    host: str
    path: str

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """Return the parsed pattern. Raises PatternInvalid."""
        if len(text) > PATTERN_CHARACTERS or text.count("*") > 8:
            raise PatternInvalid(f"“{text[:60]}” is too long: at most {PATTERN_CHARACTERS} characters and eight stars.")
        if "://" in text:
            raise PatternInvalid(f"“{text}”: write the host and the path without http:// or https://.")
        host, _, path = text.partition("/")
        host = _punycode(host.lower())
        if not _HOST.fullmatch(host):
            raise PatternInvalid(f"“{text}” names no host, such as example.com or *.example.com.")
        return cls(host, "/" + path if path else "/*")

    def matches(self, host: str, path: str) -> bool:
        """Whether a page matches. Host and path come from `place_of`."""
        return self.matches_host(host) and fnmatchcase(path, self.path)

    def matches_host(self, host: str) -> bool:
        if self.host == host or fnmatchcase(host, self.host):
            return True
        return self.host.startswith("*.") and fnmatchcase(host, self.host[2:])

    def meets(self, granted_host: str) -> bool:
        """Whether some matching page can be on the granted host.

        A pattern for any site meets none.
        """
        bare = self.host.removeprefix("*.")
        return bare != "*" and (
            self.matches_host(granted_host)
            or covers(granted_host, bare)
            or (bare != self.host and covers(bare, granted_host))
        )

    @property
    def weight(self) -> tuple[bool, int, int]:
        """How specific the pattern is: a named host before a glob, then letters of host and path."""
        bare = self.host.removeprefix("*.")
        return not _WILD.search(bare), len(_WILD.sub("", bare)), len(_WILD.sub("", self.path))

    def __str__(self) -> str:
        return self.host + ("" if self.path == "/*" else self.path)


def place_of(url: str) -> tuple[str, str]:
    """Return the host of a page, as in grants, and its path. Raises HostInvalid."""
    return grant_host(url), str(parse_url(url).pathname)


def _punycode(host: str) -> str:
    """Return the host as in grants. A host that cannot be encoded stays, and is refused later."""
    if host.isascii():
        return host
    try:
        return ".".join(label if label.isascii() else idna.encode(label).decode() for label in host.split("."))
    except idna.IDNAError:
        return host
