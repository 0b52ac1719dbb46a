"""New installations have quiet hours and three interruptions a day; what is in use keeps what it had."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from constance import config
from django.db import connection, connections
from django.db.migrations.executor import MigrationExecutor
from pytest_django import DjangoDbBlocker

from devices.owner.account import the_owner

BEFORE, UPDATED = "0003_waiting_since_a_restore", "0005_settings_of_earlier_versions"


@contextmanager
def default_database(file: Path) -> Iterator[None]:
    """Let Django use a database of this test's own."""
    before, own = connections["default"], connections.create_connection("default")
    own.settings_dict = {**before.settings_dict, "NAME": file}
    connections["default"] = own
    try:
        yield
    finally:
        own.close()
        connections["default"] = before


def migrate(**names: str) -> None:
    MigrationExecutor(connection).migrate([*names.items()])


@pytest.fixture(scope="module")
def version_before(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A database with the migrations of the version before."""
    file = tmp_path_factory.mktemp("before") / "penny.sqlite3"
    with django_db_blocker.unblock(), default_database(file):
        migrate(devices=BEFORE, constance="0003_drop_pickle")
    return file


@pytest.fixture(autouse=True)
def database(version_before: Path, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    file = shutil.copy(version_before, tmp_path)
    with django_db_blocker.unblock(), default_database(Path(file)):
        yield


def write(statement: str, *values: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def record_sign_in() -> None:
    the_owner()
    write("UPDATE auth_user SET last_login = '2026-11-01 08:00:00'")


def store_setting_row(name: str, value: str) -> None:
    text = f'{{"__type__": "default", "__value__": {value}}}'
    write("INSERT INTO constance_constance (key, value) VALUES (%s, %s)", name, text)


def settings_after_the_update() -> list[Any]:
    migrate(devices=UPDATED)
    return [config.QUIET_FROM, config.QUIET_TO, config.DAY_INTERRUPTIONS_MAX]


def test_a_new_installation_is_quiet_at_night_and_interrupts_three_times() -> None:
    assert settings_after_the_update() == ["22:00", "07:00", 3]


def test_an_installation_in_use_keeps_what_it_had() -> None:
    record_sign_in()
    assert settings_after_the_update() == ["", "", 12]


def test_an_installation_in_use_keeps_what_the_owner_chose() -> None:
    record_sign_in()
    store_setting_row("QUIET_FROM", '"23:30"')
    store_setting_row("DAY_INTERRUPTIONS_MAX", "5")
    assert settings_after_the_update() == ["23:30", "", 5]


@pytest.mark.parametrize(
    ("value", "is_muted"), [('"9998-01-01T00:00:00+00:00"', True), ('"soon"', False), ('""', False)]
)
def test_a_muting_that_was_a_setting_lasts(value: str, is_muted: bool) -> None:
    store_setting_row("MUTED_UNTIL", value)
    migrate(devices=UPDATED)
    with connection.cursor() as cursor:
        moments = cursor.execute("SELECT until FROM devices_muting").fetchall()
    assert ["9998" in str(moment) for moment in moments] == [True] * is_muted
