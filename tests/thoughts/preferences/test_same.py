"""Preferences and suggestions in other words are recognised as existing ones."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from agents.embeddings import embed, store
from agents.embeddings.embed import NotEmbedded
from thoughts.models import Candidate, Page, Preference, Visit
from thoughts.preferences import candidates

pytestmark = pytest.mark.django_db

SAME = [
    ("mechanical keyboards", "quiet mechanical keyboards"),
    ("hiking", "hikes"),
    ("hiking in the Alps", "Hiking In the ALPS"),
    ("jazz", "jazz music"),
    ("lever espresso", "espresso"),
]
OTHER = [
    ("python", "monty python"),
    ("flights to Lisbon", "flights to Porto"),
    ("electric cars", "electric guitars"),
    ("board games", "board meetings"),
    ("black coffee", "black tea"),
]


@pytest.fixture
def likes() -> None:
    """A like for the first text of each pair, with its vector."""
    for text, _ in [*SAME, *OTHER]:
        Preference.objects.create(text=text)
    store.catch_up(60)


@pytest.mark.usefixtures("likes")
@pytest.mark.parametrize(("first", "again"), SAME)
def test_what_is_said_again_in_other_words_is_found(first: str, again: str) -> None:
    same = store.same_preference(again, 1)
    assert same
    assert same.preference.text == first


@pytest.mark.usefixtures("likes")
@pytest.mark.parametrize("text", [text for _, text in OTHER])
def test_what_only_shares_words_is_something_else(text: str) -> None:
    assert store.same_preference(text, 1) is None


@pytest.mark.usefixtures("likes")
def test_a_dislike_of_the_same_is_no_like_of_it() -> None:
    assert store.same_preference("espresso", -1) is None


@pytest.mark.usefixtures("likes")
def test_where_nothing_embeds_the_words_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise NotEmbedded("away")

    monkeypatch.setattr(embed, "embed", refuse)
    matches = {
        text: store.same_preference(text, 1)
        for text in ("mechanical keyboards, quiet", "hikes", "Lever, espresso", "flights to Porto")
    }
    assert {text: same and (same.preference.text, same.likeness.how) for text, same in matches.items()} == {
        "mechanical keyboards, quiet": ("mechanical keyboards", "words"),
        "hikes": None,
        "Lever, espresso": ("lever espresso", "words"),
        "flights to Porto": None,
    }


# Suggested
# ---------------------------------------------------------------------------------------------------------------------

SUGGESTED = [
    "quiet mechanical keyboards",
    "hikes",
    "monty python",
    "flights to Porto",
    "walks in the mountains",
    "mountain walks",
]
NEWS = ["monty python", "flights to Porto", "walks in the mountains"]


def open_candidates() -> list[str]:
    return [row.text for row in Candidate.objects.open().order_by("pk")]


def from_page(texts: list[str]) -> None:
    page = Page.objects.create(url="https://a.example/", domain="a.example", title="", text="", sha256="0" * 64)
    candidates.suggest(texts, Preference.Source.PAGE, page, embedded=store.embed_suggestions(texts, page.origin))


def from_titles(texts: list[str]) -> None:
    visit = Visit.objects.create(domain="a.example", title="T", visited_at=timezone.now(), device_label="Desk")
    candidates.suggest_visited({text: [visit] for text in texts}, store.embed_suggestions(texts, visit.origin))


@pytest.mark.usefixtures("likes")
@pytest.mark.parametrize("suggest", [from_page, from_titles])
def test_what_is_suggested_is_compared_by_what_it_means(suggest: Callable[[list[str]], None]) -> None:
    suggest(SUGGESTED)
    assert open_candidates() == NEWS
    suggest(["a walk in the mountains", "Porto by plane", "Monty Python"])
    assert open_candidates() == [*NEWS, "Porto by plane"]


@pytest.mark.usefixtures("likes")
def test_what_was_dismissed_is_not_suggested_again_in_other_words() -> None:
    from_page(["walks in the mountains"])
    candidates.dismiss(Candidate.objects.get())
    from_page(["mountain walks"])
    assert Candidate.objects.count() == 1


def test_what_came_without_a_vector_says_so_and_is_compared_once_there_is_one(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_: object) -> None:
        raise NotEmbedded("away")

    Preference.objects.create(text="hiking")
    with monkeypatch.context() as away:
        away.setattr(embed, "embed", refuse)
        from_page(["hikes", "walks in the mountains", "mountain walks", "walks in mountains"])
    assert open_candidates() == ["hikes", "walks in the mountains", "mountain walks"]
    assert owner_client.get("/interests/suggestions/").content.decode().count("compared by its words alone") == 3
    store.catch_up(60)
    assert open_candidates() == ["walks in the mountains"]
    assert "compared by its words alone" not in owner_client.get("/interests/suggestions/").content.decode()


def test_an_idea_rests_while_a_preference_means_the_same() -> None:
    from_page(["walks in the mountains", "monty python"])
    preference = Preference.objects.create(text="mountain walks")
    store.catch_up(60)
    assert open_candidates() == ["monty python"]
    Preference.objects.filter(pk=preference.pk).update(text="board games")
    store.catch_up(60)
    assert open_candidates() == ["walks in the mountains", "monty python"]
    Preference.objects.filter(pk=preference.pk).update(text="mountain walks")
    store.catch_up(60)
    preference.delete()
    assert open_candidates() == ["walks in the mountains", "monty python"]


def resemblances() -> dict[str, str]:
    return dict(Preference.objects.exclude(resembles="").values_list("text", "resembles"))


def test_one_that_was_added_by_hand_and_means_the_same_is_shown_and_made_one_on_a_press(owner_client: Client) -> None:
    for text, valence in [
        ("hiking in the mountains", 1),
        ("monty python", 1),
        ("mountain hikes", 1),
        ("mountain hiking", -1),
    ]:
        Preference.objects.create(text=text, valence=valence)
    store.catch_up(60)
    assert resemblances() == {"hiking in the mountains": "mountain hikes"} or resemblances() == {
        "mountain hikes": "hiking in the mountains"
    }
    [(one, other)] = resemblances().items()
    assert f"It seems to mean the same as “{other}”." in owner_client.get("/interests/").content.decode()
    owner_client.post(f"/interests/{Preference.objects.get(text=one).pk}/merge/", {"into": other})
    assert "It seems to mean the same" not in owner_client.get("/interests/").content.decode()
    assert Preference.objects.get(text=other).mentions == 2


def test_two_that_the_owner_keeps_apart_are_not_asked_about_again(owner_client: Client) -> None:
    for text in ("hiking in the mountains", "mountain hikes"):
        Preference.objects.create(text=text)
    store.catch_up(60)
    owner_client.post(f"/interests/{Preference.objects.get(text=next(iter(resemblances()))).pk}/apart/")
    assert "It seems to mean the same" not in owner_client.get("/interests/").content.decode()
    Preference.objects.create(text="monty python")
    store.catch_up(60)
    assert resemblances() == {}
