"""After a restore nothing out of the backup lets anybody in, until the owner switches it on again."""

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from devices import protocol
from tests import databases
from tests.agents.api.calls import make_token
from tests.client import Client, Pairing
from tests.commands import ROOT, environment
from tests.penny import Penny, run_penny

pytestmark = pytest.mark.processes("a restored Penny runs")

PASSWORD = "nine bars of pressure"
WAITS, REVOKED = 4423, 4403
WITHOUT = """
import sys
from penny_site.environment import take_options
take_options(sys.argv)
import django
django.setup()
from penny_site.backups import restore
restore.shut_restored_database = lambda: None
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
"""


@dataclass
class Old:
    """A stopped Penny, its backup, and what let somebody in when that was made."""

    backup: Path
    url: str
    port: int
    browser: Pairing
    other: Pairing
    revoked: Pairing
    token: str
    subscription: str
    cookie: str


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Old]:
    with run_penny(tmp_path_factory.mktemp("old")) as penny:
        old = _old_of(penny)
        assert _statuses(old) == {"token": 200, "subscription": 200, "session": 200}
        assert [_close_code(pairing) for pairing in (old.browser, old.other, old.revoked)] == [0, 0, REVOKED]
        penny.stop()
        yield old


def _old_of(penny: Penny) -> Old:
    penny.post("/password/", new_password1=PASSWORD, new_password2=PASSWORD)
    revoked = penny.pair("Before")
    penny.admin_action("devices/device", "revoke")
    browser, other = penny.pair("Desk"), penny.pair("Couch")
    token = make_token(penny, "Script")
    page = penny.post("/permissions/feeds/", name="Reader").text
    subscription = re.search(r'data-copy="http://[^/"]+(/subscriptions/[^"]+/new\.atom)"', page)
    assert subscription is not None
    backup = Path(penny.manage("backup", "--with-secrets").strip())
    # A session of a backup that an earlier version made.
    name = f"penny_{penny.port}"
    cookie = f"{name}={penny.http.cookies[name]}"
    return Old(backup, penny.url, penny.port, browser, other, revoked, token, subscription[1], cookie)


def _restore(old: Old, into: Path) -> Penny:
    penny = Penny(into)
    penny.port, penny.url = old.port, old.url
    penny.manage("restore", str(old.backup))
    return penny


def _restore_without_shutting(old: Old, into: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, "restore", str(old.backup), "--data", str(into)]
    subprocess.run(command, cwd=ROOT, env=environment(into), check=True, capture_output=True)


def _rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return what lets in devices, programs and feed readers."""
    with closing(sqlite3.connect(database)) as connection:
        return {
            table: connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall()
            for table in ("devices_device", "thoughts_subscription")
        }


@contextmanager
def _running(penny: Penny) -> Iterator[Penny]:
    try:
        yield penny.start()
    finally:
        penny.stop()


def _close_code(pairing: Pairing) -> int:
    """The code with which the socket of a device closes; 0 if it is let in."""
    try:
        with Client(pairing):
            return 0
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


def _statuses(old: Old) -> dict[str, int]:
    with httpx2.Client(base_url=old.url, trust_env=False) as stranger:
        return {
            "token": stranger.get("/v1/models", headers={"Authorization": f"Bearer {old.token}"}).status_code,
            "subscription": stranger.get(old.subscription).status_code,
            "session": stranger.get("/setup/", headers={"Cookie": old.cookie}).status_code,
        }


def _password_signs_in(old: Old) -> bool:
    with httpx2.Client(base_url=old.url, trust_env=False, follow_redirects=True) as stranger:
        page = stranger.get("/sign-in/").text
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        form = {"password": PASSWORD, "csrfmiddlewaretoken": token[1] if token else ""}
        stranger.post("/sign-in/", data=form, headers={"Referer": f"{old.url}/sign-in/", "Origin": old.url})
        return "Where you are signed in" in stranger.get("/settings/signing-in/").text


def _switch_on(penny: Penny, about: str) -> None:
    page = penny.http.get("/setup/restored/").text
    row = page.partition(f"<b>{about}</b>")[2]
    action = re.search(r'action="(/setup/restored/[^"]+/on/)"', row)
    assert action is not None
    penny.post(action[1])


def test_nothing_out_of_a_backup_lets_anybody_in_before_the_owner_switches_it_on_and_what_is_left_off_never(
    old: Old, tmp_path: Path
) -> None:
    with _running(_restore(old, tmp_path / "new")) as penny:
        assert _statuses(old) == {"token": 404, "subscription": 404, "session": 302}
        assert not _password_signs_in(old)
        assert [_close_code(pairing) for pairing in (old.browser, old.other, old.revoked)] == [WAITS, WAITS, REVOKED]
        assert "switch them on" in penny.http.get("/setup/").text
        page = penny.http.get("/setup/restored/").text
        names = ("Desk", "Couch", "Script", "Reader", "Before")
        assert [name in page for name in names] == [True, True, True, True, False]
        _switch_on(penny, "Desk")
        assert (_close_code(old.browser), _close_code(old.revoked)) == (0, REVOKED)
        assert _statuses(old) == {"token": 404, "subscription": 404, "session": 302}
        _switch_on(penny, "Script")
        assert _statuses(old) == {"token": 200, "subscription": 404, "session": 302}
        _switch_on(penny, "Reader")
        assert _statuses(old) == {"token": 200, "subscription": 200, "session": 302}
        # What is left off stays revoked.
        penny.post("/setup/restored/leave-off/")
        assert [_close_code(pairing) for pairing in (old.browser, old.other)] == [0, REVOKED]
        assert _statuses(old) == {"token": 200, "subscription": 200, "session": 302}
        assert "switch them on" not in penny.http.get("/setup/").text
        assert "Nothing waits" in penny.http.get("/setup/restored/").text


def test_without_shutting_what_was_restored_all_of_it_would_let_in(old: Old, tmp_path: Path) -> None:
    """The backup's rows, with which all of it got in at the old Penny, are those of the restored one."""
    with ZipFile(old.backup) as archive:
        archive.extract(databases.FILE, tmp_path)
    _restore_without_shutting(old, tmp_path / "new")
    rows = _rows(tmp_path / databases.FILE)
    assert _rows(tmp_path / "new" / databases.FILE) == rows
    _restore(old, tmp_path / "shut")
    shut = _rows(tmp_path / "shut" / databases.FILE)
    unchanged = {row for name in rows for row in rows[name] if row in shut[name]}
    assert unchanged == {row for row in rows["devices_device"] if "Before" in row or "web" in row}


def test_the_close_code_is_that_of_the_contract() -> None:
    assert (protocol.CLOSE_WAITS, protocol.CLOSE_REVOKED) == (WAITS, REVOKED)
