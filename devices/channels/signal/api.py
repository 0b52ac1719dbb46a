"""Call signal-cli-rest-api over HTTP, and interpret its answers.

https://bbernhard.github.io/signal-cli-rest-api/
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from weakref import WeakKeyDictionary

from django.conf import settings

from devices.channels.channel import NotSent, OutcomeUnknown, TryLater

if TYPE_CHECKING:
    import httpx2

# The first version that receives: signal-cli before 0.14.5 sends, and silently drops incoming messages.
OLDEST = (0, 100)
MODES = ("json-rpc", "json-rpc-native")
TIMEOUT_S, CONNECT_S, LOOK_S = 60.0, 3.0, 10.0
AGAIN_S, LIMITED_S = 5.0, 60.0
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, httpx2.AsyncClient] = WeakKeyDictionary()

_NOT_REGISTERED = re.compile(
    r"(account does not exist|account .* (is )?not (registered|found)|not registered|authorization failed|\[40[13]\])",
    re.IGNORECASE,
)
_LIMITED = re.compile(r"rate.?limit|\b429\b|\[413\]|proof required|captcha", re.IGNORECASE)
_UNTRUSTED = re.compile(r"untrusted identit", re.IGNORECASE)
_STRANGER = re.compile(r"unregistered user|recipient", re.IGNORECASE)

PROBLEMS = {
    "away": "signal-cli-rest-api does not answer at {url}. Start its container, or correct PENNY_SIGNAL_URL.",
    "old": (
        "signal-cli-rest-api {version} is too old: what you write does not come in with it. Update its image "
        "to {oldest} or newer."
    ),
    "mode": "signal-cli-rest-api runs in the mode {mode}. Set MODE=json-rpc in its container and start it again.",
    "unlinked": "No Signal account is linked yet. Link one below.",
    "unregistered": (
        "Signal does not know the number {number} any more: it was unlinked, or registered elsewhere. Link "
        "it again below."
    ),
    "number": "{url} has no account {number}. Link it below, or correct PENNY_SIGNAL_NUMBER.",
    "untrusted": "Your safety number on Signal has changed: a new phone, or Signal was installed anew. Nothing goes "
    "to it before you say "
    "under Settings › Notifications that this was you. What waits is sent then.",
    "limited": "Signal accepts no more messages for a while (its rate limit). What is queued is sent later by itself.",
    "lost": "The connection over which messages come in is lost. Penny opens it again by herself.",
    "deaf": "Signal takes what Penny sends, but nothing has come back since {since}: the listener may be stuck, "
    "or your phone is off. "
    "Penny connects again by herself; if this stays, restart the Signal container.",
}


class SignalProblem(Exception):
    """A problem of the line: a key of PROBLEMS, and a sentence that says what to do."""

    def __init__(self, code: str, **words: str) -> None:
        super().__init__(PROBLEMS[code].format(url=settings.SIGNAL_URL, oldest=".".join(map(str, OLDEST)), **words))
        self.code = code


def client() -> httpx2.AsyncClient:
    """Return the running loop's HTTP client, without redirects and proxies."""
    import httpx2

    loop = asyncio.get_running_loop()
    if loop not in _clients or _clients[loop].is_closed:
        timeout = httpx2.Timeout(TIMEOUT_S, connect=CONNECT_S)
        _clients[loop] = httpx2.AsyncClient(timeout=timeout, trust_env=False)
    return _clients[loop]


async def server_info() -> dict[str, Any]:
    """Return {version, mode, accounts} of the server. Raises SignalProblem."""
    about, accounts = await _get("/v1/about"), await _get("/v1/accounts")
    version, mode = str(about.get("version", "")), str(about.get("mode", ""))
    if (number := _number(version)) and number < OLDEST:
        raise SignalProblem("old", version=version)
    if mode not in MODES:
        raise SignalProblem("mode", mode=mode or "normal")
    return {"version": version, "mode": mode, "accounts": [str(account) for account in accounts]}


async def _get(path: str) -> Any:
    import httpx2

    try:
        answer = await client().get(f"{settings.SIGNAL_URL}{path}", timeout=LOOK_S)
        answer.raise_for_status()
        return answer.json()
    except (httpx2.HTTPError, ValueError):
        raise SignalProblem("away") from None


