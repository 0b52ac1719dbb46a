"""The browser for background work: always on, and not used by the owner just now."""

from datetime import timedelta

import pytest
from django.utils import timezone

from devices.access import handshake
from devices.models import Device, idlest

pytestmark = pytest.mark.django_db

IDLE = timedelta(seconds=60)


def create_device(label: str, on_h: float | None, used_s: float | None = None) -> Device:
    now = timezone.now()
    on_since = None if on_h is None else now - timedelta(hours=on_h)
    used_at = None if used_s is None else now - timedelta(seconds=used_s)
    row = Device.objects.create(
        label=label, kind=Device.Kind.BROWSER, tools=["browse_url"], on_since=on_since, used_at=used_at
    )
    Device.objects.filter(pk=row.pk).update(connection=label, seen_at=now)
    return row


@pytest.mark.parametrize(
    ("devices", "label"),
    [
        ([("laptop", 2, 3000), ("server", 90, None)], "server"),
        ([("laptop", 90, 10), ("server", 1, None)], "server"),
        ([("laptop", 90, 3000), ("server", 1, 90_000)], "laptop"),
        ([("laptop", 90, 10), ("phone", 1, 40)], "phone"),
        ([("laptop", 1, 3000), ("new", None, None)], "laptop"),
        ([("laptop", 90, 10)], "laptop"),
    ],
)
def test_the_one_that_is_on_longest_of_those_that_rest(
    devices: list[tuple[str, float | None, float | None]], label: str
) -> None:
    for values in devices:
        create_device(*values)
    assert idlest(Device.objects.capable("browse_url"), IDLE, timezone.now()).label == label


@pytest.mark.parametrize(("away_s", "is_the_same"), [(10, True), (280, True), (400, False)])
def test_a_short_break_is_none(away_s: float, is_the_same: bool) -> None:
    row = create_device("laptop", 5)
    row.seen_at = timezone.now() - timedelta(seconds=away_s)
    since = row.on_since
    handshake.connect(row)
    row.refresh_from_db()
    assert (row.on_since == since) == is_the_same
