"""Forgetting a preference shows, and deletes, every row that derives from it."""

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db.models import ForeignKey
from django.test import Client

from agents.embeddings import store
from agents.learning.forget_preference import derived_rows, forget_preference
from agents.models import Digest, Run, Schedule, Step
from devices.conversation.reactions import react
from devices.models import Ask, Message, MessageClaim
from devices.owner.account import the_owner
from tests.thoughts.preferences.rows import store_page, store_thought
from tests.waiting import until
from thoughts.index.finds import catch_up
from thoughts.models import Candidate, Claim, Page, Preference, Taste, Thought
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.preferences import candidates, merges

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


@pytest.fixture
def maps() -> Preference:
    """A preference with one of every derived row, beside another preference."""
    maps, other = Preference.objects.create(text="maps"), Preference.objects.create(text="espresso")
    shared, own = store_page("shared"), store_page("own")
    maps_thought, _ = store_thought(maps, shared, own), store_thought(other, shared)
    run = Run.objects.get(thought=maps_thought)
    Step.objects.create(run=run, kind="model", zone="writer", name="m", request={"turns": ["maps"]})
    Ask.objects.create(
        run_id=run.pk, text="To find something about “maps”.", prompt_until=run.created_at, expires_at=run.created_at
    )
    Schedule.objects.create(name="Maps daily", preference=maps)
    candidates.suggest(["globes"], Preference.Source.PAGE, own, maps)
    react(the_owner(), _device(), maps_thought, 1)
    _discuss(maps_thought, own)
    catch_up()
    return maps


def _device() -> Any:
    return apps.get_model("devices.Device").objects.create(label="Desk", kind="browser")


def _discuss(thought: Thought, page: Page) -> None:
    fields: dict[str, Any] = {"owner": the_owner(), "device_label": "Desk", "html": ""}
    question = Message.objects.create(
        seq=90, direction="in", text="What of this?", thought=thought, turn_id=uuid4(), **fields
    )
    answer = Message.objects.create(
        seq=91, direction="out", text="It holds 1.", parent=question, turn_id=question.turn_id, **fields
    )
    MessageClaim.objects.create(
        message=answer, number=1, page=page, text="It holds.", quote="It holds.", start=0, end=9
    )


def test_forgetting_shows_what_goes_and_removes_that_and_nothing_else(owner_client: Client, maps: Preference) -> None:
    html = owner_client.get(f"/interests/{maps.pk}/forget/").content.decode()
    for part in (
        "Finds: 1",
        "and your thumbs: 2",
        "Pages that nothing else cites: 1",
        "Routines: 1",
        "Maps daily",
        "About maps",
    ):
        assert part in html
    assert Preference.objects.filter(pk=maps.pk).exists()
    page = owner_client.post(f"/interests/{maps.pk}/forget/", follow=True)
    assert "“maps” is deleted, with all its finds." in page.content.decode()
    assert [str(row) for row in Preference.objects.all()] == ["espresso"]
    assert [row.title for row in Thought.objects.all()] == ["About espresso"]
    assert [row.title for row in Page.objects.all()] == ["shared"]
    assert list(Message.objects.order_by("seq").values_list("text", flat=True)) == ["What of this?", "It holds 1."]
    assert not any(model.objects.exists() for model in (Ask, Candidate, MessageClaim, Step))
    assert not Schedule.objects.filter(name="Maps daily").exists()
    assert Run.objects.count() == Claim.objects.count() == 1


def test_no_row_of_any_table_names_what_is_forgotten(maps: Preference) -> None:
    forget_preference(maps)
    remaining = [
        str(row)
        for model in apps.get_models()
        for row in model._base_manager.values()
        if "maps" in str(row).lower() and model not in (Message,) and "CharField" not in str(row)
    ]
    assert remaining == []


