"""A worker claims as many turns as it has slots; finished ones leave meanwhile."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections

from agents.models import Run
from agents.runs.context import Parked
from agents.worker import execute, loop
from devices.db import in_db
from tests.agents.background import use_model
from tests.agents.outbox.send_message import send_message
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
RUNNING = 6


async def _start(*runs: Run) -> None:
    for run in runs:
        execute.queue_turn(run.pk)


async def _hold_start() -> None:
    await execute._starting.acquire()


async def _let_start() -> None:
    execute._starting.release()


async def _close() -> None:
    await in_db(connections.close_all)()


async def _count(tasks: list[int]) -> None:
    tasks.append(len(asyncio.all_tasks()))


def _tasks() -> int:
    counts: list[int] = []
    loop.run_on_loop(_count(counts))
    return counts[0]


def _count_done() -> int:
    return Run.objects.filter(state=Run.State.DONE).count()


def test_who_is_done_does_not_wait_for_who_takes(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    """Tasks that waited grew without bound while more was asked than answered."""
    may_end = threading.Event()

    def words() -> Iterator[str]:
        yield "Well "
        may_end.wait(60)
        yield "then."

    use_model(monkeypatch, model)
    model.on(lambda _: True, lambda _: Reply(tokens=words()))
    running, last = [send_message(f"Say {number}") for number in range(RUNNING)], send_message("Say one more")
    before = _tasks()
    loop.run_on_loop(_start(*running))
    until(lambda: len(model.requests) == RUNNING, "all are being answered")
    loop.run_on_loop(_hold_start())  # the claiming task waits until all that it claimed have started
    loop.run_on_loop(_start(last))
    may_end.set()
    until(lambda: _count_done() >= RUNNING, "those that began are answered")
    try:
        until(lambda: _tasks() < before + RUNNING, "who is done has gone")
    finally:
        loop.run_on_loop(_let_start())
    until(lambda: _count_done() == RUNNING + 1, "the last is answered too")
    loop.run_on_loop(_close())


def test_a_turn_that_is_queued_again_while_its_attempt_ends_goes_on(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    """It waited for the next tick: the wake-up came before the attempt was over."""
    use_model(monkeypatch, model)
    model.on(lambda _: True, Reply("Good morning."))
    run, answer, park, attempts = send_message("Hello"), execute._answer_turn, execute._park, list[int]()

    def park_and_wake(run: Run) -> None:
        park(run, Parked())
        Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED)
        asyncio.run_coroutine_threadsafe(_start(run), loop.worker_loop()).result()

    async def park_first(run: Run, *rest: Any) -> bool:
        attempts.append(run.attempt)
        if len(attempts) > 1:
            return await answer(run, *rest)
        await in_db(park_and_wake)(run)
        return False

    monkeypatch.setattr(execute, "_answer_turn", park_first)
    loop.run_on_loop(_start(run))
    try:
        until(lambda: _count_done() == 1, "it is answered")
        assert attempts == [1, 2]
    finally:
        loop.run_on_loop(_close())
