"""Semantic search of the feed.

The web process asks the worker, and reports a missing answer.
"""

import re
from typing import Any

import pytest
from celery import current_app
from django.test import Client
from django.utils import timezone

from agents.embeddings import ask_worker, embed, search, store
from agents.embeddings.embed import NotEmbedded
from agents.tasks import nearest
from tests.thoughts.cards import HTMX, titles
from thoughts.index.finds import catch_up
from thoughts.models import Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


@pytest.fixture
def worker(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A worker behind the broker that runs each task at once.

    The list holds the names of the tasks.
    """
    task_names = []

    def send(name: str, arguments: list[Any], **_: object) -> None:
        task_names.append(name)
        nearest(*arguments)

    monkeypatch.setattr(current_app, "send_task", send)
    return task_names


@pytest.fixture
def thoughts() -> list[Thought]:
    titles = [
        "A new place to swim in the cold lake",
        "How football clubs pay for players",
        "Bathing in rivers in winter",
    ]
    return [Thought.objects.create(title=title, text="", html="", origin=["a.example"]) for title in titles]


@pytest.mark.usefixtures("thoughts")
def test_what_means_the_same_follows_what_the_words_found_and_is_marked_so(
    owner_client: Client, worker: list[str]
) -> None:
    store.catch_up(60)
    catch_up()
    page = owner_client.get("/?q=swim").content.decode()
    assert titles(page) == ["A new place to swim in the cold lake"]
    more = re.search(r'hx-get="(/thoughts/meaning/feed/\?[^"]+)" hx-trigger="load"', page)
    assert more
    fragment = owner_client.get(more[1], headers=HTMX).content.decode()
    assert "By meaning" in fragment
    assert titles(fragment) == ["Bathing in rivers in winter"], (
        "not what the words found, nor what is about something else"
    )
    assert worker == [search.TASK]
    assert titles(owner_client.get(more[1]).content.decode()) == titles(fragment), (
        "and on a page of its own without scripts"
    )


def test_what_is_found_by_meaning_keeps_its_card_as_long_as_it_belongs_to_the_view(
    owner_client: Client, thoughts: list[Thought]
) -> None:
    Thought.objects.filter(pk=thoughts[0].pk).update(notified_at=timezone.now())
    page = HTMX | {"HX-Current-URL": "http://testserver/thoughts/meaning/archive/?q=swim"}
    archived, new = (
        owner_client.post(f"/thoughts/{thought.pk}/save/", headers=page).content.decode() for thought in thoughts[:2]
    )
    assert ("card moved" in archived, "card moved" in new) == (False, True)


@pytest.mark.usefixtures("worker")
def test_the_view_and_the_rest_of_the_filter_hold(owner_client: Client, thoughts: list[Thought]) -> None:
    store.catch_up(60)
    catch_up()
    owner_client.post(f"/thoughts/{thoughts[2].pk}/read/")
    assert titles(owner_client.get("/thoughts/meaning/feed/?q=swim", headers=HTMX).content.decode()) == []
    assert titles(owner_client.get("/thoughts/meaning/archive/?q=swim", headers=HTMX).content.decode()) == [
        "Bathing in rivers in winter"
    ]
    assert (
        titles(owner_client.get("/thoughts/meaning/archive/?q=swim&source=b.example", headers=HTMX).content.decode())
        == []
    )


@pytest.mark.usefixtures("thoughts")
def test_without_an_answer_of_the_worker_the_page_says_so(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(current_app, "send_task", lambda *_, **__: None)
    monkeypatch.setattr(ask_worker, "WAIT_S", 0.05)
    assert "did not end in time" in owner_client.get("/thoughts/meaning/feed/?q=swim", headers=HTMX).content.decode()


@pytest.mark.usefixtures("thoughts", "worker")
def test_where_nothing_embeds_the_page_says_what_to_do(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise NotEmbedded("No embeddings came. Start the endpoint.")

    monkeypatch.setattr(embed, "embed", refuse)
    assert "Start the endpoint." in owner_client.get("/thoughts/meaning/feed/?q=swim", headers=HTMX).content.decode()


def test_an_unknown_view_is_not_found(owner_client: Client) -> None:
    assert owner_client.get("/thoughts/meaning/elsewhere/?q=swim").status_code == 404
