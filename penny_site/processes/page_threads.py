"""The threads on which pages are served, each with its connection to the database.

Django serves each request on a new thread with a new connection, for which SQLite reads the whole schema. Here a
request reuses an idle thread of an earlier request.
"""

from concurrent.futures import ThreadPoolExecutor

from asgiref.sync import ThreadSensitiveContext
from django.db import connections

from penny_site.doors import App, Receive, Scope, Send

KEPT = 4  # idle threads; the number of busy threads has no limit


class KeptThreads:
    """Serve each request on one thread, and reuse the thread for later requests."""

    def __init__(self, inner: App) -> None:
        self._inner = inner
        self._idle: list[ThreadPoolExecutor] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, "page")
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self._inner(scope, receive, send)
        finally:
            # A page whose client disconnected may still run on the thread.
            thread.submit(int).add_done_callback(lambda _: self._keep(thread))

    def _keep(self, thread: ThreadPoolExecutor) -> None:
        if len(self._idle) < KEPT:
            self._idle.append(thread)
        else:
            thread.submit(connections.close_all)
            thread.shutdown(wait=False)
