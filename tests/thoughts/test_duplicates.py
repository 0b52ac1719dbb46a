"""Duplicates are discarded, folded on the feed, or withheld because the owner dislikes them."""

import random
import re

import pytest
from django.test import Client

from agents.embeddings import embed
from agents.embeddings import store as embeddings_store
from agents.embeddings.embed import NotEmbedded
from tests.bench.duplicates import Page, by_penny, by_words, pairs, score
from tests.stand_ins import articles
from tests.stand_ins.articles import Article
from tests.thoughts.cards import HTMX, titles
from thoughts.duplicates import is_disliked, twin_of
from thoughts.index.finds import catch_up
from thoughts.models import Preference, Thought, Watch

pytestmark = pytest.mark.django_db

SLOWER = (
    "The report says that lever machines sold less well this spring, since many buyers wait for the new "
    "models from Milan."
)


def store(title: str, text: str, **fields: object) -> Thought:
    return Thought.objects.create(title=title, text=text, html=f"<p>{text}</p>", origin=["a.example"], **fields)


def _pages() -> list[Page]:
    """Return the articles of the small web as pages, with and without menus."""
    menus = "Home About us Subscribe to our newsletter We use cookies Read more Related articles Terms Privacy " * 3
    long_articles = [
        article
        for article in vars(articles).values()
        if isinstance(article, Article) and len(article.text.split()) >= 60
    ]
    return [
        Page(article.title, f"{article.title} | Site", " ".join(article.paragraphs), f"{menus}{article.text}{menus}")
        for article in long_articles
    ]


def test_views_of_one_page_are_told_from_other_pages_about_the_same() -> None:
    labelled_pairs = pairs(_pages(), seed=1)
    assert sum(pair.is_duplicate for pair in labelled_pairs) >= 20
    assert score(labelled_pairs, by_words).f1 >= 0.975
    assert score(random.Random(1).sample(labelled_pairs, 6), by_penny).f1 == 1


@pytest.mark.long
def test_views_of_one_page_are_told_from_other_pages_by_meaning_too() -> None:
    assert score(pairs(_pages(), seed=2), by_penny).f1 >= 0.975


def test_what_told_that_a_find_was_there_before_is_said() -> None:
    words = (
        "Prices of lever machines fall by a fifth in March, says the maker, who hopes for buyers of capsule machines."
    )
    reworded = (
        "The maker says that in March lever machine prices fall by a fifth. Capsule machine buyers are who "
        "it hopes for."
    )
    store("Lever machine prices fall", words)
    assert twin_of("Something else altogether", words).how == "words"  # type: ignore[union-attr]
    assert twin_of("Lever machine prices fall", reworded.replace("a fifth", "twenty percent")) is None, (
        "by words they are two"
    )
    embeddings_store.catch_up(60)
    vectors = embeddings_store.embed_find("Lever machine prices fall", reworded, ["b.example"])
    twin = twin_of("Lever machine prices fall", reworded.replace("a fifth", "twenty percent"), vectors)
    assert twin
    assert twin.how == "meaning"


def test_another_story_about_the_same_is_no_repetition() -> None:
    store("Lever machine prices fall", "Prices of lever machines fall by a fifth in March, says the maker.")
    embeddings_store.catch_up(60)
    assert (
        twin_of(
            "Lever machines sell slowly",
            SLOWER,
            embeddings_store.embed_find("Lever machines sell slowly", SLOWER, ["b.example"]),
        )
        is None
    )


def test_a_dislike_keeps_away_what_means_it_in_other_words() -> None:
    Preference.objects.create(text="football", valence=-1)
    title, text = "Soccer", "Two clubs agreed on a striker."
    assert is_disliked(title, text) is None
    embeddings_store.catch_up(60)
    veto = is_disliked(title, text, embeddings_store.embed_find(title, text, ["a.example"]))
    assert veto
    assert (veto.preference.text, veto.how) == ("football", "meaning")
    assert (
        is_disliked("Tea", "Oolong is rolled.", embeddings_store.embed_find("Tea", "Oolong is rolled.", ["a.example"]))
        is None
    )


