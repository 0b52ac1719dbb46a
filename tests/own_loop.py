"""The event loop of an asynchronous test."""

import asyncio
from collections.abc import Mapping


class OwnLoop(asyncio.SelectorEventLoop):
    """The loop of one test, which ends its connections.

    Clients that live as long as the process (of models, of Redis) would use them in the loop of the next test.
    """

    _transports: Mapping[int, asyncio.Transport]

    def close(self) -> None:
        if not self.is_closed():
            for transport in list(self._transports.values()):
                transport.abort()
            self.run_until_complete(asyncio.sleep(0))  # aborted connections are closed a step later
        super().close()
