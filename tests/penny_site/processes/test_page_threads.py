"""Threads that serve pages: reused, as many as needed, never one that is still busy."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from asgiref.sync import sync_to_async

from penny_site.doors import Receive, Scope, Send
from penny_site.processes.page_threads import KEPT, KeptThreads


def make_app(work: Callable[[], object]) -> KeptThreads:
    """Return an app that does this work where Django would run a view."""

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"result": await sync_to_async(work)()})

    return KeptThreads(inner)


async def send_requests(page: KeptThreads, times: int = 1) -> list[Any]:
    results: list[Any] = []

    async def send(message: dict[str, Any]) -> None:
        results.append(message["result"])

    async def receive() -> dict[str, Any]:
        return {}

    await asyncio.gather(*(page({"type": "http"}, receive, send) for _ in range(times)))
    await asyncio.sleep(0.1)  # until the threads are idle
    return results


async def test_one_request_after_the_other_is_served_on_the_same_thread() -> None:
    page = make_app(threading.get_ident)
    assert len({ident for _ in range(5) for ident in await send_requests(page)}) == 1


async def test_simultaneous_requests_run_in_parallel_and_a_few_threads_are_kept() -> None:
    barrier = threading.Barrier(KEPT + 2)

    def meet() -> int:
        barrier.wait(10)  # breaks if one request waits for another
        return threading.get_ident()

    page = make_app(meet)
    assert len(set(await send_requests(page, KEPT + 2))) == KEPT + 2
    before = {thread.ident for thread in threading.enumerate()}
    again = set(await send_requests(page, KEPT + 2))
    assert len(again & before) == KEPT
    assert threading.active_count() == len(before)


async def test_a_request_does_not_wait_for_the_work_of_a_cancelled_request() -> None:
    began, goes_on, slow = threading.Event(), threading.Event(), [True]

    def work() -> int:
        if slow:
            slow.clear()
            began.set()
            goes_on.wait(20)
        return threading.get_ident()

    page = make_app(work)
    first = asyncio.create_task(send_requests(page))
    try:
        await asyncio.to_thread(began.wait, 10)
        first.cancel()
        await asyncio.sleep(0.1)
        await asyncio.wait_for(send_requests(page), 5)
    finally:
        goes_on.set()
        await asyncio.wait([first], timeout=5)
