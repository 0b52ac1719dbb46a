"""An event that nobody can send any more is lost, and holds up nothing."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

from asgiref.sync import SyncToAsync

from devices import events


def test_a_thread_does_not_wait_for_a_loop_that_has_stopped() -> None:
    """Such a thread would keep a process that is ending from ending."""
    with closing(asyncio.new_event_loop()) as loop, ThreadPoolExecutor(1) as thread:
        on_thread = SyncToAsync(lambda: None, thread_sensitive=False, executor=thread)
        loop.run_until_complete(on_thread())
        sent = thread.submit(events.send, {"type": "acting.look"})
        try:
            sent.result(timeout=10)
        finally:
            loop.run_until_complete(asyncio.sleep(0.05))  # frees a thread that waits
