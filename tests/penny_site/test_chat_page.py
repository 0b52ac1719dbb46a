import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from devices.models import Message, Thread
from devices.owner.account import the_owner
from tests.page_client import chat_data
from thoughts.models import Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def store_message(seq: int, **fields: object) -> Message:
    values = {"direction": "in", "device_label": "Desk", "text": f"Word {seq}", "html": f"<p>Word {seq}</p>"} | fields
    return Message.objects.create(owner=the_owner(), seq=seq, **values)


def test_the_page_holds_the_last_fifty_messages_in_order_to_read_and_for_its_script(owner_client: Client) -> None:
    for seq in range(1, 53):
        store_message(seq)
    response = owner_client.get("/chat/")
    on_page = [int(seq) for seq in re.findall(r'data-seq="(\d+)"', response.content.decode())]
    assert on_page == [message["seq"] for message in chat_data(response)["messages"]] == list(range(3, 53))


def test_a_message_shows_its_page_and_the_pages_that_it_came_from(owner_client: Client) -> None:
    store_message(1, page={"url": "https://coffeelab.example/", "title": "A <b>lever</b>"})
    store_message(2, direction="out", device_label="Penny", origin=["owner", "penny", "coffeelab.example"])
    html = owner_client.get("/chat/").content.decode()
    assert '<b dir="auto">A &lt;b&gt;lever&lt;/b&gt;</b><span>coffeelab.example</span>' in html
    assert re.findall(r'<span class="chip">from ([^<]+)</span>', html) == ["coffeelab.example"]


def test_no_message_ends_the_data_of_the_page(owner_client: Client) -> None:
    store_message(1, text="</script><script>alert(1)</script>", html="<p>&lt;/script&gt;</p>")
    response = owner_client.get("/chat/")
    assert chat_data(response)["messages"][0]["text"] == "</script><script>alert(1)</script>"
    assert "<script>alert" not in response.content.decode()


def test_an_empty_conversation_says_so_and_its_script_what_penny_lacks(owner_client: Client) -> None:
    response = owner_client.get("/chat/")
    assert "Nothing said yet" in response.content.decode()
    assert (chat_data(response)["messages"], chat_data(response)["missing"]) == ([], ["browser", "model"])


def test_without_javascript_the_page_says_that_sending_needs_it(owner_client: Client) -> None:
    html = owner_client.get("/chat/").content.decode()
    assert "Sending a message needs it." in html
    assert "<textarea" not in html


def test_the_next_message_may_be_about_a_find(owner_client: Client) -> None:
    thought = Thought.objects.create(title="Nine <b>bars</b>", text="x", html="x")
    about = chat_data(owner_client.get(f"/chat/?about={thought.pk}"))["about"]
    assert about == {"id": str(thought.pk), "title": "Nine <b>bars</b>"}
    for unknown in ("", str(uuid4()), "x", "%00"):
        assert chat_data(owner_client.get(f"/chat/?about={unknown}"))["about"] is None


def test_a_message_of_penny_links_to_its_find(owner_client: Client) -> None:
    thought = Thought.objects.create(title="Nine bars", text="x", html="x")
    store_message(1, direction="out", kind="notification", thought=thought)
    store_message(2, direction="out")
    html = owner_client.get("/chat/").content.decode()
    assert html.count(f'<a class="chip new" href="/thoughts/{thought.pk}/">Open the find</a>') == 1


def test_digging_deeper_asks_about_the_thought_in_the_conversation(owner_client: Client) -> None:
    thought = Thought.objects.create(title="Nine bars", text="x", html="x")
    assert owner_client.post(f"/thoughts/{thought.pk}/dig/").headers["Location"] == "/chat/"
    message = Message.objects.get()
    assert (message.direction, message.thought, message.runs.get().state) == ("in", thought, "queued")
    assert owner_client.post(f"/thoughts/{uuid4()}/dig/").status_code == 404


def test_a_thread_is_shown_alone_by_its_address(owner_client: Client) -> None:
    thread = Thread.objects.create(owner=the_owner(), name="Grinders <b>")
    store_message(1, thread=thread)
    store_message(2)

    def on_page(query: str) -> tuple[list[int], str, int]:
        data = chat_data(owner_client.get(f"/chat/{query}"))
        return [message["seq"] for message in data["messages"]], data["thread"], data["cursor"]

    assert on_page(f"?thread={thread.pk}") == ([1], str(thread.pk), 2)
    assert on_page("?thread=new") == ([], "new", 2)
    assert [on_page(query) for query in ("", "?thread=x", f"?thread={uuid4()}")] == [([2], "main", 2)] * 3


def test_without_javascript_links_lead_to_the_threads(owner_client: Client) -> None:
    thread = Thread.objects.create(owner=the_owner(), name="Grinders <b>")
    html = owner_client.get(f"/chat/?thread={thread.pk}").content.decode()
    assert f'<a href="/chat/?thread={thread.pk}" aria-current="page">Grinders &lt;b&gt;</a>' in html
    assert '<a href="/chat/">Main conversation</a>' in html
    Thread.objects.update(deleted_at=timezone.now())
    assert "Grinders" not in owner_client.get("/chat/").content.decode()
