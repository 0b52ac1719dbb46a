"""Tell from a failed request whether the model is only busy, and when its server wants to be asked again.

Imports no Django.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Literal

NAMED_MAX_S = 24 * 3600.0  # a longer pause counts as so long
HINT_MAX_S = 60.0
EPOCH_S = 1e9  # a larger number of seconds is a moment; a larger one still is one in milliseconds
CAUSES_MAX = 10

Kind = Literal["busy", "loading", "unreachable", "hiccup"]


@dataclass(frozen=True)
class Busy:
    """Why the same request may be sent again.

    `named_s`: the pause that the server asks for, in seconds. `hint_s`: when one of its limits ends, which is less
    certain. `status`: of the server's answer, 0 for none. `is_answer`: the server answered; else the
    connection failed. `is_refused`: nothing was sent.
    """

    kind: Kind
    status: int = 0
    named_s: float | None = None
    hint_s: float | None = None
    is_answer: bool = True
    is_refused: bool = False


_KINDS: dict[str, Kind] = {"model_busy": "busy", "model_loading": "loading"}
# Asking again changes nothing, whatever the status was.
_FINAL = re.compile(
    r"model_(?:quota|key_\w+|not_found|context|memory|no_\w+|too_long|cut_off|rejected|empty|broken|between|path)|no_model"
)
_BUSY_STATUSES = (503, 529)
_HICCUPS = (408, 409)


def busy_of(code: str, cause: BaseException | None) -> Busy | None:
    """Return why a failure with this code may pass by itself; None where asking again is in vain.

    `cause`: the exception of the client library, which holds the answer of the server.
    """
    causes = list(_causes(cause))
    answer = next((error for error in causes if getattr(error, "status_code", None)), None)
    status, headers = getattr(answer, "status_code", 0), _headers_of(answer)
    if _FINAL.fullmatch(code) or headers.get("x-should-retry", "").lower() == "false":
        return None
    kind = _KINDS.get(code) or _kind_of(status)
    if kind is None:
        return _broken_connection(causes) if answer is None else None
    words = str(getattr(causes[0], "body", "") or "") if causes else ""
    return Busy(kind, status, named_pause_s(headers), hinted_pause_s(headers, words))


def _kind_of(status: int) -> Kind | None:
    if status in _BUSY_STATUSES:
        return "busy"
    return "hiccup" if status >= 500 or status in _HICCUPS else None


def _broken_connection(causes: list[BaseException]) -> Busy | None:
    """Return the failure of a connection that may be there a moment later: refused, broken off, or not established."""
    import ssl

    import httpx2

    not_connected = httpx2.ConnectError | httpx2.ConnectTimeout
    passing = not_connected | httpx2.ReadError | httpx2.WriteError | httpx2.CloseError | httpx2.RemoteProtocolError
    if any(isinstance(error, ssl.SSLError) for error in causes):
        return None
    for error in causes:
        if isinstance(error, passing):
            return Busy("unreachable", is_answer=False, is_refused=isinstance(error, not_connected))
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(CAUSES_MAX):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _headers_of(error: BaseException | None) -> Mapping[str, str]:
    headers = getattr(error, "headers", None) or getattr(getattr(error, "response", None), "headers", None) or {}
    return {str(name).lower(): str(value) for name, value in headers.items()}


_SECONDS = re.compile(r"\d{1,15}(?:\.\d{1,9})?", re.ASCII)
_PART = r"(\d{1,9}(?:\.\d{1,9})?) ?(ms|milliseconds?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)(?![a-z])"
_DURATION = re.compile(rf"(?:{_PART} ?)+", re.IGNORECASE | re.ASCII)
_PARTS = re.compile(_PART, re.IGNORECASE | re.ASCII)
_IN_WORDS = re.compile(rf"(?:retry|again|wait)[a-z_]{{0,20}}+[^\d]{{0,20}}?((?:{_PART} ?)+)", re.IGNORECASE | re.ASCII)
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0}


def named_pause_s(headers: Mapping[str, str], clock: Callable[[], float] = time.time) -> float | None:
    """Return the pause of `retry-after-ms` or `Retry-After`: seconds, or a date. None for nonsense and for the past."""
    milliseconds = headers.get("retry-after-ms", "").strip()
    if _SECONDS.fullmatch(milliseconds):
        return _bounded(float(milliseconds) / 1000)
    value = headers.get("retry-after", "").strip()
    pause_s = _duration_s(value)
    return _bounded(pause_s if pause_s is not None else _until_date_s(value, clock))


def hinted_pause_s(headers: Mapping[str, str], words: str, clock: Callable[[], float] = time.time) -> float | None:
    """Return when the limit that was reached ends, at most a minute ahead: by the headers, else by the words."""
    limits = [name for name in headers if "ratelimit" in name and "reset" in name]
    reached = [name for name in limits if headers.get(name.replace("reset", "remaining"), "").strip() == "0"]
    pauses = [_reset_s(headers[name], clock) for name in reached or limits]
    if not any(pauses) and (match := _IN_WORDS.search(words[:4000])):
        pauses = [_duration_s(match[1].strip())]
    return max((pause for pause in pauses if pause is not None and 0 < pause <= HINT_MAX_S), default=None)


def _reset_s(value: str, clock: Callable[[], float]) -> float | None:
    """Return the seconds until a limit ends, which servers tell as a duration or as a moment since 1970."""
    seconds = _duration_s(value.strip())
    if seconds is None or seconds < EPOCH_S:
        return seconds
    return (seconds / 1000 if seconds > 1000 * EPOCH_S else seconds) - clock()


def _duration_s(value: str) -> float | None:
    """Return the seconds of `20`, `1.5`, `2s`, `6m0s` or `120ms`."""
    if _SECONDS.fullmatch(value):
        return float(value)
    if not _DURATION.fullmatch(value):
        return None
    return sum(
        float(number) * (0.001 if unit.lower().startswith(("ms", "milli")) else _UNITS[unit[0].lower()])
        for number, unit in _PARTS.findall(value)
    )


def _until_date_s(value: str, clock: Callable[[], float]) -> float | None:
    try:
        seconds = parsedate_to_datetime(value).timestamp() - clock()
    except (ValueError, TypeError, OverflowError, OSError):
        return None
    return seconds if seconds > 0 else None


def _bounded(seconds: float | None) -> float | None:
    return min(seconds, NAMED_MAX_S) if seconds is not None and math.isfinite(seconds) else None
