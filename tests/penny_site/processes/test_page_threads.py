"""Which threads serve pages: the ones that are there, as many as are needed, and never one that is still at work."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async

from penny_site.doors import Receive, Scope, Send
from penny_site.processes.page_threads import KEPT, KeptThreads


def app(work: Callable[[], object]) -> KeptThreads:
    """Return an app that does some work where a view of Django's would."""

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"done": await sync_to_async(work)()})

    return KeptThreads(inner)


async def asked(page: KeptThreads, times: int = 1) -> list[Any]:
    """Return what the work of so many requests at once came to."""
    found: list[Any] = []

    async def send(message: dict[str, Any]) -> None:
        found.append(message["done"])

    async def receive() -> dict[str, Any]:
        return {}

    await asyncio.gather(*(page({"type": "http"}, receive, send) for _ in range(times)))
    await asyncio.sleep(0.1)  # until the threads are idle
    return found


async def test_one_request_after_the_other_is_served_on_the_same_thread() -> None:
    page = app(threading.get_ident)
    assert len({ident for _ in range(5) for ident in await asked(page)}) == 1


async def test_requests_that_come_together_are_served_together_and_a_few_threads_are_kept() -> None:
    together = threading.Barrier(KEPT + 2)

    def meet() -> int:
        together.wait(10)  # it breaks where one has to wait for another
        return threading.get_ident()

    page = app(meet)
    assert len(set(await asked(page, KEPT + 2))) == KEPT + 2
    before = {thread.ident for thread in threading.enumerate()}
    again = set(await asked(page, KEPT + 2))
    assert len(again & before) == KEPT
    assert threading.active_count() == len(before)


async def test_whoever_comes_next_does_not_wait_for_the_work_of_a_request_that_was_given_up() -> None:
    began, goes_on, slow = threading.Event(), threading.Event(), [True]

    def work() -> int:
        if slow:
            slow.clear()
            began.set()
            goes_on.wait(20)
        return threading.get_ident()

    page = app(work)
    first = asyncio.create_task(asked(page))
    try:
        await asyncio.to_thread(began.wait, 10)
        first.cancel()
        await asyncio.sleep(0.1)
        await asyncio.wait_for(asked(page), 5)
    finally:
        goes_on.set()
        await asyncio.wait([first], timeout=5)
