"""The house: Penny's server and worker in the process of the tests, without `manage.py up`.

The worker's event loop also runs the ASGI application (`tests/inside.py`). Around it are the Redis of the process and
one real, confined sandbox for the session. Each test finds an empty Redis and the database as after the migrations.
Nothing ticks by itself: a test calls `tick`.
"""

import asyncio
import concurrent.futures
import io
import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest
import pytest_django
from celery import Celery
from channels.layers import get_channel_layer
from constance import config
from django.apps import apps
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.backends.signals import connection_created
from redis import Redis

from agents.llm import client as llm_client
from agents.llm.providers import Endpoint, parse_endpoint
from agents.llm.streams import event_stream
from agents.models import WORKER_SLOTS
from agents.pages import sandbox_client
from agents.runs import queue
from agents.skills import bundled
from agents.worker import execute, loop
from devices.access.pairing import open_code
from devices.db import in_db
from devices.owner.account import new_sign_in_link
from devices.redis import _shared, sync_client
from penny_site.health.alive import WORKER_KEY
from penny_site.processes import plan
from penny_site.processes.supervisor import Child
from tests import commands, databases
from tests.inside import LONGEST_S, Inside, application, on_loop
from tests.penny import MANY, Penny, with_model
from tests.stand_ins.model_server import NAME, ModelServer


class House(Penny):
    """A `tests.penny.Penny` for tests that pair, ask, and look at pages."""

    transport = Inside()

    def __init__(self, app: Celery) -> None:
        super().__init__(settings.DATA)
        self.url, self.port = settings.HOME_URL, int(settings.HOME_URL.rpartition(":")[2])
        self._app, self._threads = app, ThreadPoolExecutor(WORKER_SLOTS, "celery")
        self.misuses = list[str]()
        self._tasks, self._lasting = set[Future[Any]](), set[asyncio.Task[Any]]()

    @property
    def pid(self) -> int:
        """Fail the test, also if it asks on another thread."""
        self.misuses.append("it asks for a process: mark the test with `processes`")
        raise AssertionError(self.misuses[-1])

    def launch(self) -> None:
        assert self.pid

    @property
    def link(self) -> str:
        return new_sign_in_link()

    @property
    def database(self) -> Path:
        return Path(connection.settings_dict["NAME"])

    def code(self) -> str:
        return open_code()

    def admin_action(self, model: str, action: str) -> None:
        if apps.get_model(model.replace("/", ".")).objects.exists():
            super().admin_action(model, action)

    def tick(self) -> None:
        """Do what the beat has the worker do every two seconds."""
        self._app.tasks["agents.tick"]()

    def run(
        self, *arguments: str, check: bool = False, how: commands.Runner = commands.run_command
    ) -> commands.CompletedCommand:
        """Run a command of manage.py in this process."""
        output, status = io.StringIO(), 0
        with redirect_stdout(output), redirect_stderr(output):
            try:
                call_command(*arguments)
            except CommandError as error:
                status = error.returncode
                output.write(str(error))
        assert not check or status == 0, output.getvalue()
        return commands.CompletedCommand(arguments, status, output.getvalue(), "")

    def send_task(self, name: str, arguments: list[Any] | tuple[Any, ...] = (), **_: object) -> None:
        """Take a task as Celery does, on one of as many threads."""
        task = self._threads.submit(self._app.tasks[name], *arguments)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def begin(self) -> None:
        self.misuses.clear()
        self._lasting = on_loop(_all_tasks())
        loop.start_worker(None)

    def end_tasks(self) -> list[object]:
        """Cancel what listens and runs; return what does not end."""
        queue.use_own(None)
        loop._listeners.clear()
        left = on_loop(_end_tasks(self._lasting))
        return [*left, *concurrent.futures.wait(set(self._tasks), LONGEST_S).not_done]


async def _all_tasks() -> set[asyncio.Task[Any]]:
    return asyncio.all_tasks()


async def _end_tasks(lasting: set[asyncio.Task[Any]]) -> set[asyncio.Task[Any]]:
    left = set[asyncio.Task[Any]]()
    while not left and (tasks := asyncio.all_tasks() - lasting - {asyncio.current_task()}):
        for task in tasks:
            task.cancel()
        left = (await asyncio.wait(tasks, timeout=LONGEST_S / 2))[1]
    await in_db(int)()  # a task ends at once when it is cancelled, its query on the database thread does not
    return left


