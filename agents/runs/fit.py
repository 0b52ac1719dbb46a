"""Make a request that fits into the window of its model, by construction, and again with less where it did not."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from agents.llm import client, messages, windows
from agents.llm.providers import Endpoint
from agents.llm.tokens import request_tokens
from agents.llm.window_words import ENOUGH, window_line
from agents.llm.windows import Window, WindowSmaller
from agents.runs.ask_model import ask_recorded
from agents.runs.context import Context

TRIES = 4
UNBOUNDED = 100 * windows.USUAL
CODE = "model_window"  # of the note that says what was not read
_hinted: set[tuple[str, str]] = set()  # models of which this process has said that they take little

Build = Callable[[int], messages.Request]


@dataclass
class Unread:
    """What a run did not read as a whole: for each text the characters that were read, and of how many.

    `window_line`: what the model takes at once, where a text was too long for it.
    """

    texts: dict[str, tuple[int | None, int]] = field(default_factory=dict)
    window_line: str = ""


async def ask_fitting(
    context: Context,
    endpoint: Endpoint,
    build: Build,
    on_text: client.OnText | None = None,
    withdraw: Callable[[], Awaitable[None]] | None = None,
) -> messages.Answer:
    """Ask with the request that `build` makes for so many tokens. Raises ModelFailed, BudgetSpent.

    `withdraw` takes back what `on_text` got: a thought of the model, or an answer to a request that was cut.
    """
    for tries_left in range(TRIES - 1, -1, -1):
        window = await fitting_window(context, endpoint, lambda: request_tokens(build(UNBOUNDED)))
        try:
            return await ask_recorded(context, endpoint, build(windows.room_in(window.tokens)), on_text, withdraw)
        except WindowSmaller:
            if withdraw is not None:
                await withdraw()
            if not tries_left:
                raise
    raise AssertionError("the last try returns or raises")


async def fitting_window(context: Context, endpoint: Endpoint, count: Callable[[], int]) -> Window:
    """Return the window. A server that is being asked for it is waited for only where a guess might not do.

    `count` returns how many tokens all that is to be said would take.
    """
    setting = int(context.numbers["MODEL_WINDOW"])
    windows.ask_beside(endpoint)
    window = windows.window(endpoint, setting)
    if window.is_guess and count() > windows.room_in(window.tokens):
        await windows.wait_until_asked(endpoint)
        window = windows.window(endpoint, setting)
    return window


def note_long(context: Context, endpoint: Endpoint, what: str, read: int | None, total: int) -> None:
    """Note that a text did not fit into one request, and how much of it was read, in characters.

    None: only the passages that fit the question were looked at.
    """
    window = windows.window(endpoint, int(context.numbers["MODEL_WINDOW"]))
    is_whole = read is not None and read >= total
    if not is_whole:
        context.of(Unread).texts[what] = (read, total)
    is_first = (endpoint.url, endpoint.name) not in _hinted and window.tokens < ENOUGH
    if not is_whole or is_first:
        _hinted.add((endpoint.url, endpoint.name))
        context.of(Unread).window_line = window_line(endpoint, window)


def window_notes(context: Context) -> dict[str, str]:
    """Return, for the end of an answer, what was not read and what the model takes at once."""
    unread = context.of(Unread)
    sentences = [_unread_words(what, read, total) for what, (read, total) in unread.texts.items()]
    if unread.window_line:
        return {CODE: " ".join([*sentences, f"{unread.window_line}."])}
    return {"not_read": " ".join(sentences)} if sentences else {}


def _unread_words(what: str, read: int | None, total: int) -> str:
    size = f"{max(1, -(-total // 1000)):,} kB of {what}"
    if read is None:
        return f"Of the {size} I looked at the passages that fit your question best."
    if read == 0:
        return f"I read nothing of the {size}: send it in a message of its own."
    return f"I read the first {max(1, read // 1000):,} of {size}."
