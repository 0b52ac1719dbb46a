"""Finds that interrupt the owner: few, never in quiet hours, rarely without an answer."""

import itertools
import random
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from constance import config
from django.conf import settings

from agents.models import Day
from agents.outbox import notify
from agents.outbox.notify import notify_due
from agents.runs import day_budget
from agents.schedules import digest
from agents.schedules.digest import send_digest
from devices.conversation import reactions
from devices.models import Conversation, Device, Message
from devices.models.deliveries import Delivery, Interruption, LineState
from devices.owner import muting
from devices.owner.account import the_owner
from thoughts.models import Preference, Thought, Watch

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 6, 1, 12, tzinfo=BERLIN).astimezone(UTC)
PHONE = "+491700000002"


@pytest.fixture(autouse=True)
def berlin() -> None:
    config.TIMEZONE = "Europe/Berlin"


@pytest.fixture
def signal_phone(monkeypatch: pytest.MonkeyPatch) -> Device:
    monkeypatch.setattr(settings, "SIGNAL_URL", "http://127.0.0.1:9")
    LineState.objects.create(line="signal")
    return Device.objects.create(label="Signal", kind="signal", address=PHONE)


def create_find(title: str, points: float, at: datetime = NOON, **fields: object) -> Thought:
    values = {
        "text": "It holds.",
        "html": "",
        "origin": ["owner", "penny"],
        "points": points,
        "created_at": at - timedelta(minutes=1),
    }
    return Thought.objects.create(title=title, **(values | fields))


def create_preference(text: str) -> Preference:
    return Preference.objects.create(text=text)


def write_at(at: datetime) -> None:
    """Store a message of the owner's."""
    conversation, _ = Conversation.objects.get_or_create(owner=the_owner())
    conversation.last_seq += 1
    conversation.save()
    fields = {"device_label": "Web", "direction": "in", "text": "Hm", "html": "", "created_at": at}
    Message.objects.create(owner=the_owner(), seq=conversation.last_seq, **fields)


def titles() -> list[str]:
    return list(
        Message.objects.filter(interruption__isnull=False).order_by("seq").values_list("thought__title", flat=True)
    )


def test_the_best_find_is_told_with_its_reason_on_one_device_and_counts(signal_phone: Device) -> None:
    Device.objects.create(label="Firefox", kind="push", address="https://push.example/1")
    create_find("Good", 1.5, seed_text="levers")
    create_find("Better", 2.5, seed_text="levers")
    message = notify_due(NOON)
    assert message is not None
    assert message.text.startswith(
        "**Better**\n\nIt holds.\n\n*One of your best finds about “levers” this week. Answer with 👎"
    )
    delivery = Delivery.objects.get()
    assert (delivery.device, delivery.is_proactive, delivery.reason) == (
        signal_phone,
        True,
        "One of your best finds about “levers” this week.",
    )
    assert (Interruption.objects.get().device, Day.objects.get().interruptions) == (signal_phone, 1)


def test_where_nobody_would_hear_of_it_nothing_is_spent_and_the_topic_does_not_rest(signal_phone: Device) -> None:
    create_find("Good", 1.5, preference=create_preference("levers"))
    LineState.objects.update(problem="away")
    assert notify_due(NOON) is None
    waiting = notify.why_waiting(NOON)
    assert waiting is not None
    assert waiting.why.startswith("Nothing can be reached")
    assert (Message.objects.exists(), Interruption.objects.exists(), Day.objects.exists()) == (False, False, False)
    LineState.objects.update(problem="")
    assert notify_due(NOON) is not None


def test_what_is_not_worth_it_is_not_told(signal_phone: Device) -> None:
    create_find("Weak", 0.5)
    create_find("Old", 2.0, NOON - timedelta(days=2))
    create_find("Read", 2.0, notified_at=NOON)
    create_find("Of a muted topic", 2.0, preference=Preference.objects.create(text="ads", muted=True))
    assert notify_due(NOON) is None


