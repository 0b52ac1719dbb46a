"""What the owner says again in other words is the preference that is known already."""

import pytest

from agents import embedding, meaning
from agents.embedding import NotEmbedded
from thoughts.models import Preference

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
def known() -> None:
    """A like for the first of each pair, and what there is besides."""
    for text, _ in [*SAME, *OTHER]:
        Preference.objects.create(text=text)
    meaning.catch_up(60)


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize(("first", "again"), SAME)
def test_what_is_said_again_in_other_words_is_found(first: str, again: str) -> None:
    same = meaning.same_preference(again, 1)
    assert same
    assert same.preference.text == first


@pytest.mark.usefixtures("known")
@pytest.mark.parametrize("text", [text for _, text in OTHER])
def test_what_only_shares_words_is_something_else(text: str) -> None:
    assert meaning.same_preference(text, 1) is None


@pytest.mark.usefixtures("known")
def test_a_dislike_of_the_same_is_no_like_of_it() -> None:
    assert meaning.same_preference("espresso", -1) is None


@pytest.mark.usefixtures("known")
def test_where_nothing_embeds_the_words_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise NotEmbedded("away")

    monkeypatch.setattr(embedding, "embed", refuse)
    found = {
        text: meaning.same_preference(text, 1) for text in ("mechanical keyboards, quiet", "hikes", "Lever, espresso", "flights to Porto")
    }
    assert {text: same and (same.preference.text, same.how) for text, same in found.items()} == {
        "mechanical keyboards, quiet": ("mechanical keyboards", "words"),
        "hikes": None,
        "Lever, espresso": ("lever espresso", "words"),
        "flights to Porto": None,
    }
