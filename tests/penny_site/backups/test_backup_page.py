"""Daily backups, and their list on the page Data & backups."""

import re
from datetime import timedelta
from pathlib import Path

import pytest
from constance.test import override_config
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from devices.owner.account import the_owner
from penny_site.backups import make
from tests.penny import Penny
from tests.waiting import until

DAY = timedelta(days=1)


def backup_names(html: str) -> list[str]:
    return re.findall(r'href="/setup/backups/([^/"]+)/"', html)


def names_on_page(penny: Penny) -> list[str]:
    return backup_names(penny.http.get("/settings/data/").text)


def test_the_owner_makes_a_backup_sees_the_newest_first_and_downloads_it(penny: Penny) -> None:
    lists: list[list[str]] = []
    for count in (1, 2):
        penny.post("/setup/back-up/")
        until(lambda size=count: len(names_on_page(penny)) == size, "the list has it", 60, 0.5)  # type: ignore[misc]
        lists.append(names_on_page(penny))
    latest = lists[-1]
    assert latest[1:] == lists[0]
    answer = penny.http.get(f"/setup/backups/{latest[0]}/")
    assert answer.content == (penny.data / "backups" / latest[0]).read_bytes()
    assert "attachment" in answer.headers["content-disposition"]
    for other in ("..%2Fsecret_key", ".penny.lock", "penny-19990101-000000.zip"):
        assert penny.http.get(f"/setup/backups/{other}/").status_code == 404


def test_an_old_address_of_the_list_leads_to_the_page(penny: Penny) -> None:
    assert penny.http.get("/admin/retention/").url.path == "/settings/data/"


@pytest.mark.django_db
def test_a_stranger_can_neither_download_nor_make_a_backup(client: Client) -> None:
    assert client.get("/setup/backups/penny-20260101-000000.zip/").status_code == 302
    assert client.post("/setup/back-up/").status_code == 302


@pytest.mark.django_db
def test_a_backup_is_due_a_day_after_the_last_and_not_right_after_a_failure(settings: Settings, tmp_path: Path) -> None:
    settings.DATA, now = tmp_path, the_owner().date_joined
    assert [make.is_due(now + passed) for passed in (DAY / 2, DAY * 1.1)] == [False, True]
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / f"penny-{now + DAY:%Y%m%d-%H%M%S}.zip").touch()
    assert [make.is_due(now + passed) for passed in (DAY * 1.1, DAY * 2.1)] == [False, True]
    (tmp_path / "backups" / ".failed").write_text("no room")
    assert [make.is_due(timezone.now() + passed) for passed in (DAY / 48, DAY * 3)] == [False, True]
    with override_config(BACKUP_DAILY=False):
        assert not make.is_due(now + DAY * 3)


@pytest.mark.django_db
def test_a_failure_and_a_damaged_backup_are_shown(owner_client: Client, settings: Settings, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "penny-20260101-000000.zip").write_text("no zip")
    (tmp_path / "backups" / ".failed").write_text("there is not enough room")
    html = owner_client.get("/settings/data/").content.decode()
    assert "The last backup failed: there is not enough room." in html
    assert 'title="penny-20260101-000000.zip"' in html
    assert "damaged" in html
    assert backup_names(html) == []
