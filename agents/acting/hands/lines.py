"""What a line of `manage.py hands` means. One line has one plain meaning, or is refused in words."""

import re
from dataclasses import dataclass

from ada_url import URL

from devices import protocol
from devices.web.hosts import HostInvalid, grant_host, parse_url

WORDS_MAX, PATH_MAX, WAIT_MS_MAX = 200, 2_048, 25_000
KNOWN = "look [PART], find TEXT, go URL|back|reload, wait MS|quiet, read, quit"


class LineRefused(ValueError):
    """A line that is not carried out. `code` is for programs; the text is for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Look:
    part: int = 1


@dataclass(frozen=True)
class Find:
    words: str


@dataclass(frozen=True)
class Read:
    pass


@dataclass(frozen=True)
class Quit:
    pass


Line = Look | Find | Read | Quit | protocol.GoAction | protocol.WaitAction


def parse_line(text: str, url: str) -> Line:
    """Return what a line wants of the page at `url`. Raises LineRefused."""
    name, _, rest = text.strip().partition(" ")
    rest = rest.strip()
    match name.lower(), rest:
        case "look", _ if re.fullmatch(r"[1-9][0-9]{0,2}|", rest):
            return Look(int(rest or "1"))
        case "find", _ if 0 < len(rest) <= WORDS_MAX:
            return Find(rest)
        case "go", "back" | "reload":
            return protocol.GoAction(to="back" if rest == "back" else "reload")
        case "go", _ if rest:
            return protocol.GoAction(to="path", path=_path_of(rest, url))
        case "wait", "quiet":
            return protocol.WaitAction(until="quiet")
        case "wait", _ if re.fullmatch(r"[0-9]{1,5}", rest) and int(rest) <= WAIT_MS_MAX:
            return protocol.WaitAction(until="ms", ms=int(rest))
        case "wait", _ if rest.isascii() and rest.isdecimal():
            raise LineRefused("too_long", f"I wait for at most {WAIT_MS_MAX:,} milliseconds.")
        case "read", "":
            return Read()
        case "quit", "":
            return Quit()
    raise LineRefused("unknown_line", f"I know: {KNOWN}.")


def _path_of(text: str, url: str) -> str:
    """Return the path of an address on the site of the tab. Raises LineRefused."""
    is_whole = re.match(r"[A-Za-z][A-Za-z0-9+.-]*://", text) is not None
    try:
        here = parse_url(url)
        there = parse_url(str(URL(text, base=url).href) if text[:1] == "/" or is_whole else f"https://{text}")
    except (HostInvalid, ValueError):
        raise LineRefused("bad_url", "That is no web address that may be opened.") from None
    if grant_host(str(there.href)) != grant_host(str(here.href)):
        site = grant_host(str(here.href))
        words = f"{grant_host(str(there.href))} is another site. This tab stays on {site}: quit, and begin there."
        raise LineRefused("other_site", words)
    if is_whole and there.origin != here.origin:
        raise LineRefused("other_site", f"This tab is at {here.origin}, and stays there: quit, and begin there.")
    path = f"{there.pathname}{there.search}{there.hash}"
    if len(path) > PATH_MAX or re.match(r"/[/\\]", path):
        raise LineRefused("bad_url", "That is no web address that may be opened.")
    return path
