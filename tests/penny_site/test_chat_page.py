import re
from uuid import uuid4

import pytest
from django.test import Client

from devices.models import Message
from devices.owner.account import the_owner
from thoughts.models import Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def store_message(seq: int, **fields: object) -> Message:
    values = {"direction": "in", "device_label": "Desk", "text": f"Word {seq}", "html": f"<p>Word {seq}</p>"} | fields
    return Message.objects.create(owner=the_owner(), seq=seq, **values)


def test_the_page_shows_the_last_fifty_messages_in_order(owner_client: Client) -> None:
    for seq in range(1, 53):
        store_message(seq)
    html = owner_client.get("/chat/").content.decode()
    assert [int(seq) for seq in re.findall(r'data-seq="(\d+)"', html)] == list(range(3, 53))
    assert 'data-more="true"' in html


def test_a_message_names_its_device_and_the_pages_that_it_came_from(owner_client: Client) -> None:
    store_message(1, page={"url": "https://coffeelab.example/", "title": "A <b>lever</b>"})
    store_message(2, direction="out", device_label="Penny", origin=["owner", "penny", "coffeelab.example"])
    html = owner_client.get("/chat/").content.decode()
    assert '<span class="where">Desk</span>' in html
    assert "A &lt;b&gt;lever&lt;/b&gt;" in html
    assert '<span class="soft host">coffeelab.example</span>' in html
    headers = re.findall(r'<p class="meta">.*?</p>', html, re.DOTALL)
    assert [re.findall(r'<span class="chip">from ([^<]+)</span>', header) for header in headers[:2]] == [
        [],
        ["coffeelab.example"],
    ]


def test_an_empty_conversation_says_what_to_do(owner_client: Client) -> None:
    html = owner_client.get("/chat/").content.decode()
    assert "Nothing said yet" in html
    assert 'data-more="false"' in html


def test_without_javascript_the_page_says_that_sending_needs_it(owner_client: Client) -> None:
    html = owner_client.get("/chat/").content.decode()
    assert "Sending a message needs it." in html
    assert re.search(r'<form\s+class="composer"\s+id="composer"[^>]*\shidden\s*>', html)


def test_the_next_message_may_be_about_a_thought(owner_client: Client) -> None:
    thought = Thought.objects.create(title="Nine <b>bars</b>", text="x", html="x")
    html = owner_client.get(f"/chat/?about={thought.pk}").content.decode()
    assert f'data-thought="{thought.pk}"' in html
    assert "Nine &lt;b&gt;bars&lt;/b&gt;" in html
    for unknown in ("", str(uuid4()), "x", "%00"):
        assert 'id="subject"' not in owner_client.get(f"/chat/?about={unknown}").content.decode()


def test_a_message_about_a_thought_links_to_the_thought(owner_client: Client) -> None:
    thought = Thought.objects.create(title="Nine bars", text="x", html="x")
    store_message(1, thought=thought)
    store_message(2)
    html = owner_client.get("/chat/").content.decode().partition("<template")[0]
    assert html.count(f'<a href="/thoughts/{thought.pk}/">About a thought</a>') == 1
    assert html.count('class="about thought" hidden') == 1


def test_digging_deeper_asks_about_the_thought_in_the_conversation(owner_client: Client) -> None:
    thought = Thought.objects.create(title="Nine bars", text="x", html="x")
    assert owner_client.post(f"/thoughts/{thought.pk}/dig/").headers["Location"] == "/chat/"
    message = Message.objects.get()
    assert (message.direction, message.thought, message.runs.get().state) == ("in", thought, "queued")
    assert owner_client.post(f"/thoughts/{uuid4()}/dig/").status_code == 404


def test_a_notification_of_a_thought_has_thumbs_and_its_reactions_name_the_pressed_one(
    owner_client: Client,
) -> None:
    thought = Thought.objects.create(title="Nine bars", text="x", html="x")
    notification = store_message(1, direction="out", kind="notification", thought=thought)
    store_message(2, kind="reaction", thought=thought, parent=notification, reaction=1)
    store_message(3, kind="reaction", thought=thought, parent=notification, reaction=0)
    store_message(4, direction="out", kind="notification")
    html = owner_client.get("/chat/").content.decode().partition("<template")[0]
    assert re.findall(r'id="m(\d)"[^>]*data-thought="([^"]+)" data-reaction="([^"]+)"', html) == [
        ("2", str(thought.pk), "1"),
        ("3", str(thought.pk), "0"),
    ]
    assert html.count('class="thumbs"') == 1
    thumbs = html.partition('class="thumbs"')[2].partition("</p>")[0]
    assert re.findall(r'data-valence="([^"]+)" aria-pressed="false" aria-label="([^"]+)"', thumbs) == [
        ("1", "I like this"),
        ("-1", "I do not like this"),
    ]
    assert f'href="/thoughts/{thought.pk}/"' in thumbs
