"""New installations have quiet hours and three interruptions a day; what is in use keeps what it had."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests import commands
from tests.commands import environment

BEFORE = "0003_waiting_since_a_restore"
READ = (
    "from constance import config; from devices.owner import muting; from django.utils import timezone;"
    "print([config.QUIET_FROM, config.QUIET_TO, config.DAY_INTERRUPTIONS_MAX, muting.muted_until(timezone.now())])"
)


@pytest.fixture(scope="module")
def version_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder whose database has the migrations of the version before."""
    folder = tmp_path_factory.mktemp("before")
    run(folder, "migrate", "devices", BEFORE)
    run(folder, "migrate", "--no-backup", "constance")
    return folder


@pytest.fixture
def data(version_before: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(version_before, tmp_path / "data"))


def run(data: Path, *arguments: str) -> str:
    outcome = commands.run_command(*arguments, "--data", str(data), environment=environment(data))
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout.strip()


def write(data: Path, statement: str, *values: object) -> None:
    with closing(sqlite3.connect(data / "penny.sqlite3")) as connection, connection:
        connection.execute(statement, values)


def record_sign_in(data: Path) -> None:
    run(data, "shell", "-v0", "-c", "from devices.owner.account import the_owner; the_owner()")
    write(data, "UPDATE auth_user SET last_login = '2026-11-01 08:00:00'")


def store_setting_row(data: Path, name: str, value: str) -> None:
    text = f'{{"__type__": "default", "__value__": {value}}}'
    write(data, "INSERT INTO constance_constance (key, value) VALUES (?, ?)", name, text)


def settings_after_the_update(data: Path) -> str:
    run(data, "migrate", "--no-backup")
    return run(data, "shell", "-v0", "-c", READ)


def test_a_new_installation_is_quiet_at_night_and_interrupts_three_times(data: Path) -> None:
    assert settings_after_the_update(data) == "['22:00', '07:00', 3, None]"


def test_an_installation_in_use_keeps_what_it_had(data: Path) -> None:
    record_sign_in(data)
    assert settings_after_the_update(data) == "['', '', 12, None]"


def test_an_installation_in_use_keeps_what_the_owner_chose(data: Path) -> None:
    record_sign_in(data)
    store_setting_row(data, "QUIET_FROM", '"23:30"')
    store_setting_row(data, "DAY_INTERRUPTIONS_MAX", "5")
    assert settings_after_the_update(data) == "['23:30', '', 5, None]"


@pytest.mark.parametrize(
    ("value", "is_muted"), [('"9998-01-01T00:00:00+00:00"', True), ('"soon"', False), ('""', False)]
)
def test_a_muting_that_was_a_setting_lasts(data: Path, value: str, is_muted: bool) -> None:
    store_setting_row(data, "MUTED_UNTIL", value)
    assert ("9998" in settings_after_the_update(data)) == is_muted
