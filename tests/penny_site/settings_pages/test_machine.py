"""The page This machine: what runs, the disk, the address, the version and the log."""

import re
from pathlib import Path

import pytest
from constance import config
from django.conf import settings as django_settings
from django.test import Client
from pytest_django.fixtures import Settings

from devices import disk
from tests.pages import visible_words
from tests.penny import Penny

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
PAGE = "/settings/machine/"


def test_the_parts_are_named_in_the_owners_words(owner_client: Client) -> None:
    words = visible_words(owner_client.get(PAGE).content.decode())
    for label in ("Messages between her parts", "Answers and background work", "Clock for routines", "Reading pages"):
        assert label in words
    for term in ("Broker", "Beat", "Worker", "sqlite", " MB free"):
        assert term not in words


def test_the_address_the_version_and_the_disk_are_shown(owner_client: Client) -> None:
    words = visible_words(owner_client.get(PAGE).content.decode())
    assert django_settings.HOME_URL in words
    assert f"Version {django_settings.VERSION}" in words
    assert re.search(r"\d (GB|MB) free of \d+ GB", words)


def test_the_page_refreshes_its_states_in_place(owner_client: Client) -> None:
    html = owner_client.get(PAGE, headers={"HX-Request": "true"}).content.decode()
    page = owner_client.get(PAGE).content.decode()
    replaced = re.findall(r'id="([\w-]+)" hx-swap-oob="innerHTML"', html)
    assert "state-broker" in replaced
    assert [name for name in replaced if f'id="{name}"' not in page] == []


def test_a_full_disk_leads_to_what_can_be_removed(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Make room" not in owner_client.get(PAGE).content.decode()
    monkeypatch.setattr(disk, "has_room", lambda: False)
    for headers in ({}, {"HX-Request": "true"}):
        html = owner_client.get(PAGE, headers=headers).content.decode()
        assert re.search(r'href="/settings/data/"[^>]*>Make room', html)


def test_the_room_to_leave_on_the_disk_is_saved(owner_client: Client) -> None:
    owner_client.post(PAGE, {"DISK_FREE_MB": "1,000", "initial-DISK_FREE_MB": "200"})
    assert config.DISK_FREE_MB == 1000
    assert "Write 10000 or less." in owner_client.post(PAGE, {"DISK_FREE_MB": "10001"}).content.decode()
    assert config.DISK_FREE_MB == 1000


def test_the_log_is_downloaded_and_a_missing_one_is_named(
    owner_client: Client, settings: Settings, tmp_path: Path
) -> None:
    settings.DATA = tmp_path
    assert "There is no log yet." in owner_client.get(PAGE).content.decode()
    assert owner_client.get("/settings/machine/log/").status_code == 404
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / "penny.log").write_text('{"event": "worker.started"}\n')
    answer = owner_client.get("/settings/machine/log/")
    assert b"".join(answer.streaming_content) == b'{"event": "worker.started"}\n'  # type: ignore[attr-defined]
    assert "attachment" in answer.headers["Content-Disposition"]
    answer.close()


def test_a_running_penny_is_ready_and_her_parts_can_be_tested(penny: Penny) -> None:
    assert "all ready" in visible_words(penny.http.get(PAGE).text)
    assert "read a sentence and answered" in penny.post("/setup/test/sandbox/").text
