"""New thoughts arrive while the feed is open.

A notice appears, and the cards stay until the owner asks.
"""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from tests.thoughts.cards import HTMX, titles
from thoughts.index.finds import catch_up
from thoughts.models import Thought

pytestmark = pytest.mark.django_db


def polled(html: str) -> str:
    """Return the address that the page polls every five minutes."""
    match = re.search(r'hx-get="([^"]+)" hx-trigger="every 300s, look"', html)
    assert match
    return unescape(match[1])


def get_fragment(owner_client: Client, address: str) -> str:
    return owner_client.get(address, headers=HTMX).content.decode()


def demand(html: str) -> str:
    match = re.search(r'hx-get="([^"]+)" hx-target="#newer"', html)
    assert match
    return unescape(match[1])


def make(title: str, **fields: object) -> None:
    Thought.objects.create(title=title, **fields)
    catch_up()


def test_what_came_is_said_then_shown_on_demand_and_said_no_more(owner_client: Client) -> None:
    make("Old")
    poll = polled(owner_client.get("/").content.decode())
    assert 'id="fresh"' not in get_fragment(owner_client, poll)
    make("New 1")
    make("New 2")
    notice = get_fragment(owner_client, poll)
    assert "2 new thoughts: show them" in notice
    assert titles(notice) == []
    cards = get_fragment(owner_client, demand(notice))
    assert titles(cards) == ["New 2", "New 1"]
    assert '<p id="fresh" hx-swap-oob="innerHTML"></p>' in cards
    assert 'id="fresh"' not in get_fragment(owner_client, polled(cards))


def test_the_first_thought_comes_to_an_empty_page(owner_client: Client) -> None:
    poll = polled(owner_client.get("/").content.decode())
    make("First")
    assert titles(get_fragment(owner_client, demand(get_fragment(owner_client, poll)))) == ["First"]


@pytest.mark.parametrize("narrow", ["q=lever", "since=day"])
def test_only_what_the_filter_lets_through_is_said(owner_client: Client, narrow: str) -> None:
    poll = polled(owner_client.get(f"/?{narrow}").content.decode())
    make("A lever")
    make("A pump" if "q" in narrow else "A lever", notified_at=timezone.now())
    notice = get_fragment(owner_client, poll)
    assert "1 new thought: show it" in notice
    assert f'href="/?{narrow}"' in notice
    assert titles(get_fragment(owner_client, demand(notice))) == ["A lever"]


def test_more_than_a_page_is_shown_by_opening_the_feed_anew(owner_client: Client) -> None:
    poll = polled(owner_client.get("/").content.decode())
    Thought.objects.bulk_create(Thought(title=str(number), created_at=timezone.now()) for number in range(13))
    notice = get_fragment(owner_client, poll)
    assert '<a class="button" href="/">13 new thoughts: show them</a>' in notice


@pytest.mark.parametrize("address", ["/archive/", "/?before={cursor}"])
def test_where_new_cards_do_not_belong_only_their_number_is_asked_for(owner_client: Client, address: str) -> None:
    moment = timezone.now()
    make("Old", created_at=moment - timedelta(days=1))
    cursor = f"{int(moment.timestamp() * 1_000_000)}-{'0' * 32}"
    assert polled(owner_client.get(address.format(cursor=cursor)).content.decode()) == "/thoughts/count/"


def test_without_javascript_the_line_leads_to_the_feed(owner_client: Client) -> None:
    assert owner_client.get("/thoughts/fresh/", {"after": "1-2", "q": "lever"}).headers["Location"] == "/?q=lever"
