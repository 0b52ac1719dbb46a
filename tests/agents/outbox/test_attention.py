"""The interruptions of a day, as the coins of the header show them."""

from datetime import datetime, timedelta

import pytest
from constance import config
from django.test import Client
from django.utils import timezone

from agents.models import Day
from agents.runs import day_budget
from devices.access.handshake import web_device
from devices.conversation.reactions import react, take_back
from devices.models import Interruption, Message
from devices.owner import clock
from devices.owner.account import the_owner
from tests.page_client import page_words
from thoughts.models import Thought

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def three_a_day(db: None) -> None:
    config.DAY_INTERRUPTIONS_MAX = 3


def told_of(title: str, at: datetime | None = None) -> Thought:
    """A find that Penny interrupted the owner for."""
    find = Thought.objects.create(title=title, text="It holds.")
    react(the_owner(), web_device(), find, 1)
    take_back(the_owner(), web_device(), find)
    message = Message.objects.filter(thought=find, kind=Message.Kind.NOTIFICATION).earliest("seq")
    Interruption.objects.create(message=message, reason="One of your best.", created_at=at or timezone.now())
    day_budget.count_interruption()
    return find


def left() -> int:
    return day_budget.attention(timezone.now()).left


def test_each_interruption_spends_one_and_a_thumb_down_hands_one_back_once_a_day() -> None:
    first, second = told_of("Levers"), told_of("Springs")
    assert left() == 1
    react(the_owner(), web_device(), first, -1)
    assert left() == 2
    react(the_owner(), web_device(), second, -1)
    assert left() == 2
    take_back(the_owner(), web_device(), first)
    take_back(the_owner(), web_device(), second)
    assert left() == 1
    react(the_owner(), web_device(), first, 1)
    assert left() == 1


def test_one_that_is_back_may_be_spent_again_and_no_second_one() -> None:
    finds = [told_of(title) for title in ("Levers", "Springs", "Pumps")]
    assert not day_budget.may_interrupt(timezone.now())
    react(the_owner(), web_device(), finds[0], -1)
    assert day_budget.may_interrupt(timezone.now())
    told_of("Grinders")
    react(the_owner(), web_device(), finds[1], -1)
    assert not day_budget.may_interrupt(timezone.now())


def test_a_find_of_yesterday_hands_nothing_back_today() -> None:
    find = told_of("Levers", clock.next_day(timezone.now()) - timedelta(days=1, minutes=1))
    react(the_owner(), web_device(), find, -1)
    assert (left(), Day.objects.get().interruptions) == (2, 1)


def test_the_header_shows_a_coin_for_each_and_none_for_many(owner_client: Client) -> None:
    told_of("Levers")
    words = page_words(owner_client, "/watches/")
    assert "●●○" in words
    assert "2 of 3 interruptions left today" in words
    config.DAY_INTERRUPTIONS_MAX = 12
    assert "interruptions left today" not in page_words(owner_client, "/watches/")
