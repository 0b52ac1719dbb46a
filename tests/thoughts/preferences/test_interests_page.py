"""The page Interests › Likes: what each interest brings, looked for at once, changed in its row."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.models import Run
from devices.models import Device
from tests.page_client import page_words
from tests.thoughts.cards import HTMX
from thoughts.models import Preference, Thought

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def rows_of(html: str) -> dict[int, str]:
    parts = re.split(r'<li id="interest-(\d+)">', html)
    return {int(key): part.partition("</li>")[0] for key, part in zip(parts[1::2], parts[2::2], strict=True)}


def connect_desk() -> None:
    later = timezone.now() + timedelta(hours=1)
    tools = {"tools": ["browse_url"], "tool_use": True}
    Device.objects.create(label="Desk", kind="browser", connection=uuid4().hex, seen_at=later, **tools)


def test_an_interest_shows_what_it_brings_and_how_strong_it_is(owner_client: Client) -> None:
    espresso = Preference.objects.create(text="espresso", strength=2.4)
    for number in range(4):
        find = Thought.objects.create(title=f"Find <{number}>", preference=espresso, reaction=1 if number < 2 else None)
    Thought.objects.create(title="Hidden", preference=espresso, hidden_at=timezone.now())
    Preference.objects.filter(pk=espresso.pk).update(last_thought=find)
    row = rows_of(owner_client.get("/interests/").content.decode())[espresso.pk]
    assert f'<a href="/?preference={espresso.pk}">4 finds</a>, 2 liked' in row
    assert f'<a href="/thoughts/{find.pk}/">Find &lt;3&gt;</a>' in row
    assert 'aria-label="Strength 2.4 of 3"' in row
    assert '<rect width="77"' in row


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "not looked for yet"),
        ({"used_at": timezone.now() - timedelta(hours=2)}, "no finds yet · looked 2 h ago"),
        ({"strength": 0}, "resting: you disliked its last finds"),
    ],
)
def test_without_a_find_it_says_why(owner_client: Client, fields: dict[str, object], words: str) -> None:
    Preference.objects.create(text="espresso", **fields)
    assert words in page_words(owner_client, "/interests/")


def test_muted_ones_are_folded_below_the_others(owner_client: Client) -> None:
    muted, other = Preference.objects.create(text="a", muted=True), Preference.objects.create(text="b")
    html = owner_client.get("/interests/").content.decode()
    assert html.index(f'id="interest-{other.pk}"') < html.index("<h2>Muted</h2>") < html.index(f'"interest-{muted.pk}"')
    assert f'action="/interests/{muted.pk}/unmute/"' in rows_of(html)[muted.pk]
    assert "/look/" not in rows_of(html)[muted.pk]


def test_penny_looks_for_an_interest_at_once_and_the_row_says_so(owner_client: Client) -> None:
    connect_desk()
    espresso = Preference.objects.create(text="espresso")
    for _ in range(2):  # the second finds the first under way
        html = owner_client.post(f"/interests/{espresso.pk}/look/", follow=True).content.decode()
    run = Run.objects.get()
    assert (run.kind, run.preference) == ("thinking", espresso)
    assert "Penny is looking for “espresso” already." in html
    assert f'<a class="busy" href="/runs/{run.pk}/">looking now</a>' in rows_of(html)[espresso.pk]
    assert 'hx-trigger="every 3s"' in html
    fragment = owner_client.get("/interests/", headers=HTMX).content.decode()
    assert "looking now" in fragment
    assert "<html" not in fragment


@pytest.mark.parametrize("fields", [{"valence": -1}, {"muted": True}])
def test_nothing_is_looked_for_that_is_disliked_or_muted(owner_client: Client, fields: dict[str, object]) -> None:
    connect_desk()
    row = Preference.objects.create(text="gossip", **fields)
    assert owner_client.post(f"/interests/{row.pk}/look/").status_code == 404
    assert not Run.objects.exists()


def test_without_a_browser_nothing_starts_and_that_is_said(owner_client: Client, client: Client) -> None:
    row = Preference.objects.create(text="espresso")
    html = owner_client.post(f"/interests/{row.pk}/look/", follow=True).content.decode()
    assert "No browser is connected." in html
    assert not Run.objects.exists()


def test_only_the_owner_has_penny_look(client: Client) -> None:
    connect_desk()
    client.post(f"/interests/{Preference.objects.create(text='espresso').pk}/look/")
    assert not Run.objects.exists()


def test_the_words_are_changed_in_their_row_and_the_undo_brings_them_back(owner_client: Client) -> None:
    row = Preference.objects.create(text="maps & <b>charts")
    page = owner_client.get(f"/interests/{row.pk}/edit/").content.decode()
    assert 'value="maps &amp; &lt;b&gt;charts"' in rows_of(page)[row.pk]
    fragment = owner_client.get(f"/interests/{row.pk}/edit/", headers=HTMX).content.decode()
    assert fragment.startswith(f'<li id="interest-{row.pk}">')
    assert "autofocus" in fragment
    html = owner_client.post(f"/interests/{row.pk}/edit/", {"text": "old maps"}, follow=True).content.decode()
    assert "It says “old maps” now." in html
    undo = re.search(rf'action="(/interests/{row.pk}/edit/\?[^"]+)"', html)
    assert undo
    owner_client.post(undo[1])
    row.refresh_from_db()
    assert row.text == "maps & <b>charts"


def test_an_interest_is_merged_into_one_that_the_owner_chooses(owner_client: Client) -> None:
    row, other = Preference.objects.create(text="old maps"), Preference.objects.create(text="maps")
    Preference.objects.create(text="gossip", valence=-1)
    html = owner_client.get(f"/interests/{row.pk}/merge/").content.decode()
    assert re.findall("<option>([^<]*)</option>", html) == ["maps"]
    html = owner_client.post(f"/interests/{row.pk}/merge/", {"into": "maps"}, follow=True).content.decode()
    assert "“old maps” is part of it." in rows_of(html)[other.pk]


def test_more_interests_need_no_more_queries(owner_client: Client) -> None:
    def queries(count: int) -> int:
        for number in range(count):
            row = Preference.objects.create(text=f"maps {count} {number}")
            row.last_thought = Thought.objects.create(title="A map", preference=row)
            row.save()
        with CaptureQueriesContext(connection) as captured:
            owner_client.get("/interests/")
        return len(captured)

    owner_client.get("/interests/")
    assert queries(1) == queries(40)
