"""Match pages to skills by globs of host and path, such as `*.youtube.com/watch*`.

A pattern selects pages and grants nothing. It is a host, and after the first slash a path; both are shell globs (`*`:
any characters, slashes and dots included; `?`: one; `[ab]`: one of these). A host that begins with `*.` also matches
without it. Without a path every path matches. A query is ignored. Hosts ignore case, paths do not. IP addresses and
localhost have their port.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from urllib.parse import quote

import idna

from devices.web.hosts import HostInvalid, covers, grant_host, normalise_host, parse_url

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
        pattern = cls(_plain_host(host), _encoded("/" + path) if path else "/*")
        if reason := pattern.why_never():
            raise PatternInvalid(f"“{text}” fits no page: {reason}")
        return pattern

    @classmethod
    def stored(cls, text: str) -> "Pattern":
        """Return a pattern that was parsed when it was written, without trying it again."""
        host, _, path = text.partition("/")
        return cls(host, _encoded("/" + path) if path else "/*")

    def why_never(self) -> str:
        """Return why no page can match, and what to write instead; "" if one can."""
        return (
            _why_no_host(self.host)
            or _why_no_path(self.host, self.path)
            or ("" if _host_fits(self) else "no host looks like that. Write one such as example.com or *.example.com.")
            or ("" if _path_fits(self.path) else "no path looks like that. Write one such as /forum/*.")
        )

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


# What a star or a question mark may stand for, to find one page that a pattern fits.
_STARS = ("", "x", "www", "x.example", "1", "127.0.0.1", "localhost", "x/y")
_ONES = ("x", "1", ".", "-")
_SIGNS = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-._~"


def _plain_host(host: str) -> str:
    """Return a host as pages have it: a dot at its end, or another way to write an address, is the same host."""
    if _WILD.search(host.removeprefix("*.")) and not host.startswith("["):
        return host
    star, bare = ("*.", host[2:]) if host.startswith("*.") else ("", host)
    try:
        as_page = grant_host(f"http://{bare}/")
    except HostInvalid:
        return host
    has_port = re.search(r":\d+$", bare) is not None
    return star + as_page if (":" in as_page) is has_port else host


def _encoded(path: str) -> str:
    """Return a path as browsers send it."""
    return quote(path, safe="".join(map(chr, range(33, 127))).translate(str.maketrans("", "", '"<>`{}')))


def _why_no_host(host: str) -> str:
    bare = host.removeprefix("*.")
    name, _, port = bare.rpartition(":") if re.search(r":[\d*?]*$", bare) else (bare, "", "")
    if bare.startswith("."):
        return f"write *.{bare.strip('.')}, which also means {bare.strip('.')}."
    if ".." in host or bare.startswith("-"):
        return "a part of the host is missing."
    if name != bare and re.search(r"[g-z]", name) and not fnmatchcase("localhost", name):
        return f"write {host.removesuffix(':' + port)}, without a port: only IP addresses and localhost have theirs."
    if _WILD.search(bare) and not bare.startswith("["):
        return ""
    try:
        as_page = grant_host(f"http://{bare}/")
    except HostInvalid:
        return "that is no host. Write one such as example.com or *.example.com."
    if ":" in as_page and name == bare:
        return f"write its port too, such as {as_page} or {as_page.rpartition(':')[0]}:443."
    if "." not in as_page and ":" not in as_page:
        return f"that names no host. Write the whole one, such as {as_page}.com."
    return _why_not_grantable(bare) if bare == host else ""


def _why_not_grantable(host: str) -> str:
    try:
        normalise_host(host)
    except HostInvalid as error:
        return str(error)
    return ""


def _why_no_path(host: str, path: str) -> str:
    if "#" in path:
        return f"what stands behind # is no part of a path. Write {host}{path.partition('#')[0]} instead."
    if re.search(r"\?[\w.~-]*=|\.\w{2,5}\?", path):
        return f"a query is ignored. Write {host}{path.partition('?')[0]} instead."
    if "\\" in path:
        return f"write {host}{path.replace(chr(92), '/')}, with slashes."
    if re.search(r"/(?:\.|%2e){1,2}(?=/|$)", path, re.IGNORECASE):
        return "browsers open /a/../b as /b. Write the path without . and .. in it."
    return ""


def _host_fits(pattern: Pattern) -> bool:
    hosts = {pattern.host, pattern.host.removeprefix("*.")} | set(_examples(pattern.host))
    return any(_is_page(f"http://{host}/", pattern.matches_host, lambda _: True) for host in hosts if host)


def _path_fits(path: str) -> bool:
    return any(
        _is_page(f"http://x.example{example}", lambda _: True, lambda own: fnmatchcase(own, path))
        for example in _examples(path)
    )


def _is_page(url: str, fits_host: Callable[[str], bool], fits_path: Callable[[str], bool]) -> bool:
    try:
        host, path = place_of(url)
    except HostInvalid:
        return False
    return fits_host(host) and fits_path(path)


def _examples(glob: str) -> Iterator[str]:
    """Yield texts that a glob fits, with each star and question mark filled in the same way."""
    pieces = re.findall(r"\*|\?|\[!?\]?[^\]]*\]|.", glob)
    for star in _STARS:
        for one in _ONES:
            yield "".join(star if piece == "*" else one if piece == "?" else _member(piece, one) for piece in pieces)


def _member(piece: str, other: str) -> str:
    """Return a character that a piece of a glob fits: of `[ab]` the first."""
    if len(piece) < 3:
        return piece
    return next((sign for sign in (piece[1], *_SIGNS, other) if fnmatchcase(sign, piece)), piece)
