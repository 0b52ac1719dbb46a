"""A worker claims a turn that it stores in the same transaction."""

from collections.abc import Iterator

import pytest
from django.db import DatabaseError, connections, transaction
from django.utils import timezone

from agents.answers import begin
from agents.models import Run, Step
from agents.runs import queue
from agents.turns import finish
from agents.worker import execute, loop
from devices.db import in_db
from devices.models import Message
from tests.agents.background import use_model
from tests.agents.outbox.send_message import send_message
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]


@pytest.fixture
def begun_runs() -> Iterator[list[Run]]:
    """Make this process a worker with a free slot; collect the runs that it would start."""
    runs: list[Run] = []
    queue.use_own(queue.Slots(lambda: True, runs.append))
    yield runs
    queue.use_own(None)


@pytest.fixture
def worker() -> Iterator[None]:
    """Make this process a worker that executes the runs that it starts."""
    queue.use_own(queue.Slots(execute.has_room, loop._start_claimed))
    yield
    queue.use_own(None)
    loop.run_on_loop(_close())


async def _close() -> None:
    await in_db(connections.close_all)()


def _ended_run(run: Run) -> Run | None:
    return Run.objects.filter(pk=run.pk).exclude(state__in=Run.OPEN).first()


def _wait_for_end(run: Run) -> Run:
    """Return the run as stored after its end."""
    until(lambda: _ended_run(run) and not execute._running, "it is over")
    over = _ended_run(run)
    assert over is not None
    return over


def test_what_a_worker_stores_is_claimed_by_it(begun_runs: list[Run]) -> None:
    run = send_message("Hello")
    assert begun_runs == [run]
    run.refresh_from_db()
    assert run.state == Run.State.RUNNING
    assert run.attempt == 1
    assert run.lease_until is not None
    assert run.lease_until > timezone.now()
    assert not Run.objects.claim([run.pk], timezone.now())  # no other worker can claim it


def test_it_begins_when_it_is_stored_and_not_where_it_is_not(begun_runs: list[Run]) -> None:
    with transaction.atomic():
        run = send_message("Hello")
        assert not begun_runs
    assert begun_runs == [run]
    with transaction.atomic():
        send_message("Hello again")
        transaction.set_rollback(True)
    assert begun_runs == [run]


def test_without_a_free_slot_it_is_queued(monkeypatch: pytest.MonkeyPatch, begun_runs: list[Run]) -> None:
    queue.use_own(queue.Slots(lambda: False, begun_runs.append))
    run = send_message("Hello")
    run.refresh_from_db()
    assert (run.state, run.attempt) == (Run.State.QUEUED, 0)
    assert not begun_runs


def test_it_goes_past_nobody_who_waits() -> None:
    assert execute.has_room()
    execute._waiting[send_message("First").pk] = None
    try:
        assert not execute.has_room()
    finally:
        execute._waiting.clear()


@pytest.mark.usefixtures("worker")
def test_it_is_answered_in_its_first_attempt(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    model.on(lambda _: True, Reply("Good morning."))
    run = _wait_for_end(send_message("Hello"))
    assert (run.state, run.attempt) == (Run.State.DONE, 1)
    assert Message.objects.get(turn_id=run.turn_id, direction=Message.Direction.OUT).text == "Good morning."


@pytest.mark.usefixtures("worker")
def test_what_could_not_begin_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(_: object) -> None:
        raise DatabaseError("away")

    monkeypatch.setattr(begin, "gather_materials", away)
    run = send_message("Hello")
    assert not execute._running
    assert run.lease_until is not None
    assert Run.objects.abandoned(timezone.now() + 2 * (run.lease_until - timezone.now())).get() == run


@pytest.mark.usefixtures("worker")
def test_the_last_step_is_written_with_the_end_of_the_turn(monkeypatch: pytest.MonkeyPatch, model: ModelServer) -> None:
    use_model(monkeypatch, model)
    model.on(lambda _: True, Reply("Good morning."))
    run = _wait_for_end(send_message("Hello"))
    step = Step.objects.get(run=run)
    assert step.state == Step.State.DONE
    assert step.result["text"] == "Good morning."
    assert step.request["sent"]
    assert run.spent_tokens == step.input_tokens + step.output_tokens > 0


@pytest.mark.usefixtures("worker")
def test_the_last_step_is_written_also_where_the_turn_could_not_end(
    monkeypatch: pytest.MonkeyPatch, model: ModelServer
) -> None:
    def broken(*_: object) -> bool:
        raise DatabaseError("broken")

    use_model(monkeypatch, model)
    monkeypatch.setattr(finish, "finish_turn", broken)
    model.on(lambda _: True, Reply("Good morning."))
    run = _wait_for_end(send_message("Hello"))
    assert run.state == Run.State.FAILED
    until(lambda: Step.objects.get(run=run).state == Step.State.DONE, "what its step came to is written")
