"""Give up a model that says nothing for too long. Every byte of its answer counts as a word. Imports no Django.

Comments, empty pieces, thoughts and pieces of calls come from a server that works. A server that sends nothing else
is ended by the time of the run, of the reading or of the trial.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar

LOOK_S, LOOKS = 1.0, 20


class Silence:
    """Counts how long nothing was heard, by looking again and again.

    A look adds its own length at most: while this process stands still, as on a laptop that sleeps, it hears nothing.
    What was sent meanwhile is read before the next look.
    """

    def __init__(self, longest_s: float) -> None:
        self._longest_s, self._look_s = longest_s, min(LOOK_S, longest_s / LOOKS)
        self._silent_s, self._is_counting = 0.0, True

    def ask(self) -> None:
        """Begin to count: a request leaves."""
        self._silent_s, self._is_counting = 0.0, True

    def hear(self) -> None:
        self._silent_s = 0.0

    def pause(self) -> None:
        """Stop counting until the next request: the server refused, and this side waits before it asks again."""
        self._is_counting = False

    def look(self) -> bool:
        """Count one look. Return whether the silence is too long."""
        if self._is_counting:
            self._silent_s += self._look_s
        return self._silent_s >= self._longest_s

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """Raise TimeoutError inside once the silence is too long."""
        loop = asyncio.get_running_loop()

        def look() -> None:
            if self.look():
                limit.reschedule(loop.time())
            else:
                timers.append(loop.call_later(self._look_s, look))
                del timers[:-1]

        async with asyncio.timeout(None) as limit:
            timers = [loop.call_later(self._look_s, look)]
            try:
                yield
            finally:
                timers[-1].cancel()


_current: ContextVar[Silence] = ContextVar("silence")


def current_silence() -> Silence:
    """Return the silence of the request that this task sends; one that nobody looks at outside of `silence_limit`."""
    return _current.get(Silence(1.0))


@asynccontextmanager
async def silence_limit(longest_s: float) -> AsyncIterator[None]:
    """Raise TimeoutError after `longest_s` in which no request that is sent inside heard anything."""
    silence = Silence(longest_s)
    token = _current.set(silence)
    try:
        async with silence.limit():
            yield
    finally:
        _current.reset(token)
