import re

import pytest
from django.test import Client

from devices.models import Message
from devices.owner import the_owner

pytestmark = pytest.mark.django_db


def say(seq: int, **fields: object) -> Message:
    values = {"direction": "in", "device_label": "Desk", "text": f"Word {seq}", "html": f"<p>Word {seq}</p>"} | fields
    return Message.objects.create(owner=the_owner(), seq=seq, **values)


def test_the_page_comes_with_the_last_fifty_messages_in_order(owner_client: Client) -> None:
    for seq in range(1, 53):
        say(seq)
    html = owner_client.get("/chat/").content.decode()
    assert [int(seq) for seq in re.findall(r'data-seq="(\d+)"', html)] == list(range(3, 53))
    assert 'data-more="true"' in html


def test_a_message_names_its_device_and_the_pages_that_it_came_from(owner_client: Client) -> None:
    say(1, page={"url": "https://coffeelab.example/", "title": "A <b>lever</b>"})
    say(2, direction="out", device_label="Penny", origin=["owner", "penny", "coffeelab.example"])
    html = owner_client.get("/chat/").content.decode()
    assert '<span class="where">Desk</span>' in html
    assert "A &lt;b&gt;lever&lt;/b&gt;" in html
    assert '<span class="soft host">coffeelab.example</span>' in html
    headers = re.findall(r'<p class="meta">.*?</p>', html, re.DOTALL)
    assert [re.findall(r'<span class="chip">from ([^<]+)</span>', header) for header in headers[:2]] == [[], ["coffeelab.example"]]


def test_an_empty_conversation_says_what_to_do(owner_client: Client) -> None:
    html = owner_client.get("/chat/").content.decode()
    assert "Nothing said yet" in html
    assert 'data-more="false"' in html


def test_without_javascript_the_page_says_that_sending_needs_it(owner_client: Client) -> None:
    html = owner_client.get("/chat/").content.decode()
    assert "Sending a message needs it." in html
    assert '<form class="composer" id="composer" hidden>' in html