def test_every_table_that_refers_to_a_preference_is_part_of_what_is_shown(maps: Preference) -> None:
    listed_models = {group.rows.model for group in derived_rows(maps)}
    parts = {"Merge", "PreferenceMeaning"}
    refers = {
        model
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey) and field.related_model is Preference and model.__name__ not in parts
    }
    assert refers <= listed_models


def test_every_table_that_refers_to_a_thought_is_part_of_what_is_shown(maps: Preference) -> None:
    listed_models = {group.rows.model for group in derived_rows(maps)}
    refers = {relation.related_model for relation in Thought._meta.related_objects} - {Preference, Digest, Observation}
    assert refers <= listed_models


@pytest.fixture
def taste_with_maps(maps: Preference) -> Preference:
    """A learned taste with maps in it, and an archived thought with reasons that name them."""
    maps_thought = Thought.objects.get(preference=maps)
    parts = [
        ("preference", maps.pk, "maps", 1.2),
        ("liked", maps_thought.pk, maps_thought.title, 0.8),
        ("source", "a.example", "a.example", 0.3),
    ]
    reasons = [{"kind": kind, "key": str(key), "text": text, "points": points} for kind, key, text, points in parts]
    Thought.objects.filter(preference__text="espresso").update(
        notified_at=maps_thought.created_at, reasons=reasons, points=2.3
    )
    Taste.objects.update_or_create(pk=Taste.ONLY, defaults={"weights": reasons, "learned_at": maps_thought.created_at})
    return maps


def test_forgetting_shows_what_was_learned_of_taste_and_takes_it_out_of_every_sum(
    owner_client: Client, taste_with_maps: Preference
) -> None:
    html = owner_client.get(f"/interests/{taste_with_maps.pk}/forget/").content.decode()
    assert "What your thumbs taught Penny about it: 2" in html
    assert "maps (+1.20)" in html
    assert "Search entries: 1" in html
    owner_client.post(f"/interests/{taste_with_maps.pk}/forget/")
    [weight] = Taste.objects.get().weights
    espresso = Thought.objects.get(preference__text="espresso")
    assert (weight["key"], espresso.reasons, espresso.points) == ("a.example", [weight], 0.3)


def test_taste_is_learned_anew_as_if_what_is_forgotten_had_never_been(maps: Preference) -> None:
    store.rank()
    assert "maps" in str(Taste.objects.get().weights)
    forget_preference(maps)
    store.rank()
    after = Taste.objects.get().weights
    Taste.objects.all().delete()
    store.rank()
    assert after == Taste.objects.get().weights
    assert "maps" not in str(after)


def test_no_row_names_what_is_forgotten_after_taste_was_learned(taste_with_maps: Preference) -> None:
    test_no_row_of_any_table_names_what_is_forgotten(taste_with_maps)


def test_what_a_watch_saw_stays_and_so_does_a_find_of_a_watch_of_the_same_name(maps: Preference) -> None:
    watch = Watch.objects.create(url="https://a.example/own", domain="a.example", label="Maps")
    alert = Thought.objects.create(title="Cheaper", text="Cheaper.", seed_text="Maps", watch=watch)
    visit = Observation.objects.create(watch=watch, page=Page.objects.get(title="own"))
    forget_preference(maps)
    assert set(Thought.objects.filter(watch=watch)) == {alert}
    assert Observation.objects.get(pk=visit.pk).page.title == "own"


@pytest.fixture
def maps_watch(maps: Preference) -> Watch:
    """A watch of maps with visits, a page, an item, an alert and a run.

    Another watch has no preference.
    """
    watch = Watch.objects.create(url="https://a.example/seen", domain="a.example", label="Globe", preference=maps)
    alone = Watch.objects.create(url="https://a.example/lamp", domain="a.example", label="Lamp")
    seen_page, shared = store_page("seen"), Page.objects.get(title="shared")
    alert = Thought.objects.create(title="Cheaper", text="Cheaper.", seed_text="Globe", watch=watch)
    Observation.objects.create(watch=watch, page=seen_page, thought=alert)
    Observation.objects.create(watch=watch, page=shared)
    Observation.objects.create(watch=alone, page=shared)
    SeenItem.objects.create(
        watch=watch, key="k", text="A post", first_seen_at=seen_page.fetched_at, last_seen_at=seen_page.fetched_at
    )
    Run.objects.create(kind=Run.Kind.WATCH, state="done", watch=watch, thought=alert)
    Run.objects.create(kind=Run.Kind.WATCH, state="done", watch=alone)
    return watch


