"""The bar of an interest in a find's reasons: a preview that comes true, teaching, and its undo."""

import re
from typing import Any

import pytest
from celery import current_app
from django.test import Client

from agents.embeddings import store as embeddings_store
from agents.tasks import preview_strength
from tests.thoughts.cards import HTMX, titles
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]
TITLES = ["Lever espresso machines and their springs", "Oolong tea is rolled by hand", "Notes on knitting a sweater"]


@pytest.fixture(autouse=True)
def at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker behind the broker that computes each preview at once."""

    def send(name: str, arguments: list[Any], **_: object) -> None:
        assert name == "agents.preview"
        preview_strength(*arguments)

    monkeypatch.setattr(current_app, "send_task", send)


@pytest.fixture
def lever_interest(db: None) -> Preference:
    """An interest, with three finds on the feed of which the first matches it."""
    Preference.objects.create(text="oolong tea", strength=0.5)
    row = Preference.objects.create(text="lever espresso", strength=1.375)
    for title in reversed(TITLES):
        Thought.objects.create(title=title, text="", html="", origin=["a.example"])
    let_tick()
    return row


def let_tick() -> None:
    embeddings_store.catch_up(60)
    embeddings_store.rank()


def lever() -> Thought:
    return Thought.objects.get(title=TITLES[0])


def cards_of(client: Client) -> list[str]:
    return titles(client.get("/").content.decode())


def preview_of(client: Client, row: Preference, strength: object) -> Any:
    return client.get(f"/interests/{row.pk}/strength/preview/", {"strength": str(strength), "thought": str(lever().pk)})


def move_bar(client: Client, row: Preference, strength: object, **headers: str) -> str:
    fields = {"strength": strength, "thought": lever().pk}
    return client.post(f"/interests/{row.pk}/strength/", fields, headers=HTMX | headers).content.decode()


@pytest.mark.parametrize("strength", [0, 0.25, 0.5, 1.375, 1.5])
def test_the_preview_says_what_then_happens(owner_client: Client, lever_interest: Preference, strength: float) -> None:
    cards, place = cards_of(owner_client), lever().stands_at
    answer = preview_of(owner_client, lever_interest, strength).json()["words"]
    assert (cards_of(owner_client), lever().stands_at) == (cards, place), "the preview changes nothing"
    lever_interest.refresh_from_db()
    assert lever_interest.strength == 1.375
    move_bar(owner_client, lever_interest, strength)
    let_tick()
    days = (lever().stands_at - place).total_seconds() / 86400
    moved = sum(one != other for one, other in zip(cards, cards_of(owner_client), strict=True))
    shift = re.search(r"rank (\d+(?:\.\d+)?) (day|hour)s? (higher|lower)", answer)
    if abs(days) < 1 / 48:
        assert answer.startswith("It would stay where it is; ")
    else:
        assert shift
        number = float(shift[1]) / (24 if shift[2] == "hour" else 1)
        assert number * (1 if shift[3] == "higher" else -1) == pytest.approx(days, abs=0.06)
    assert {0: "no card moves", 1: "1 card moves"}.get(moved, f"{moved} cards move") in answer
    assert ("no longer look for it" in answer) == (strength == 0)


def test_cards_do_move_where_an_interest_ends(owner_client: Client, lever_interest: Preference) -> None:
    assert cards_of(owner_client)[0] == TITLES[0]
    assert "3 cards move" in preview_of(owner_client, lever_interest, 0).json()["words"]
    assert "lower" in preview_of(owner_client, lever_interest, 0).json()["words"]


def test_undo_restores_the_strength_to_the_last_digit(owner_client: Client, lever_interest: Preference) -> None:
    for before in (2.7182818284590455, -0.75):
        Preference.objects.filter(pk=lever_interest.pk).update(strength=before)
        let_tick()
        cards = cards_of(owner_client)
        html = move_bar(owner_client, lever_interest, 0.5)
        assert "now. The cards follow in a moment." in html
        lever_interest.refresh_from_db()
        assert lever_interest.strength == 0.5
        [undo] = re.findall(r'action="(/interests/\d+/strength/back/[^"]*)"', html)
        assert "counts as before" in owner_client.post(undo.replace("&amp;", "&"), headers=HTMX).content.decode()
        lever_interest.refresh_from_db()
        assert lever_interest.strength == before
        let_tick()
        assert cards_of(owner_client) == cards


@pytest.mark.parametrize("strength", ["-0.1", "1.6", "nan", "inf", "", "x", "1e400", "9" * 5000])
def test_a_value_outside_of_the_bar_is_refused_in_a_sentence(
    owner_client: Client, lever_interest: Preference, strength: str
) -> None:
    answer = preview_of(owner_client, lever_interest, strength[:2000])
    assert (answer.status_code, answer.json()["words"]) == (400, "The bar goes from 0 to 1.5. Nothing changed.")
    assert "The bar goes from 0 to 1.5. Nothing changed." in move_bar(owner_client, lever_interest, strength)
    owner_client.post(f"/interests/{lever_interest.pk}/strength/back/?strength={strength[:20]}e9&thought={lever().pk}")
    lever_interest.refresh_from_db()
    assert lever_interest.strength == 1.375


def test_only_the_owner_s_own_pages_move_a_bar(owner_client: Client, lever_interest: Preference) -> None:
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    address = f"/interests/{lever_interest.pk}/strength/"
    fields = {"strength": "0", "thought": str(lever().pk)}
    for place in (address, f"{address}back/"):
        assert owner_client.post(place, fields, headers=elsewhere).status_code == 403
        assert owner_client.get(place, fields).status_code == 405
        assert Client().post(place, fields).status_code == 302
    assert "words" not in owner_client.get(f"{address}preview/", fields, headers=elsewhere).content.decode()
    assert Client().get(f"{address}preview/", fields).status_code == 302
    lever_interest.refresh_from_db()
    assert lever_interest.strength == 1.375


def test_bars_without_a_weight_of_the_owner_say_why_they_do_not_move(
    owner_client: Client, lever_interest: Preference
) -> None:
    page = f"/thoughts/{lever().pk}/why/"
    parts = [
        ("source", "Your thumbs on finds of this site move it."),
        ("liked", "Your reaction to that find set it."),
        ("crowd", "It follows from the cards above."),
    ]
    reasons = [{"kind": kind, "key": str(lever().pk), "text": "x", "points": 0.5} for kind, _ in parts]
    own = {"kind": "preference", "key": str(lever_interest.pk), "text": lever_interest.text, "points": 2.0}
    Thought.objects.filter(pk=lever().pk).update(reasons=[own, *reasons])
    html = owner_client.get(page).content.decode()
    assert html.count('type="range"') == 1
    assert all(words in html for _, words in parts)
    Preference.objects.filter(pk=lever_interest.pk).update(muted=True)
    html = owner_client.get(page).content.decode()
    assert 'type="range"' not in html
    assert "It is muted, so its bar rests." in html
    assert preview_of(owner_client, lever_interest, 1).status_code == 404
    lever_interest.delete()
    assert "You deleted this interest." in owner_client.get(page).content.decode()


def test_without_javascript_the_bar_is_a_form_that_leads_back_with_an_undo(
    owner_client: Client, lever_interest: Preference
) -> None:
    fields = {"strength": "0.25", "thought": str(lever().pk)}
    answer = owner_client.post(f"/interests/{lever_interest.pk}/strength/", fields, follow=True)
    assert answer.redirect_chain == [(f"/thoughts/{lever().pk}/why/", 302)]
    html = answer.content.decode()
    assert "“lever espresso” counts less now. The cards follow in a moment." in html
    [undo] = re.findall(r'action="(/interests/\d+/strength/back/[^"]*)"', html)
    owner_client.post(undo.replace("&amp;", "&"))
    lever_interest.refresh_from_db()
    assert lever_interest.strength == 1.375


def test_without_a_worker_the_preview_says_so(
    owner_client: Client, lever_interest: Preference, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr(current_app, "send_task", fail)
    assert "Penny cannot compute it now." in preview_of(owner_client, lever_interest, 1).json()["words"]


def test_an_archived_find_says_what_the_feed_does(owner_client: Client, lever_interest: Preference) -> None:
    owner_client.post(f"/thoughts/{lever().pk}/read/")
    assert preview_of(owner_client, lever_interest, 0).json()["words"].startswith("This find is read. In the feed, ")
