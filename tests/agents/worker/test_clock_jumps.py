"""The clock of the machine jumps: nothing is deleted, what comes once waits, and no wrong moment stays."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from constance import config
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from agents.models import Run, Schedule
from agents.schedules import start
from agents.worker import forget_deleted, retention, tick
from devices.access import pairing
from devices.grants.grants import decide, set_grant
from devices.models import Grant, MachineClock, Message, PairingCode, Thread
from devices.owner import machine_clock, muting
from devices.owner.account import new_sign_in_link, redeem, the_owner
from penny_site import tasks
from penny_site.backups import make
from penny_site.health import parts
from tests.agents.background import Clock, connect_browser, movable_clock
from thoughts.models import Page, Watch

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
FRIDAY = datetime(2026, 6, 12, 8, tzinfo=UTC)
RIGHT = FRIDAY + timedelta(hours=4)
WRONG = datetime(2038, 1, 19, 3, 14, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture(name="clock")
def right_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    config.TIMEZONE = "UTC"
    Schedule.objects.all().delete()
    moved = movable_clock(monkeypatch, RIGHT)
    tick.tick()
    return moved


def tick_at(clock: Clock, moment: datetime) -> None:
    clock.now = moment
    tick.tick()


def run_evenly(clock: Clock, how_long: timedelta) -> None:
    end = clock.now + how_long
    while clock.now < end:
        tick_at(clock, min(end, clock.now + timedelta(minutes=1)))


def store_page(fetched_at: datetime) -> None:
    page = Page.objects.create(url="https://a.example", domain="a.example", title="A", text="x")
    Page.objects.filter(pk=page.pk).update(fetched_at=fetched_at)


def remind_once(at: datetime) -> Schedule:
    return Schedule.objects.create(name="x", kind="reminder", task="x", rrule="", next_run_at=at, in_quiet_hours=True)


def reminders() -> int:
    return Message.objects.filter(kind="notification").count()


RULES = {
    "FREQ=MINUTELY;INTERVAL=20": timedelta(minutes=20),
    "FREQ=HOURLY;INTERVAL=6": timedelta(hours=2),
    "FREQ=DAILY;BYHOUR=8;BYMINUTE=0": timedelta(hours=20),
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR;BYHOUR=8;BYMINUTE=0": timedelta(days=13, hours=20),
    "FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=12;BYHOUR=8;BYMINUTE=0": datetime(2026, 9, 12, 8, tzinfo=UTC) - RIGHT,
    "FREQ=MONTHLY;BYMONTHDAY=31;BYHOUR=8;BYMINUTE=0": datetime(2026, 7, 31, 8, tzinfo=UTC) - RIGHT,
    "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=8;BYMINUTE=0": datetime(2028, 2, 29, 8, tzinfo=UTC) - RIGHT,
    "FREQ=YEARLY;BYMONTH=6;BYMONTHDAY=12;BYHOUR=8;BYMINUTE=0": datetime(2027, 6, 12, 8, tzinfo=UTC) - RIGHT,
    "FREQ=DAILY;BYHOUR=8;BYMINUTE=0;UNTIL=20300101T000000": timedelta(hours=20),
}


@pytest.mark.parametrize("wrong", [WRONG, datetime(2106, 2, 7, tzinfo=UTC), RIGHT + timedelta(days=31)])
def test_after_one_wrong_tick_every_rule_comes_when_it_would_have(clock: Clock, wrong: datetime) -> None:
    for rule in RULES:
        Schedule.objects.create(name=rule, rrule=rule, next_run_at=FRIDAY)
    for moment in (RIGHT, wrong, RIGHT + timedelta(seconds=2)):
        tick_at(clock, moment)
    assert dict(Schedule.objects.values_list("name", "next_run_at")) == {
        rule: RIGHT + comes_after for rule, comes_after in RULES.items()
    }


def test_the_next_time_is_brought_back_also_where_no_tick_saw_the_jump(clock: Clock) -> None:
    schedule = Schedule.objects.create(name="x", rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0", next_run_at=WRONG)
    start.start_due(RIGHT)
    schedule.refresh_from_db()
    assert schedule.next_run_at == FRIDAY + timedelta(days=1)


def test_what_comes_once_is_not_sent_by_a_wrong_tick_but_at_its_time(clock: Clock) -> None:
    at = RIGHT + timedelta(days=10)
    remind_once(at)
    tick_at(clock, WRONG)
    assert reminders() == 0
    tick_at(clock, RIGHT + timedelta(minutes=1))
    tick_at(clock, at)
    assert reminders() == 1


def test_after_months_off_work_goes_on_and_old_things_wait_an_hour(clock: Clock) -> None:
    tick_at(clock, RIGHT)
    remind_once(RIGHT + timedelta(days=10))
    Schedule.objects.create(name="task", kind="task", task="x", rrule="FREQ=DAILY", next_run_at=FRIDAY + HOUR * 24)
    store_page(RIGHT - timedelta(days=400))
    back = RIGHT + timedelta(days=60)
    tick_at(clock, back)
    assert Run.objects.filter(kind="task").count() == 1
    remind_once(back + timedelta(minutes=10))
    run_evenly(clock, timedelta(minutes=59))
    assert (reminders(), retention.sweep(clock.now)) == (1, 0)
    run_evenly(clock, timedelta(minutes=2))
    assert (reminders(), retention.sweep(clock.now)) == (2, 1)
    assert machine_clock.describe_doubt(clock.now) == ""


def test_years_ahead_the_clock_is_believed_after_a_day(clock: Clock) -> None:
    store_page(RIGHT)
    tick_at(clock, WRONG)
    run_evenly(clock, 2 * HOUR)
    assert retention.sweep(clock.now) == 0
    MachineClock.objects.update(steady_s=24 * 3600 - 60)
    run_evenly(clock, timedelta(minutes=1))
    assert retention.sweep(clock.now) == 1


@pytest.mark.parametrize(
    "wrong", [RIGHT - timedelta(days=1), RIGHT - timedelta(days=365), datetime(1970, 1, 1, tzinfo=UTC)]
)
def test_a_clock_that_went_back_moves_no_routine_unless_it_stays_so(clock: Clock, wrong: datetime) -> None:
    daily = Schedule.objects.create(
        name="x", rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0", next_run_at=FRIDAY + timedelta(days=1)
    )
    store_page(datetime(1960, 1, 1, tzinfo=UTC))
    tick_at(clock, wrong)
    assert retention.sweep(clock.now) == 0
    daily.refresh_from_db()
    assert daily.next_run_at == FRIDAY + timedelta(days=1)
    tick_at(clock, RIGHT + timedelta(seconds=30))  # a board without a battery that asked a time server
    assert (Run.objects.count(), machine_clock.is_right(clock.now)) == (0, True)
    tick_at(clock, wrong)
    run_evenly(clock, HOUR)
    daily.refresh_from_db()
    assert daily.next_run_at is not None
    assert clock.now < daily.next_run_at <= clock.now + timedelta(days=1)
    assert retention.sweep(clock.now) == 1


def test_a_small_step_of_the_clock_is_no_jump(clock: Clock) -> None:
    for step in (-30, 25, 3600, 86400 * 29):
        tick_at(clock, clock.now + timedelta(seconds=step))
        assert machine_clock.is_right(clock.now)


def test_a_watch_is_visited_again_after_a_wrong_tick(clock: Clock) -> None:
    connect_browser(clock.now)
    hourly = Watch.objects.create(url="https://a.example", every_minutes=60, next_check_at=RIGHT)
    daily = Watch.objects.create(url="https://b.example", rrule="FREQ=DAILY;BYHOUR=8;BYMINUTE=0", next_check_at=WRONG)
    connect_browser(WRONG)
    tick_at(clock, WRONG)
    tick_at(clock, RIGHT + timedelta(seconds=30))
    for watch, most in ((hourly, timedelta(hours=1, minutes=10)), (daily, timedelta(hours=20, minutes=6))):
        watch.refresh_from_db()
        assert watch.next_check_at <= clock.now + most


def store_thread() -> None:
    Thread.objects.create(owner=the_owner(), name="x", deleted_at=RIGHT)


def store_session() -> None:
    Session.objects.create(session_key="x", session_data="", expire_date=RIGHT + HOUR)


def store_deleted_schedule() -> None:
    Schedule.objects.create(name="old", deleted_at=RIGHT)


@pytest.mark.parametrize(
    ("store", "model", "sweep"),
    [
        (lambda: store_page(RIGHT - timedelta(days=3)), Page, lambda now: retention.sweep(now)),
        (lambda: store_page(RIGHT - timedelta(days=3)), Page, lambda now: tasks.keep_house()),
        (lambda: store_page(RIGHT - timedelta(days=3)), Page, lambda now: tasks.remove_old()),
        (store_thread, Thread, lambda now: tasks.keep_house()),
        (store_thread, Thread, lambda now: forget_deleted.forget_deleted_messages(now)),
        (store_session, Session, lambda now: tasks.keep_house()),
        (store_deleted_schedule, Schedule, lambda now: Schedule(name="new").set_deleted(now)),
    ],
)
def test_nothing_is_swept_while_the_clock_may_be_wrong(
    clock: Clock, store: Callable[[], None], model: Any, sweep: Callable[[datetime], object]
) -> None:
    store()
    tick_at(clock, WRONG)
    sweep(clock.now)
    assert model.objects.count() == 1
    MachineClock.objects.update(jumped_from=None)
    sweep(clock.now)
    assert model.objects.count() == 0


def test_a_sweep_before_the_first_tick_after_a_jump_deletes_nothing(clock: Clock) -> None:
    store_page(RIGHT - timedelta(days=3))
    assert retention.sweep(WRONG) == 0
    assert Page.objects.exists()


def test_what_was_given_for_a_while_does_not_last_for_years(clock: Clock) -> None:
    tick_at(clock, WRONG)
    muting.mute_until(WRONG + 2 * HOUR, keeps_moment=True)
    Grant.objects.create(host="a.example", expires_at=WRONG + HOUR)
    Grant.objects.update(created_at=WRONG)
    PairingCode.objects.create(digest="x", expires_at=WRONG + timedelta(minutes=2))
    run = Run.objects.create(kind="task", state="queued", not_before=WRONG + timedelta(minutes=1))
    claimed: dict[str, Any] = {"state": "running", "attempt": 1, "started_at": WRONG}
    lost = Run.objects.create(kind="task", lease_until=WRONG + timedelta(seconds=6), **claimed)
    tick_at(clock, RIGHT + timedelta(minutes=1))
    assert muting.muted_until(clock.now) == clock.now + 2 * HOUR
    assert Grant.objects.get().expires_at == clock.now + HOUR
    assert not PairingCode.objects.exists()
    run.refresh_from_db()
    assert run.not_before is None or run.not_before <= clock.now
    tick_at(clock, clock.now + timedelta(seconds=30))
    lost.refresh_from_db()
    assert lost.state == "queued"


def test_a_backup_that_a_wrong_clock_dated_stops_no_later_one(clock: Clock) -> None:
    the_owner()
    make.folder().mkdir(parents=True, exist_ok=True)
    file = make.folder() / "penny-20380119-031400.zip"
    file.write_bytes(b"")
    try:
        assert make.is_due(datetime(2100, 1, 1, tzinfo=UTC))
        type(the_owner()).objects.update(date_joined=RIGHT - timedelta(days=3))
        assert make.is_due(RIGHT)
    finally:
        file.unlink()


def test_the_owner_reads_what_happened_and_what_helps(clock: Clock, owner_client: Client) -> None:
    assert "jumped" not in owner_client.get(reverse("activity")).text
    tick_at(clock, RIGHT - timedelta(days=1))
    words = "jumped from 12 June 2026, 12:00 to 11 June 2026, 12:00. Nothing is deleted until it ran evenly to 11 June"
    assert words in owner_client.get(reverse("activity")).text
    [part] = [part for part in parts.machinery() if part.name == "clock"]
    assert (words in part.text, "timedatectl" in part.advice, part.is_required) == (True, True, False)
    tick_at(clock, RIGHT + timedelta(minutes=1))
    assert "jumped" not in owner_client.get(reverse("activity")).text
    assert not [part for part in parts.machinery() if part.name == "clock"]


@pytest.mark.parametrize("back", [timedelta(days=1), timedelta(days=20_000)])
def test_a_clock_that_jumps_back_opens_nothing_that_was_over(clock: Clock, back: timedelta) -> None:
    link, code = new_sign_in_link().rstrip("/").rpartition("/")[2], pairing.open_code()
    set_grant("over.example", "read", "allowed", "hour")
    set_grant("always.example", "read", "allowed")
    set_grant("never.example", "read", "blocked", "hour")

    def allowed() -> list[str]:
        return [grant.host for grant in Grant.objects.current() if grant.state == "allowed"]

    assert allowed() == ["always.example", "over.example"]
    tick_at(clock, clock.now - back)
    assert allowed() == ["always.example"]
    assert decide("https://never.example/", "read").grant is not None
    assert redeem(link) is None
    with pytest.raises(pairing.PairingRefused):
        pairing._spend(code)