def test_a_find_earns_its_place_among_those_of_a_week(signal_phone: Device) -> None:
    config.NOTIFY_FINDS_MAX = 1
    for number in range(3):
        create_find(f"Better {number}", 3.0 + number, NOON - timedelta(days=2 * number + 2), notified_at=NOON)
    fair = create_find("Fair", 2.0)
    assert notify_due(NOON) is not None  # the fourth best of four days with one place each
    Message.objects.all().delete()
    create_find("Better still", 3.5, NOON - timedelta(days=2), notified_at=NOON)
    create_find("And better", 3.6, NOON - timedelta(days=2), notified_at=NOON)
    assert notify_due(NOON + timedelta(hours=1)) is None
    assert Thought.objects.get(pk=fair.pk).is_new  # it waits on the feed


def test_it_is_told_once_and_not_while_the_owner_chats(signal_phone: Device) -> None:
    create_find("Once", 2.0)
    write_at(NOON - timedelta(seconds=20))
    assert notify_due(NOON) is None
    assert notify_due(NOON + timedelta(minutes=2)) is not None
    assert notify_due(NOON + timedelta(hours=5)) is None


def test_the_pause_doubles_while_nothing_is_answered_and_is_short_again_after_an_answer(signal_phone: Device) -> None:
    config.NOTIFY_FINDS_MAX = config.DAY_INTERRUPTIONS_MAX = 50
    moments, now = [], NOON
    for number in range(100):
        create_find(f"Find {number}", 2.0, now)
        if notify_due(now):
            moments.append(now)
        now += timedelta(minutes=5)
    pauses = [round((later - earlier).total_seconds() / 60) for earlier, later in itertools.pairwise(moments)]
    assert pauses == [10, 20, 40, 80, 90, 90, 90]
    write_at(moments[-1] + timedelta(minutes=2))
    assert notify_due(moments[-1] + timedelta(minutes=11)) is not None


def test_a_topic_rests_for_a_day(signal_phone: Device) -> None:
    config.NOTIFY_FINDS_MAX = 5
    levers, pens = create_preference("levers"), create_preference("pens")
    create_find("First of levers", 3.0, preference=levers)
    assert notify_due(NOON) is not None
    later = NOON + timedelta(hours=3)
    create_find("Second of levers", 3.0, later, preference=levers)
    create_find("Of pens", 2.0, later, preference=pens)
    notify_due(later)
    assert titles() == ["First of levers", "Of pens"]
    tomorrow = NOON + timedelta(hours=25)
    create_find("Third of levers", 3.0, tomorrow, preference=levers)
    notify_due(tomorrow)
    assert titles()[-1] == "Third of levers"


def create_report(title: str, at: datetime = NOON, **fields: object) -> Thought:
    watch = Watch.objects.create(url="https://shop.example/", domain="shop.example", label="Lever", next_check_at=at)
    return create_find(title, 0.0, at, watch=watch, **fields)


def test_what_a_watch_tells_needs_no_points_and_takes_no_place_of_a_find(signal_phone: Device) -> None:
    create_report("Lever: now 880 EUR")
    create_report("Pump: back in stock", NOON + timedelta(seconds=1))
    create_find("Best", 2.0)
    for _ in range(4):
        notify_due(NOON)
    assert titles() == ["Lever: now 880 EUR", "Pump: back in stock", "Best"]
    notification = Message.objects.filter(thought__watch__isnull=False).first()
    assert notification is not None
    assert notification.text.endswith("*You asked to be told, by a watch. Answer with 👎 to pause this watch.*")


def test_what_a_watch_tells_waits_for_quiet_hours_a_chat_and_the_budget_of_the_day(signal_phone: Device) -> None:
    create_report("Lever: now 880 EUR")
    config.QUIET_FROM, config.QUIET_TO = "11:00", "13:00"
    assert notify_due(NOON) is None
    config.QUIET_FROM = ""
    config.DAY_INTERRUPTIONS_MAX = 0
    assert notify_due(NOON) is None
    config.DAY_INTERRUPTIONS_MAX = 5
    write_at(NOON - timedelta(seconds=5))
    assert notify_due(NOON) is None
    assert notify_due(NOON + timedelta(hours=1)) is not None


