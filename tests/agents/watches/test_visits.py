"""Visits of watches: when they start, and what follows from their failures."""

from datetime import timedelta

import pytest
from constance import config
from constance.utils import get_values
from django.utils import timezone

from agents.models import Run
from agents.watches import start as watches_start
from devices.conversation import messages
from devices.db import in_db
from devices.models import Ask, Device, Grant, Message
from devices.owner.account import the_owner
from tests.agents.watches.shop import URL, Shop, watch_of
from tests.agents.watches.shop import shop as shop
from thoughts.models import Watch
from thoughts.models.watches import CONFIRM_AFTER

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_site_that_is_not_allowed_becomes_a_question_and_the_visit_waits(shop: Shop) -> None:
    await Grant.objects.all().adelete()
    watch = await watch_of()
    shop.sells("899")
    run = await shop.visit(watch)
    ask = await Ask.objects.aget()
    assert (run.state, ask.host, ask.state) == ("parked", "shop.example", "open")
    assert "lever" in ask.text
    assert shop.calls == []
    assert await in_db(watches_start.start_visit)(watch) is None


@pytest.mark.parametrize("code", ["needs_sign_in", "load_failed", "timeout", "blocked_by_site"])
async def test_a_visit_that_fails_says_why_and_comes_again_later_each_time(shop: Shop, code: str) -> None:
    watch = await watch_of()
    waits = []
    for _ in range(3):
        shop.fails(code)
        run = await shop.visit(watch)
        waits.append(watch.next_check_at - timezone.now())
    assert (run.state, run.error_code, watch.trouble_code, watch.troubles) == ("failed", code, code, 3)
    assert waits == sorted(waits)
    assert waits[-1] > timedelta(hours=3)
    await shop.visits(watch, "950")
    assert (watch.trouble_code, watch.troubles) == ("", 0)


async def test_what_is_no_matter_of_the_page_is_tried_again_soon_and_what_is_not_allowed_tomorrow(shop: Shop) -> None:
    watch = await watch_of()
    now = timezone.now()
    await in_db(watch.note_trouble)("no_browser", now)
    assert watch.next_check_at <= now + CONFIRM_AFTER
    for _ in range(9):
        await in_db(watch.note_trouble)("sandbox_away", now)
    assert now + timedelta(minutes=30) < watch.next_check_at < now + timedelta(minutes=90)
    await in_db(watch.note_trouble)("not_granted", now)
    assert watch.next_check_at >= now + timedelta(days=1)


async def test_a_budget_that_is_used_up_is_no_trouble_of_the_page(shop: Shop) -> None:
    watch = await watch_of()
    shop.sells("950")
    before = await in_db(get_values)()
    await in_db(_set_setting)("THINKING_STEPS_MAX", 1)
    run = await shop.visit(watch)
    await in_db(_set_setting)("THINKING_STEPS_MAX", before["THINKING_STEPS_MAX"])
    assert (run.state, run.error_code, watch.trouble_code) == ("discarded", "budget_steps", "")
    assert "1 steps was used up" in run.outcome


def _set_setting(name: str, value: int) -> None:
    setattr(config, name, value)


async def test_a_watch_that_was_deleted_meanwhile_is_not_visited(shop: Shop) -> None:
    watch = await watch_of(deleted_at=timezone.now())
    assert (await shop.visit(watch)).state == Run.State.DISCARDED
    assert shop.calls == []


async def test_the_address_is_opened_as_it_was_written_and_clean_where_the_grant_says_so(shop: Shop) -> None:
    await Grant.objects.aupdate(session="clean")
    await shop.visits(await watch_of(), "950")
    assert [(str(call.url), call.session) for call in shop.calls] == [(URL, "clean")]


@pytest.fixture
def due(shop: Shop) -> Watch:
    return Watch.objects.create(
        url=URL, domain="shop.example", below=900, next_check_at=timezone.now() - timedelta(minutes=1)
    )


def _run_count() -> int:
    return Run.objects.filter(kind=Run.Kind.WATCH).count()


def test_a_due_watch_is_visited_once_however_often_the_tick_comes_with_jitter(due: Watch) -> None:
    now = timezone.now()
    for _ in range(3):
        watches_start.start_due_visits(now)
    due.refresh_from_db()
    assert _run_count() == 1
    assert timedelta(minutes=50) < due.next_check_at - now < timedelta(minutes=70)
    waits = {round((due.next_visit(now) - now).total_seconds()) for _ in range(40)}
    assert len(waits) > 10


def test_two_ticks_at_once_start_one_visit(due: Watch) -> None:
    now, stale = timezone.now(), Watch.objects.get()
    watches_start._start_due_visit(due, now)
    Run.objects.update(state=Run.State.DONE)
    watches_start._start_due_visit(stale, now)
    assert _run_count() == 1


def test_it_waits_for_a_browser_a_silent_owner_and_room_and_starts_then(
    due: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    Device.objects.update(connection=None)
    watches_start.start_due_visits(now)
    Device.objects.update(connection="c")
    message = Message.objects.create(
        owner=the_owner(), seq=1, device_label="Desk", direction="in", text="Hi", html="Hi"
    )
    watches_start.start_due_visits(now)
    message.delete()
    turn = Run.objects.create(kind=Run.Kind.TURN)
    watches_start.start_due_visits(now)
    turn.delete()
    with monkeypatch.context() as patched:
        patched.setattr("devices.disk.has_room", lambda: False)
        watches_start.start_due_visits(now)
    assert (_run_count(), messages.is_idle(now)) == (0, True)
    watches_start.start_due_visits(now)
    assert _run_count() == 1


def test_paused_and_deleted_ones_rest_and_few_start_at_once(due: Watch) -> None:
    now = timezone.now()
    Watch.objects.create(url="https://a.example/", domain="a.example", is_paused=True, next_check_at=due.next_check_at)
    Watch.objects.create(url="https://b.example/", domain="b.example", deleted_at=now, next_check_at=due.next_check_at)
    for number in range(9):
        Watch.objects.create(url=f"https://c.example/{number}", domain="c.example", next_check_at=due.next_check_at)
    watches_start.start_due_visits(now)
    assert _run_count() == watches_start.AT_ONCE
    watches_start.start_due_visits(now)
    assert _run_count() == watches_start.AT_ONCE
    assert set(Run.objects.values_list("watch__domain", flat=True)) <= {"shop.example", "c.example"}


def test_no_visit_starts_when_nothing_is_due(due: Watch) -> None:
    Watch.objects.update(next_check_at=timezone.now() + timedelta(hours=1))
    watches_start.start_due_visits(timezone.now())
    assert _run_count() == 0