def account_among(accounts: list[str]) -> str:
    """Return the number that Penny uses: the configured one, or the only one.

    Raises SignalProblem.
    """
    if settings.SIGNAL_NUMBER:
        if settings.SIGNAL_NUMBER not in accounts:
            raise SignalProblem("number" if accounts else "unlinked", number=settings.SIGNAL_NUMBER)
        return str(settings.SIGNAL_NUMBER)
    if len(accounts) != 1:
        raise SignalProblem("unlinked" if not accounts else "number", number="that PENNY_SIGNAL_NUMBER would name")
    return accounts[0]


async def post_message(body: dict[str, Any]) -> int:
    """Send a message; return its timestamp, which is its id. Raises as `request_change` does."""
    answer = await request_change("POST", "/v2/send", body)
    try:
        return int(answer.json()["timestamp"])
    except (ValueError, KeyError, TypeError):
        raise OutcomeUnknown("Signal took the message and did not say under which moment.") from None


async def request_change(method: str, path: str, body: dict[str, Any]) -> httpx2.Response:
    """Make a request that changes something.

    Raises TryLater if it certainly did nothing and may be repeated, NotSent if repeating is in vain, and OutcomeUnknown
    if its effect is unknown.
    """
    import httpx2

    try:
        answer = await client().request(method, f"{settings.SIGNAL_URL}{path}", json=body)
    except (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout):
        raise TryLater("signal-cli-rest-api does not answer", AGAIN_S, "away") from None
    except httpx2.HTTPError as error:
        raise OutcomeUnknown(f"Signal did not say what came of it ({type(error).__name__}).") from None
    if answer.is_success:
        return answer
    raise _refusal(answer)


def _refusal(answer: httpx2.Response) -> Exception:
    text = _error_text(answer)
    if answer.status_code == 429 or (answer.status_code == 400 and _LIMITED.search(text)):
        return TryLater("Signal's rate limit", _retry_after(answer), "limited")
    if answer.status_code in (502, 503):
        return TryLater(f"signal-cli-rest-api is not ready ({answer.status_code})", AGAIN_S, "away")
    if answer.status_code >= 500:
        return OutcomeUnknown(f"signal-cli-rest-api failed ({answer.status_code}) and did not say whether it had sent.")
    if answer.status_code in (404, 405):
        return TryLater("signal-cli-rest-api does not know this request", LIMITED_S, "old")
    if _UNTRUSTED.search(text):
        return TryLater("your safety number has changed", LIMITED_S, "untrusted")
    if _NOT_REGISTERED.search(text) and not _STRANGER.search(text):
        return TryLater("the account is not registered", LIMITED_S, "unregistered")
    return NotSent(f"Signal refused it: {text[:200]}")


def _error_text(answer: httpx2.Response) -> str:
    try:
        return str(answer.json()["error"])
    except (ValueError, KeyError, TypeError):
        return str(answer.status_code)


def _retry_after(answer: httpx2.Response) -> float:
    value = answer.headers.get("retry-after", "")
    return min(3600.0, float(value)) if value.isdigit() else LIMITED_S


class TooLarge(NotSent):
    """The file is larger than the limit; the rest was not fetched."""


async def attachment(name: str, most: int) -> bytes:
    """Return an attachment of at most `most` bytes. Raises TryLater, TooLarge, NotSent."""
    import httpx2

    data, address = bytearray(), f"{settings.SIGNAL_URL}/v1/attachments/{quote(name, safe='')}"
    try:
        async with client().stream("GET", address) as answer:
            if not answer.is_success:
                raise NotSent(f"Signal has no such file ({answer.status_code}).")
            async for piece in answer.aiter_bytes():
                data += piece
                if len(data) > most:
                    raise TooLarge(f"The file is larger than {most // 2**20} MB.")
    except httpx2.HTTPError as error:
        raise TryLater(type(error).__name__, AGAIN_S, "away") from None
    return bytes(data)


def receive_url(number: str) -> str:
    return f"ws{settings.SIGNAL_URL.removeprefix('http')}/v1/receive/{quote(number, safe='')}"


def _number(version: str) -> tuple[int, ...]:
    match = re.match(r"v?(\d+)\.(\d+)", version)
    return (int(match[1]), int(match[2])) if match else ()