def test_what_was_opened_is_not_told(signal_phone: Device) -> None:
    read = create_find("Read already", 3.0)
    read.mark_opened(NOON)
    assert notify_due(NOON) is None


def test_what_the_digest_listed_is_not_told_again(signal_phone: Device) -> None:
    create_find("Best", 2.5)
    create_report("Lever: now 880 EUR")
    send_digest(NOON)
    assert notify_due(NOON + timedelta(minutes=10)) is None
    assert Day.objects.get().interruptions == 1


def test_what_the_digest_only_counted_is_told(signal_phone: Device) -> None:
    for number in range(digest.LISTED):
        create_find(f"Number {number}", 0.5, stands_at=NOON)
    create_report("Pump: back in stock", stands_at=NOON - timedelta(hours=1))
    send_digest(NOON)
    notify_due(NOON + timedelta(minutes=10))
    assert titles() == ["Pump: back in stock"]


def test_quiet_hours_and_muting_hold_it_for_the_digest(signal_phone: Device) -> None:
    config.QUIET_FROM, config.QUIET_TO = "11:00", "13:00"
    create_find("Held", 2.0)
    assert notify_due(NOON) is None
    config.QUIET_FROM = ""
    muting.mute_until(NOON + timedelta(hours=1))
    assert notify_due(NOON) is None
    waiting = notify.why_waiting(NOON)
    assert waiting is not None
    assert waiting.why == "You muted me until 13:00."
    muting.unmute()
    assert notify_due(NOON) is not None


def test_the_budget_of_the_day_is_kept_for_what_asks_too(signal_phone: Device) -> None:
    config.DAY_INTERRUPTIONS_MAX = 1
    create_find("Waits", 2.0)
    Day.objects.create(day=NOON.date(), interruptions=1)
    assert (day_budget.may_interrupt(NOON), notify_due(NOON)) == (False, None)


def test_less_like_this_is_said_where_it_was_read_and_taken_back(signal_phone: Device) -> None:
    levers = create_preference("levers")
    thought = create_find("A lever", 2.0, preference=levers)
    notify_due(NOON)
    reactions.react(the_owner(), signal_phone, thought, -1)
    levers.refresh_from_db()
    assert levers.strength < 1
    reactions.take_back(the_owner(), signal_phone, thought)
    levers.refresh_from_db()
    assert levers.strength == 1


def month(seed: int, step: timedelta) -> list[datetime]:
    """Simulate thirty days of finds and answers, with quiet hours; return the interruptions."""
    chance = random.Random(seed)
    topics = [create_preference(f"topic {number}") for number in range(8)]
    now, moments = NOON, list[datetime]()
    while now < NOON + timedelta(days=30):
        if chance.random() < step / timedelta(minutes=90):
            create_find(f"Find at {now:%d %H:%M}", chance.gauss(1.2, 1.0), now, preference=chance.choice(topics))
        if (message := notify_due(now)) is not None:
            moments.append(message.created_at)
        if chance.random() < step / timedelta(hours=5):
            write_at(now)
        now += step
    return moments


@pytest.mark.parametrize(("seed", "step"), [(1, timedelta(hours=2))])
def test_in_a_month_there_are_no_more_than_the_budget_and_none_in_quiet_hours(
    seed: int, step: timedelta, signal_phone: Device
) -> None:
    _live_through(seed, step)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_in_many_months_too(seed: int, signal_phone: Device) -> None:
    _live_through(seed, timedelta(minutes=5))


def _live_through(seed: int, step: timedelta) -> None:
    config.QUIET_FROM, config.QUIET_TO = "22:00", "07:00"
    moments = [at.astimezone(BERLIN) for at in month(seed, step)]
    assert 10 < len(moments) <= 31 * config.NOTIFY_FINDS_MAX
    per_day = [sum(at.date() == day for at in moments) for day in {at.date() for at in moments}]
    assert max(per_day) <= config.NOTIFY_FINDS_MAX
    assert [at for at in moments if at.hour >= 22 or at.hour < 7] == []
    assert (
        Delivery.objects.count()
        == len(moments)
        == len(set(Message.objects.filter(interruption__isnull=False).values_list("thought")))
    )
