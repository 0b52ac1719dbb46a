"""Which pages a skill is for: globs of a host and a path, such as `*.youtube.com/watch*`. They choose, and allow
nothing.

A pattern is a host, and after the first slash a path; both are globs of the shell (`*` any characters, slashes and dots
included, `?` one, `[ab]` one of these). A host that begins with `*.` stands also for itself without that. Without a
path every path is meant. Only the path counts, not what follows a `?` in an address. Upper and lower case are the same
in hosts and differ in paths. IP addresses and localhost are written with their port.
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
    """A pattern that could match nothing; the text says why."""


@dataclass(frozen=True)
class Pattern:
    host: str
    path: str

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """Return what a pattern says. Raises PatternInvalid."""
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
        """Whether a page is meant that is at `place_of`."""
        return self.matches_host(host) and fnmatchcase(path, self.path)

    def matches_host(self, host: str) -> bool:
        if self.host == host or fnmatchcase(host, self.host):
            return True
        return self.host.startswith("*.") and fnmatchcase(host, self.host[2:])

    def meets(self, granted: str) -> bool:
        """Whether some page that is meant can be on a granted host. One for any site names none, and meets no grant by
        name.
        """
        bare = self.host.removeprefix("*.")
        return bare != "*" and (
            self.matches_host(granted) or covers(granted, bare) or (bare != self.host and covers(bare, granted))
        )

    @property
    def weight(self) -> tuple[bool, int, int]:
        """How much a pattern says: a named host before a glob, then more letters of the host, then of the path."""
        bare = self.host.removeprefix("*.")
        return not _WILD.search(bare), len(_WILD.sub("", bare)), len(_WILD.sub("", self.path))

    def __str__(self) -> str:
        return self.host + ("" if self.path == "/*" else self.path)


def place_of(url: str) -> tuple[str, str]:
    """Return the host of a page, as grants name it, and its path. Raises HostInvalid for what is no web address."""
    return grant_host(url), str(parse_url(url).pathname)


def _punycode(host: str) -> str:
    """Return a host as grants name it; what cannot be encoded stays, and is refused."""
    if host.isascii():
        return host
    try:
        return ".".join(label if label.isascii() else idna.encode(label).decode() for label in host.split("."))
    except idna.IDNAError:
        return host