@pytest.fixture(scope="session")
def _sandbox(_model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of the Redis of a real, confined sandbox. It is never flushed: Celery keeps its queue in it."""
    logs = tmp_path_factory.mktemp("sandbox")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "SANDBOX_REDIS_URL", "")
        planned = plan.plan_processes(0, with_model(_model.url))
    rows = {row["name"]: row for row in planned["children"]}
    children = [Child(name, rows[name]["command"], rows[name]["environment"]) for name in ("sandbox-redis", "sandbox")]
    try:
        for child in children:
            child.start(logs / child.name)
        yield planned["running"]["sandbox_redis_url"]
    finally:
        for child in reversed(children):
            if child.process is not None:
                child.process.kill()  # asked to end, Celery takes two seconds; its child ends with it
                child.process.wait()


def copy_database(source: Path | str, target: Path | str) -> None:
    """Let a database hold what another one holds. Connections to it stay open."""
    with closing(sqlite3.connect(source)) as a, closing(sqlite3.connect(target, timeout=LONGEST_S)) as b:
        b.execute("PRAGMA synchronous=OFF")
        a.backup(b)
    ContentType.objects.clear_cache()


@pytest.fixture(scope="session")
def _house(
    _redis: Redis,
    _sandbox: str,
    _model: ModelServer,
    django_db_setup: None,
    django_db_blocker: pytest_django.DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[House, Path]]:
    """The house, and the database that its tests begin with: migrated, the owner signed in, no rate limits."""
    from penny_site.celery import app

    app.set_default()  # Celery's current app is a variable of the thread that imported it
    app.loader.import_default_modules()
    application()
    llm_client.warm_up(_endpoint(_model))
    house, layer, new = House(app), get_channel_layer(), list[Any]()

    def note(connection: Any, **_: object) -> None:
        new.append(connection)

    connection_created.connect(note)
    on_loop(layer.new_channel())  # starts its task that receives, which lives as long as the loop
    start = tmp_path_factory.mktemp("house") / databases.FILE
    with django_db_blocker.unblock():
        on_loop(_close_connection())  # an earlier test may have opened one
        copy_database(databases.migrated_database(), house.database)
        config.RATE_PER_HOST_MINUTE = config.RATE_MINUTE = config.LEARN_AFTER_S = MANY
        bundled.load()
        assert house.http
        copy_database(house.database, start)
    yield house, start
    on_loop(layer.flush())
    on_loop(_close_shared())
    for one in new:  # of threads on which nothing runs any more; they would keep a file that is gone
        one.inc_thread_sharing()
        one.close()
        one.dec_thread_sharing()


async def _close_connection() -> None:
    await in_db(connections.close_all)()


async def _close_shared() -> None:
    for client in _shared.pop(asyncio.get_running_loop(), {}).values():
        await client.aclose()


def _endpoint(model: ModelServer, more: str = "") -> Endpoint:
    endpoint = parse_endpoint(f"openai-compatible:{NAME}{more}", model.url)
    assert endpoint is not None
    return endpoint


@pytest.fixture
def house(
    redis: str,
    _house: tuple[House, Path],
    _sandbox: str,
    model: ModelServer,
    monkeypatch: pytest.MonkeyPatch,
    django_db_blocker: pytest_django.DjangoDbBlocker,
) -> Iterator[House]:
    house, start = _house
    values = dict.fromkeys(("MODEL", "READER_MODEL"), _endpoint(model)) | {"VISION_MODEL": _endpoint(model, "-sees")}
    for name, value in {**values, "SANDBOX_REDIS_URL": _sandbox}.items():
        monkeypatch.setattr(settings, name, value)
    sandbox_client._app.cache_clear()
    monkeypatch.setattr(loop, "SILENT_S", MANY)  # nothing ticks by itself
    # The locks of earlier tests may belong to another loop. A run that is cancelled as it starts stays in the sets.
    monkeypatch.setattr(execute, "_taking", asyncio.Lock())
    monkeypatch.setattr(execute, "_starting", asyncio.Semaphore(2))
    monkeypatch.setattr(execute, "_waiting", {})
    monkeypatch.setattr(event_stream, "starting", set())
    monkeypatch.setattr(house._app, "send_task", house.send_task)
    sync_client().set(WORKER_KEY, "1")
    with django_db_blocker.unblock():
        copy_database(start, house.database)
        house.begin()
        try:
            yield house
        finally:
            left = house.end_tasks()
            sandbox_client._app.cache_clear()
            copy_database(databases.migrated_database(), house.database)
    assert not left, f"did not end: {left}"
    assert not house.misuses


@pytest.fixture(name="penny")
def penny_by_mark(request: pytest.FixtureRequest) -> Penny:
    """The house; for a test with the mark `processes`, and on PostgreSQL, the processes that tests share."""
    needs_processes = databases.is_on_server() or request.node.get_closest_marker("processes")
    penny = request.getfixturevalue("shared_penny" if needs_processes else "house")
    assert isinstance(penny, Penny)
    return penny