def test_a_watch_that_came_of_it_is_shown_and_goes_with_all_that_it_saw_and_no_other_does(
    owner_client: Client, maps_watch: Watch
) -> None:
    key = Preference.objects.get(text="maps").pk
    html = owner_client.get(f"/interests/{key}/forget/").content.decode()
    for part in (
        "Watches: 1",
        "Globe",
        "Prices and posts that watches read: 2",
        "Posts that watches know: 1",
        "Pages that nothing else cites: 2",
    ):
        assert part in html
    assert "Lamp" not in html
    owner_client.post(f"/interests/{key}/forget/")
    assert [row.label for row in Watch.objects.all()] == ["Lamp"]
    assert [row.watch.label for row in Observation.objects.all()] == ["Lamp"]
    assert [row.title for row in Page.objects.all()] == ["shared"]
    assert [row.title for row in Thought.objects.all()] == ["About espresso"]
    assert not SeenItem.objects.exists()
    assert [row.watch.label for row in Run.objects.filter(kind=Run.Kind.WATCH) if row.watch] == ["Lamp"]


def test_a_watch_stays_where_what_it_came_of_is_only_deleted_and_moves_where_it_is_merged(
    owner_client: Client, maps_watch: Watch
) -> None:
    maps, other = (Preference.objects.get(text=text) for text in ("maps", "espresso"))
    merge_row = merges.merge(other, maps)
    assert Watch.objects.get(pk=maps_watch.pk).preference == other
    parted = merges.undo_merge(merge_row)
    assert Watch.objects.get(pk=maps_watch.pk).preference == parted
    owner_client.post(f"/interests/{parted.pk}/delete/")
    assert Watch.objects.get(pk=maps_watch.pk).preference is None


def test_a_visit_that_is_under_way_is_stopped_with_its_watch(
    maps_watch: Watch, django_capture_on_commit_callbacks: Any
) -> None:
    run = Run.objects.create(kind=Run.Kind.WATCH, state="running", watch=maps_watch)
    with django_capture_on_commit_callbacks() as callbacks:
        forget_preference(Preference.objects.get(text="maps"))
    assert not Run.objects.filter(pk=run.pk).exists()
    assert callbacks


def test_a_run_that_thinks_about_it_is_stopped(
    maps: Preference, django_capture_on_commit_callbacks: Any, redis: str
) -> None:
    import redis as redis_py

    run = Run.objects.create(kind=Run.Kind.THINKING, state="running", preference=maps)
    with redis_py.Redis.from_url(redis, decode_responses=True) as client, client.pubsub() as channel:
        channel.subscribe("run.cancel")
        until(lambda: channel.get_message(timeout=1), "it listens")
        with django_capture_on_commit_callbacks(execute=True):
            forget_preference(maps)
        notification = until(lambda: channel.get_message(ignore_subscribe_messages=True, timeout=1), "it was cancelled")
    assert notification["data"] == str(run.pk)


def test_a_preference_of_nothing_is_forgotten_too_and_one_that_is_gone_is_not_found(owner_client: Client) -> None:
    row = Preference.objects.create(text="maps")
    assert "It has no results yet" in owner_client.get(f"/interests/{row.pk}/forget/").content.decode()
    owner_client.post(f"/interests/{row.pk}/forget/")
    assert owner_client.get(f"/interests/{row.pk}/forget/").status_code == 404
