"""Find the moment of a recording at which a passage of its transcript is spoken. Imports no Django.

A transcript is the last section of a page's text: `## Transcript`, then lines such as `[12:34] words`.
"""

import re
from urllib.parse import urlsplit, urlunsplit

from thoughts.text.addresses import of_the_web

HEADING = "## Transcript"
MARK = r"\[(?:\d{1,3}:)?\d{1,3}:[0-5]\d\] (?=\S)"  # before a line
_MARK = re.compile(MARK)
_VIDEO_PATH = re.compile(r"/watch/?|/(?:shorts|live|embed|v|e)/[\w-]{11}/?")
_YOUTUBE = re.compile(r"(?:(?:www|m|music)\.)?youtube(?:-nocookie)?\.com")
_SHORT_LINK = re.compile(r"(?:www\.)?youtu\.be")


def transcript_start(text: str) -> int | None:
    """Return where the lines of the last such section begin."""
    at = text.rfind(f"\n{HEADING}\n")
    if at >= 0:
        return at + len(HEADING) + 2
    return len(HEADING) + 1 if text.startswith(f"{HEADING}\n") else None


def moment_of(text: str, start: int) -> int | None:
    """Return the seconds of the mark that stands nearest before text[start], or None outside of a transcript."""
    if (begin := transcript_start(text)) is None or start <= begin:
        return None
    line_end = text.find("\n", start)
    lines = text[begin : line_end if line_end >= 0 else len(text)].split("\n")
    mark = next((mark for line in reversed(lines) if (mark := _MARK.match(line))), None)
    return _seconds(mark[0]) if mark else None


def moment_url(url: str, seconds: int) -> str:
    """Return the address of the moment on the page itself, or "" where its address is none of the web."""
    if not of_the_web(url):
        return ""
    parts = urlsplit(url)
    if not _takes_time(parts.hostname or "", parts.path, parts.query):
        return urlunsplit(parts._replace(fragment=f"t={seconds}"))
    others = [field for field in parts.query.split("&") if field and field.partition("=")[0] != "t"]
    return urlunsplit(parts._replace(query="&".join([*others, f"t={seconds}s"]), fragment=""))


def moment_words(seconds: int) -> str:
    """Return 754 as "12:34" and 3723 as "1:02:03"."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _seconds(mark: str) -> int:
    numbers = [int(number) for number in re.findall(r"\d+", mark)]
    return sum(number * 60**place for place, number in enumerate(reversed(numbers)))


def _takes_time(host: str, path: str, query: str) -> bool:
    """Whether the address is one of a video in the forms that YouTube gives them."""
    if _SHORT_LINK.fullmatch(host):
        return True
    if path.rstrip("/") == "/watch":
        return any(field.startswith("v=") and len(field) > 2 for field in query.split("&"))
    return bool(_YOUTUBE.fullmatch(host) and _VIDEO_PATH.fullmatch(path))
