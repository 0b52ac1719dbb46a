"""What goes by itself of the vault: the oldest uncited page that was kept by itself, and pages past their time."""

from datetime import timedelta

import pytest
from constance.test import override_config
from django.utils import timezone

from agents.vault.keep import NotKept, keep_page
from agents.worker import retention
from devices.models import Device
from tests.client import make_page
from thoughts.models import Kept

pytestmark = pytest.mark.django_db
LONG = ("Espresso is brewed with hot water. " * 1_200)[:40_000]


def keep(keeper: Device, number: int, source: str = "auto", days: int = 0) -> Kept:
    row = keep_page(make_page(f"https://coffee.example/{number}", "Coffee", LONG), keeper, source)  # type: ignore[arg-type]
    Kept.objects.filter(pk=row.pk).update(last_seen_at=timezone.now() - timedelta(days=days))
    return row


def paths() -> list[str]:
    return sorted(row.page.url.rpartition("/")[2] for row in Kept.objects.kept().select_related("page"))


def test_beyond_the_megabytes_the_oldest_that_was_kept_by_itself_goes_first(keeper: Device) -> None:
    for number, (source, days) in enumerate([("asked", 9), ("auto", 5), ("auto", 7)] + [("auto", 1)] * 22):
        keep(keeper, number, source, days)
    with override_config(KEPT_MEGABYTES_MAX=1):
        keep(keeper, 99)
    assert "2" not in paths()
    assert {"0", "1", "99"} <= set(paths())


def test_where_all_was_kept_by_the_owner_no_more_is_kept(keeper: Device) -> None:
    for number in range(25):
        keep(keeper, number, "asked")
    with override_config(KEPT_MEGABYTES_MAX=1), pytest.raises(NotKept) as refusal:
        keep(keeper, 99)
    assert refusal.value.code == "kept_full"
    assert Kept.objects.kept().count() == 25


def test_the_preview_says_what_a_shorter_time_takes_and_the_sweep_takes_it(keeper: Device) -> None:
    keep(keeper, 1, "auto", 20)
    keep(keeper, 2, "asked", 20)
    keep(keeper, 3, "auto", 2)
    days = retention.settings() | {"KEPT_DAYS": 10}
    [due] = [due for due in retention.due(days) if due.kind.name == "kept"]
    assert due.rows == 1
    assert due.size_bytes > 40_000
    with override_config(KEPT_DAYS=10):
        assert retention.sweep(timezone.now()) == 1
    assert paths() == ["2", "3"]