def test_where_nothing_embeds_finds_are_compared_by_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise NotEmbedded("away")

    monkeypatch.setattr(embed, "embed", refuse)
    assert embeddings_store.embed_find("A title", "A text", ["a.example"]) is None


# On the feed
# ------------------------------------------------------------------------------------------------------------------

ONE = "The maker of lever machines lowers its prices by a fifth in March, to win over people who own capsule machines."
TWO = (
    "To win over people who own capsule machines, the maker of lever machines will lower prices in March "
    "by about a fifth."
)
THREE = "Prices of lever machines go down a fifth in March: their maker wants the people who own capsule machines."
APART = "Oolong leaves are rolled by hand, and unfold slowly over seven short infusions."


@pytest.fixture
def folded() -> list[Thought]:
    """Three thoughts that say nearly the same, the newest last, and one other."""
    thoughts = [
        store("Cheaper levers", ONE),
        store("A fifth off lever machines", TWO),
        store("Lever machines: prices down", THREE),
    ]
    store("Tea", APART)
    embeddings_store.catch_up(60)
    return thoughts


def test_the_feed_shows_one_of_those_that_say_nearly_the_same_and_opens_the_others(
    owner_client: Client, folded: list[Thought]
) -> None:
    html = owner_client.get("/").content.decode()
    assert titles(html) == ["Tea", "Lever machines: prices down"]
    assert "2 similar" in html
    html_of_similar = owner_client.get(f"/thoughts/{folded[2].pk}/similar/", headers=HTMX).content.decode()
    assert titles(html_of_similar) == ["A fifth off lever machines", "Cheaper levers"]
    assert f'id="similar-{folded[2].pk}" hx-swap-oob="delete"' in html_of_similar
    assert titles(owner_client.get(f"/thoughts/{folded[2].pk}/similar/").content.decode()) == titles(html_of_similar)


def test_what_is_folded_is_found_by_a_search_and_in_the_archive(owner_client: Client, folded: list[Thought]) -> None:
    catch_up()
    assert len(titles(owner_client.get("/?q=capsule").content.decode())) == 3
    for thought in folded:
        owner_client.post(f"/thoughts/{thought.pk}/read/")
    assert len(titles(owner_client.get("/archive/").content.decode())) == 3


def test_when_the_one_that_is_shown_was_read_the_next_takes_its_place(
    owner_client: Client, folded: list[Thought]
) -> None:
    owner_client.post(f"/thoughts/{folded[2].pk}/read/")
    html = owner_client.get("/").content.decode()
    assert "A fifth off lever machines" in titles(html)
    assert "Cheaper levers" not in titles(html)
    assert "1 similar" in html
    owner_client.post(f"/thoughts/{folded[1].pk}/hide/")
    html = owner_client.get("/").content.decode()
    assert "Cheaper levers" in titles(html)
    assert "similar" not in html


def test_what_watches_tell_is_never_folded(owner_client: Client) -> None:
    watch = Watch.objects.create(url="https://shop.example/", kind=Watch.Kind.PRICE)
    for price in (899, 849):
        store(
            "The lever machine is below 900 euros", f"The price of the lever machine is {price} euros now.", watch=watch
        )
    embeddings_store.catch_up(60)
    assert len(titles(owner_client.get("/").content.decode())) == 2


def test_what_is_folded_does_not_arrive_as_something_new(owner_client: Client, folded: list[Thought]) -> None:
    newest = re.search(r"after=([^\"&]+)", owner_client.get("/").content.decode())
    assert newest
    late = store("Again about levers", ONE.replace("lowers", "cuts"))
    embeddings_store.catch_up(60)
    Thought.objects.filter(pk=late.pk).update(stands_at=folded[0].stands_at)
    assert "new thought" not in owner_client.get(f"/thoughts/count/?after={newest[1]}").content.decode()
