"""Preferences are edited, made one, parted, suggested by pages and confirmed, and forgotten with all that came of
them.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db.models import ForeignKey
from django.test import Client

from agents.embeddings import store
from agents.learning.forget_preference import derived_rows, forget_preference
from agents.models import Digest, Run, Schedule, Step
from agents.zones.inputs import Private, Untrusted
from agents.zones.reader import reader_request
from agents.zones.reader_answers import is_true_to, parse_reading
from agents.zones.sandbox_messages import ReadingRequest
from devices.conversation.reactions import react
from devices.models import Ask, Message, MessageClaim
from devices.owner.account import the_owner
from tests.waiting import until
from thoughts.feed.word_index import catch_up
from thoughts.models import Candidate, Claim, Page, Preference, Taste, Thought
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.preferences import candidates, merges
from thoughts.preferences.merges import merge, undo_merge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def page(name: str) -> Page:
    return Page.objects.create(
        url=f"https://a.example/{name}", domain="a.example", title=name, text="It holds.", sha256="0" * 64
    )


def thought(preference: Preference, *pages: Page) -> Thought:
    made = Thought.objects.create(
        title=f"About {preference.text}", text="It holds.", preference=preference, seed_text=preference.text
    )
    made.pages.set(pages)
    for each in pages:
        Claim.objects.create(thought=made, page=each, text="It holds.", quote="It holds.", start=0, end=9)
    Run.objects.create(kind=Run.Kind.THINKING, state="done", preference=preference, thought=made)
    return made


# Edited and made one
# ---------------------------------------------------------------------------------------------------------


def test_the_words_of_a_preference_are_changed_and_what_it_has_stays(owner_client: Client) -> None:
    row = Preference.objects.create(text="maps", mentions=3)
    html = owner_client.post(f"/preferences/{row.pk}/edit/", {"text": " old  maps "}, follow=True).content.decode()
    assert "It says “old maps” now." in html
    row.refresh_from_db()
    assert (row.text, row.mentions) == ("old maps", 3)


@pytest.mark.parametrize(
    ("text", "said"), [("MAPS", "Penny knows “MAPS” already"), ("", "Write what you like"), ("x" * 301, "under 300")]
)
def test_words_that_cannot_be_taken_are_refused_beside_the_row(owner_client: Client, text: str, said: str) -> None:
    Preference.objects.create(text="maps")
    row = Preference.objects.create(text="atlases")
    html = owner_client.post(f"/preferences/{row.pk}/edit/", {"text": text}).content.decode()
    assert said in html.partition(f'id="text-{row.pk}-error"')[2][:200]
    row.refresh_from_db()
    assert row.text == "atlases"


def test_two_are_made_one_with_all_that_refers_to_them_and_parted_again(owner_client: Client) -> None:
    kept = Preference.objects.create(text="maps", mentions=2)
    other = Preference.objects.create(text="old maps", mentions=3, strength=2, muted=True)
    mine, its = thought(kept), thought(other)
    Preference.objects.filter(pk=other.pk).update(last_thought=its)
    html = owner_client.post(f"/preferences/{other.pk}/merge/", {"into": "  Maps "}, follow=True).content.decode()
    assert "“old maps” is now part of “maps”." in html
    kept.refresh_from_db()
    assert (kept.mentions, kept.strength, set(kept.thoughts.all()), Preference.objects.count()) == (
        5,
        2,
        {mine, its},
        1,
    )
    assert set(Run.objects.values_list("preference", flat=True)) == {kept.pk}
    parted = owner_client.post(
        html.partition('action="/merges/')[2].partition('"')[0].join(["/merges/", ""]), follow=True
    )
    assert "“old maps” stands by itself again." in parted.content.decode()
    again = Preference.objects.get(text="old maps")
    kept.refresh_from_db()
    assert (again.pk, again.mentions, again.strength, again.muted, again.last_thought) == (other.pk, 3, 2, True, its)
    assert (kept.mentions, kept.strength, list(kept.thoughts.all()), list(again.thoughts.all())) == (
        2,
        1,
        [mine],
        [its],
    )
    assert Run.objects.get(thought=its).preference == again


def test_what_is_liked_and_what_is_not_are_never_made_one(owner_client: Client) -> None:
    like, dislike = Preference.objects.create(text="maps"), Preference.objects.create(text="gossip", valence=-1)
    for into in (dislike.text, like.text):
        html = owner_client.post(f"/preferences/{like.pk}/merge/", {"into": into}, follow=True).content.decode()
        assert "Only two likes, or two dislikes" in html
    html = owner_client.post(f"/preferences/{like.pk}/merge/", {"into": "charts\0"}, follow=True).content.decode()
    assert "You have no preference “charts”." in html
    assert Preference.objects.count() == 2


def test_the_page_grows_with_what_is_on_it_and_no_faster(owner_client: Client) -> None:
    def size() -> int:
        return len(owner_client.get("/preferences/").content)

    empty = size()
    Preference.objects.bulk_create(Preference(text=f"maps of region {number}") for number in range(20))
    some = size() - empty
    Preference.objects.bulk_create(Preference(text=f"maps of country {number}") for number in range(180))
    assert size() - empty < 11 * some


def test_what_was_added_again_meanwhile_is_not_parted() -> None:
    done = merge(Preference.objects.create(text="maps"), Preference.objects.create(text="old maps"))
    Preference.objects.create(text="Old maps")
    with pytest.raises(Exception, match="added again meanwhile"):
        undo_merge(done)


# Suggested by pages
# ----------------------------------------------------------------------------------------------------------


def test_what_a_page_suggests_is_shown_and_starts_nothing_until_the_owner_confirms_it(owner_client: Client) -> None:
    seed = Preference.objects.create(text="espresso", muted=True)
    candidates.suggest(
        ["latte <b>art</b>", "espresso machines", "latte <b>art</b>"], Preference.Source.PAGE, page("x"), seed
    )
    idea = Candidate.objects.get()
    html = owner_client.get("/preferences/").content.decode()
    assert "latte &lt;b&gt;art&lt;/b&gt;" in html
    assert "from a.example" in html
    assert list(Preference.objects.seeds()) == []
    owner_client.post(f"/candidates/{idea.pk}/confirm/")
    made = Preference.objects.get(text="latte <b>art</b>")
    assert (made.valence, made.source, made.origin, list(Preference.objects.seeds())) == (1, "page", ["owner"], [made])
    assert "Ideas from pages" not in owner_client.get("/preferences/").content.decode()


def test_what_was_dismissed_is_never_suggested_again_unless_that_is_undone(owner_client: Client) -> None:
    candidates.suggest(["latte art"], Preference.Source.PAGE, page("x"))
    idea = Candidate.objects.get()
    html = owner_client.post(f"/candidates/{idea.pk}/dismiss/", follow=True).content.decode()
    assert f'action="/candidates/{idea.pk}/offer/"' in html
    candidates.suggest(["Latte Art"], Preference.Source.PAGE, page("y"))
    assert list(Candidate.objects.open()) == []
    owner_client.post(f"/candidates/{idea.pk}/offer/")
    assert list(Candidate.objects.open()) == [idea]
    owner_client.post(f"/candidates/{idea.pk}/confirm/", {"valence": "-1"})
    assert Preference.objects.get().valence == -1


def test_candidates_are_asked_for_in_the_reader_alone_and_taken_only_where_they_were_asked_for() -> None:
    asked, plain = (
        reader_request(Untrusted("x", frozenset({"a.example"})), Private("y"), candidates=on) for on in (True, False)
    )
    assert ["candidates" in (each.schema or {})["properties"] for each in (asked, plain)] == [True, False]
    answer = '{"found": true, "headline": "", "summary": "", "claims": [], "candidates": ["latte art"]}'
    reading = parse_reading(answer, "x", candidates=True)
    assert reading.candidates == ["latte art"]
    assert is_true_to(reading, "x", candidates=True)
    assert not is_true_to(reading, "x")
    assert not ReadingRequest(title="", text="x", domain="a.example", question="y").candidates
    for bad in (answer.replace("latte art", "see https://evil.example/x"), answer.replace("latte art", "x" * 81)):
        with pytest.raises(ValueError, match="candidates"):
            parse_reading(bad, "x", candidates=True)
    with pytest.raises(ValueError, match="candidates"):
        parse_reading(answer, "x")


# Forgotten
# -------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def maps() -> Preference:
    """A preference with one of everything that can come of it, beside another that has the like."""
    maps, other = Preference.objects.create(text="maps"), Preference.objects.create(text="espresso")
    shared, own = page("shared"), page("own")
    found, _ = thought(maps, shared, own), thought(other, shared)
    run = Run.objects.get(thought=found)
    Step.objects.create(run=run, kind="model", zone="writer", name="m", request={"turns": ["maps"]})
    Ask.objects.create(
        run_id=run.pk, text="To find something about “maps”.", prompt_until=run.created_at, expires_at=run.created_at
    )
    Schedule.objects.create(name="Maps daily", preference=maps)
    candidates.suggest(["globes"], Preference.Source.PAGE, own, maps)
    react(the_owner(), _device(), found, 1)
    _discuss(found, own)
    catch_up()
    return maps


def _device() -> Any:
    return apps.get_model("devices.Device").objects.create(label="Desk", kind="browser")


def _discuss(found: Thought, cited: Page) -> None:
    fields: dict[str, Any] = {"owner": the_owner(), "device_label": "Desk", "html": ""}
    asked = Message.objects.create(
        seq=90, direction="in", text="What of this?", thought=found, turn_id=uuid4(), **fields
    )
    answer = Message.objects.create(
        seq=91, direction="out", text="It holds 1.", parent=asked, turn_id=asked.turn_id, **fields
    )
    MessageClaim.objects.create(
        message=answer, number=1, page=cited, text="It holds.", quote="It holds.", start=0, end=9
    )


def test_forgetting_shows_what_goes_and_removes_that_and_nothing_else(owner_client: Client, maps: Preference) -> None:
    html = owner_client.get(f"/preferences/{maps.pk}/forget/").content.decode()
    for shown in (
        "Thoughts: 1",
        "and your thumbs: 2",
        "Pages that nothing else cites: 1",
        "Schedules: 1",
        "Maps daily",
        "About maps",
    ):
        assert shown in html
    assert Preference.objects.filter(pk=maps.pk).exists()
    page = owner_client.post(f"/preferences/{maps.pk}/forget/", follow=True)
    assert "“maps” is forgotten, with all that came of it." in page.content.decode()
    assert [str(row) for row in Preference.objects.all()] == ["espresso"]
    assert [row.title for row in Thought.objects.all()] == ["About espresso"]
    assert [row.title for row in Page.objects.all()] == ["shared"]
    assert list(Message.objects.order_by("seq").values_list("text", flat=True)) == ["What of this?", "It holds 1."]
    assert not any(model.objects.exists() for model in (Ask, Candidate, MessageClaim, Step))
    assert not Schedule.objects.filter(name="Maps daily").exists()
    assert Run.objects.count() == Claim.objects.count() == 1


def test_no_row_of_any_table_names_what_is_forgotten(maps: Preference) -> None:
    forget_preference(maps)
    left = [
        str(row)
        for model in apps.get_models()
        for row in model._base_manager.values()
        if "maps" in str(row).lower() and model not in (Message,) and "CharField" not in str(row)
    ]
    assert left == []


def test_every_table_that_refers_to_a_preference_is_part_of_what_is_shown(maps: Preference) -> None:
    shown = {each.rows.model for each in derived_rows(maps)}
    parts = {"Merge", "PreferenceMeaning"}
    refers = {
        model
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if isinstance(field, ForeignKey) and field.related_model is Preference and model.__name__ not in parts
    }
    assert refers <= shown


def test_every_table_that_refers_to_a_thought_is_part_of_what_is_shown(maps: Preference) -> None:
    shown = {each.rows.model for each in derived_rows(maps)}
    refers = {relation.related_model for relation in Thought._meta.related_objects} - {Preference, Digest, Observation}
    assert refers <= shown


@pytest.fixture
def learned(maps: Preference) -> Preference:
    """The taste as it was learned with maps in it, and a thought in the archive whose reasons name them."""
    found = Thought.objects.get(preference=maps)
    parts = [
        ("preference", maps.pk, "maps", 1.2),
        ("liked", found.pk, found.title, 0.8),
        ("source", "a.example", "a.example", 0.3),
    ]
    said = [{"kind": kind, "key": str(key), "text": text, "points": points} for kind, key, text, points in parts]
    Thought.objects.filter(preference__text="espresso").update(notified_at=found.created_at, reasons=said, points=2.3)
    Taste.objects.update_or_create(pk=Taste.ONLY, defaults={"weights": said, "learned_at": found.created_at})
    return maps


def test_forgetting_shows_what_was_learned_of_taste_and_takes_it_out_of_every_sum(
    owner_client: Client, learned: Preference
) -> None:
    html = owner_client.get(f"/preferences/{learned.pk}/forget/").content.decode()
    assert "What was learned of your taste from it: 2" in html
    assert "maps (+1.20)" in html
    assert "Memories of their words, for the search: 1" in html
    owner_client.post(f"/preferences/{learned.pk}/forget/")
    [weight] = Taste.objects.get().weights
    kept = Thought.objects.get(preference__text="espresso")
    assert (weight["key"], kept.reasons, kept.points) == ("a.example", [weight], 0.3)


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


def test_no_row_names_what_is_forgotten_after_taste_was_learned(learned: Preference) -> None:
    test_no_row_of_any_table_names_what_is_forgotten(learned)


def test_what_a_watch_saw_stays_and_so_does_a_find_of_a_watch_of_the_same_name(maps: Preference) -> None:
    watch = Watch.objects.create(url="https://a.example/own", domain="a.example", label="Maps")
    alert = Thought.objects.create(title="Cheaper", text="Cheaper.", seed_text="Maps", watch=watch)
    seen = Observation.objects.create(watch=watch, page=Page.objects.get(title="own"))
    forget_preference(maps)
    assert set(Thought.objects.filter(watch=watch)) == {alert}
    assert Observation.objects.get(pk=seen.pk).page.title == "own"


@pytest.fixture
def watched(maps: Preference) -> Watch:
    """A watch that came of maps, with a visit, its page, a post that it knows, an alert and the run; beside one that
    came of nothing.
    """
    watch = Watch.objects.create(url="https://a.example/seen", domain="a.example", label="Globe", preference=maps)
    alone = Watch.objects.create(url="https://a.example/lamp", domain="a.example", label="Lamp")
    seen, shared = page("seen"), Page.objects.get(title="shared")
    alert = Thought.objects.create(title="Cheaper", text="Cheaper.", seed_text="Globe", watch=watch)
    Observation.objects.create(watch=watch, page=seen, thought=alert)
    Observation.objects.create(watch=watch, page=shared)
    Observation.objects.create(watch=alone, page=shared)
    SeenItem.objects.create(
        watch=watch, key="k", text="A post", first_seen_at=seen.fetched_at, last_seen_at=seen.fetched_at
    )
    Run.objects.create(kind=Run.Kind.WATCH, state="done", watch=watch, thought=alert)
    Run.objects.create(kind=Run.Kind.WATCH, state="done", watch=alone)
    return watch


def test_a_watch_that_came_of_it_is_shown_and_goes_with_all_that_it_saw_and_no_other_does(
    owner_client: Client, watched: Watch
) -> None:
    key = Preference.objects.get(text="maps").pk
    html = owner_client.get(f"/preferences/{key}/forget/").content.decode()
    for shown in (
        "Watches: 1",
        "Globe",
        "What watches saw: 2",
        "Posts that watches know: 1",
        "Pages that nothing else cites: 2",
    ):
        assert shown in html
    assert "Lamp" not in html
    owner_client.post(f"/preferences/{key}/forget/")
    assert [row.label for row in Watch.objects.all()] == ["Lamp"]
    assert [row.watch.label for row in Observation.objects.all()] == ["Lamp"]
    assert [row.title for row in Page.objects.all()] == ["shared"]
    assert [row.title for row in Thought.objects.all()] == ["About espresso"]
    assert not SeenItem.objects.exists()
    assert [row.watch.label for row in Run.objects.filter(kind=Run.Kind.WATCH) if row.watch] == ["Lamp"]


def test_a_watch_stays_where_what_it_came_of_is_only_deleted_and_moves_where_it_is_merged(
    owner_client: Client, watched: Watch
) -> None:
    maps, other = (Preference.objects.get(text=text) for text in ("maps", "espresso"))
    done = merges.merge(other, maps)
    assert Watch.objects.get(pk=watched.pk).preference == other
    parted = merges.undo_merge(done)
    assert Watch.objects.get(pk=watched.pk).preference == parted
    owner_client.post(f"/preferences/{parted.pk}/delete/")
    assert Watch.objects.get(pk=watched.pk).preference is None


def test_a_visit_that_is_under_way_is_stopped_with_its_watch(
    watched: Watch, django_capture_on_commit_callbacks: Any
) -> None:
    run = Run.objects.create(kind=Run.Kind.WATCH, state="running", watch=watched)
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
        heard = until(lambda: channel.get_message(ignore_subscribe_messages=True, timeout=1), "it was cancelled")
    assert heard["data"] == str(run.pk)


def test_a_preference_of_nothing_is_forgotten_too_and_one_that_is_gone_is_not_found(owner_client: Client) -> None:
    row = Preference.objects.create(text="maps")
    assert "Nothing came of it yet" in owner_client.get(f"/preferences/{row.pk}/forget/").content.decode()
    owner_client.post(f"/preferences/{row.pk}/forget/")
    assert owner_client.get(f"/preferences/{row.pk}/forget/").status_code == 404
