"""Ranking of new thoughts: learned, explained, and stable while the owner reads."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from agents.embeddings import embed
from agents.embeddings import store as embeddings_store
from tests.bench import taste as bench
from tests.thoughts.cards import titles
from thoughts.feed.cards import write_cursor
from thoughts.index.meanings import store_thought_vectors
from thoughts.models import Preference, Taste, Thought, Watch
from thoughts.taste import ranking

pytestmark = pytest.mark.django_db

# Where little is offered and half of it judged, too little is said in five pages for anybody to come further.
SHARE_AT_LEAST = dict.fromkeys((setting.name for setting in bench.SETTINGS), 0.45) | {
    "40 new finds, half of the cards judged": 0.41
}
ESPRESSO = "Lever espresso machines and how their springs wear"
TEA = "Oolong tea is rolled by hand and brewed seven times"


def store(title: str, *, hours_ago: float = 0, site: str = "a.example", **fields: object) -> Thought:
    at = timezone.now() - timedelta(hours=hours_ago)
    return Thought.objects.create(title=title, text="", html="", origin=[site], created_at=at, **fields)


def think_it_over() -> None:
    """Embed and rank, as the tick does."""
    embeddings_store.catch_up(60)
    embeddings_store.rank()


def new_ones(client: Client, address: str = "/") -> list[str]:
    return titles(client.get(address).content.decode())


def parts(thought: Thought) -> dict[str, float]:
    thought.refresh_from_db()
    return {part["kind"]: part["points"] for part in thought.reasons}


# A simulated owner
# ------------------------------------------------------------------------------------------------------------


def test_an_owner_who_judges_five_pages_sees_far_more_of_what_pleases(owner_client: Client) -> None:
    """Some of thirty topics please the owner. An oracle would fill every page with them."""
    there = bench.world(1, topics=30, finds=7)
    thoughts = {
        place: store(f"Find {place}", site=f"{place}.example")
        for place in np.random.default_rng(1).permutation(210).tolist()
    }
    store_thought_vectors(embed.model_name(), list(thoughts.values()), there.vectors[list(thoughts)])
    shares = []
    for _ in range(bench.PAGES):
        embeddings_store.rank()
        page = [int(title.split()[1]) for title in new_ones(owner_client)]
        shares.append(np.mean(there.likes[page]))
        for place in page:
            owner_client.post(f"/thoughts/{thoughts[place].pk}/{'save' if there.likes[place] else 'hide'}/")
        Thought.objects.filter(pk__in=[thoughts[place].pk for place in page]).update(notified_at=timezone.now())
    assert there.likes.mean() < 0.36
    assert np.mean(shares) >= 0.45


def test_a_page_is_not_filled_with_one_thing(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    Preference.objects.create(text="oolong tea")
    for title in (ESPRESSO, "Springs of lever espresso machines wear", "Wear of springs in lever espresso", TEA):
        store(title)
    Thought.objects.update(alike=None)
    think_it_over()
    Thought.objects.update(alike=None)
    assert TEA in new_ones(owner_client)[:2]
    assert parts(Thought.objects.order_by("stands_at")[0])["crowd"] < -0.1


@pytest.mark.long
@pytest.mark.parametrize("setting", bench.SETTINGS, ids=lambda setting: setting.name)
def test_over_many_owners_learning_beats_rocchio_and_comes_to_what_can_be_known(setting: bench.Setting) -> None:
    """Uses every setting of the benchmark, with other owners than those that tuned the numbers."""
    scores = {
        name: np.mean([bench.share_of_oracle(make, setting, seed) for seed in range(100, 120)])
        for name, make in bench.RANKERS
    }
    assert scores["Penny"] > scores["Rocchio"] > scores["not learning"]
    assert scores["Penny"] >= scores["informed"] - 0.01
    assert scores["Penny"] >= SHARE_AT_LEAST[setting.name]


# What counts
# ------------------------------------------------------------------------------------------------------------------


def test_what_matches_a_preference_stands_first_and_what_matches_a_dislike_last(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    Preference.objects.create(text="tea", valence=-1)
    for title in (ESPRESSO, TEA, "Notes on knitting a winter sweater"):
        store(title)
    think_it_over()
    assert new_ones(owner_client) == [ESPRESSO, "Notes on knitting a winter sweater", TEA]


def test_what_a_watch_reports_stands_above_what_matches_an_interest_in_part(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    watch = Watch.objects.create(url="https://shop.example/pump", domain="shop.example")
    report = store("Pump: now 849 €", hours_ago=2, watch=watch)
    store(ESPRESSO)
    think_it_over()
    assert new_ones(owner_client) == ["Pump: now 849 €", ESPRESSO]
    assert parts(report)["watch"] == 1.8


def test_what_a_find_would_be_worth_is_known_before_it_is_read_once_something_was_learned(owner_client: Client) -> None:
    texts_by_site = [
        ("a.example", "Springs of lever espresso machines"),
        ("b.example", "How oolong tea is brewed"),
        ("c.example", "Knitting"),
    ]
    embedded = embeddings_store.embed_suggestions(
        [words for _, words in texts_by_site], [site for site, _ in texts_by_site]
    )
    assert embedded
    finds = [(site, embedded.vectors[words]) for site, words in texts_by_site]
    liked, disliked = store(ESPRESSO), store(TEA, site="b.example")
    think_it_over()
    assert ranking.worths(embedded.model, finds) == []
    for thought, valence in ((liked, "1"), (disliked, "-1")):
        owner_client.post(f"/thoughts/{thought.pk}/react/", {"valence": valence})
    like_it, like_the_other, new = (worth.points for worth in ranking.worths(embedded.model, finds))
    assert like_it > new + 0.2 > like_the_other + 0.4


def test_what_is_like_what_was_disliked_more_than_once_is_not_worth_telling_and_the_rest_is(
    owner_client: Client,
) -> None:
    texts = ["Oolong tea is brewed by hand", "Springs of lever espresso machines", "Knitting a winter sweater"]
    embedded = embeddings_store.embed_suggestions(texts, ["a.example"])
    assert embedded
    finds = [("a.example", embedded.vectors[words]) for words in texts]
    disliked = [store(title) for title in (TEA, "How oolong tea is brewed", "Hand rolled green tea")]
    liked = store(ESPRESSO)
    think_it_over()

    def like() -> list[str]:
        return [worth.like for worth in ranking.worths(embedded.model, finds)]

    owner_client.post(f"/thoughts/{liked.pk}/react/", {"valence": "1"})
    owner_client.post(f"/thoughts/{disliked[2].pk}/react/", {"valence": "-1"})
    assert like() == ["", "", ""]
    for thought in disliked[:2]:
        owner_client.post(f"/thoughts/{thought.pk}/react/", {"valence": "-1"})
    assert like() == ["How oolong tea is brewed", "", ""]
    for thought in disliked[:2]:
        owner_client.post(f"/thoughts/{thought.pk}/unreact/")
    assert like() == ["", "", ""]


def test_a_reaction_moves_what_is_like_it_and_an_undo_moves_it_back(owner_client: Client) -> None:
    liked, like_it, other = store(ESPRESSO), store("Springs of lever espresso machines"), store(TEA)
    think_it_over()
    before = parts(like_it)
    owner_client.post(f"/thoughts/{liked.pk}/react/", {"valence": "1"})
    think_it_over()
    assert parts(like_it)["liked"] > 0.3
    assert parts(other).get("liked", 0) < 0.1
    owner_client.post(f"/thoughts/{liked.pk}/unreact/")
    think_it_over()
    assert parts(like_it) == before


def test_a_reaction_that_is_stored_only_after_what_was_learned_meanwhile_is_learned_the_next_time() -> None:
    liked, like_it = store(ESPRESSO), store("Springs of lever espresso machines")
    began = timezone.now()
    think_it_over()
    Thought.objects.filter(pk=liked.pk).update(reaction=1, taught_at=began)
    Taste.change(began)
    think_it_over()
    assert parts(like_it)["liked"] > 0.3


def test_a_like_of_what_matches_a_preference_well_counts_for_what_is_like_it(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    liked, like_it = store(ESPRESSO), store("Springs of lever espresso machines")
    think_it_over()
    owner_client.post(f"/thoughts/{liked.pk}/react/", {"valence": "1"})
    think_it_over()
    assert parts(like_it)["liked"] > 0
    assert "disliked" not in parts(like_it)


@pytest.mark.parametrize(("act", "sign"), [("save", 1), ("hide", -1), ("", 1)])
def test_opening_saving_and_hiding_teach_as_well(owner_client: Client, act: str, sign: int) -> None:
    acted_on, like_it = store(ESPRESSO), store("Springs of lever espresso machines")
    think_it_over()
    address = f"/thoughts/{acted_on.pk}/{act + '/' if act else ''}"
    (owner_client.post if act else owner_client.get)(address)
    think_it_over()
    assert parts(like_it).get("liked" if sign > 0 else "disliked", 0) * sign > 0.05


def test_sites_are_trusted_by_what_the_owner_made_of_them(owner_client: Client) -> None:
    for title in ("Winter sweaters", "Chess openings", "Bread ovens"):
        owner_client.post(f"/thoughts/{store(title, site='good.example').pk}/react/", {"valence": "1"})
    for title in ("Film cameras", "Tent pegs", "Wild rivers"):
        owner_client.post(f"/thoughts/{store(title, site='bad.example').pk}/react/", {"valence": "-1"})
    good, bad = store("Trams in Lisbon", site="good.example"), store("Bridges of Porto", site="bad.example")
    think_it_over()
    assert parts(good)["source"] > 0
    assert parts(bad)["source"] < 0


def test_a_newer_one_stands_above_an_older_one_until_points_outweigh_the_days(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    store(ESPRESSO, hours_ago=24)
    store("Knitting", hours_ago=1)
    store("A history of espresso with levers", hours_ago=30 * 24)
    think_it_over()
    assert new_ones(owner_client) == [ESPRESSO, "Knitting", "A history of espresso with levers"]
    store("Chess", hours_ago=2)
    assert new_ones(owner_client, "/?order=newest") == [
        "Knitting",
        "Chess",
        ESPRESSO,
        "A history of espresso with levers",
    ]


# What is said of it
# -----------------------------------------------------------------------------------------------------------


def test_the_reasons_on_the_card_are_the_sum_itself(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    owner_client.post(f"/thoughts/{store('Springs in lever espresso machines').pk}/react/", {"valence": "1"})
    thought = store(ESPRESSO, hours_ago=36)
    think_it_over()
    thought.refresh_from_db()
    assert thought.points is not None
    assert thought.points == pytest.approx(sum(part["points"] for part in thought.reasons), abs=1e-9)
    assert thought.stands_at == thought.created_at + timedelta(days=3 * thought.points)
    why = re.search(r'<details class="why">.*?</details>', owner_client.get("/").content.decode(), re.DOTALL)
    assert why
    reasons = " ".join(re.sub(r"<[^>]+>", " ", why[0]).split())
    assert "matches “ lever espresso ”" in reasons
    assert "is like “ Springs in lever espresso machines ”" in reasons
    assert "−0.5 grows older" in reasons
    assert "Without “lever espresso” it would stand as if it had been found" in reasons
    listed = [Decimal(points.replace("−", "-")) for points in re.findall(r"<li><b>([+−][\d.]+)</b>", why[0])]
    total = re.search(r"Together <b>([+−][\d.]+)", why[0])
    assert total
    assert abs(sum(listed) - Decimal(total[1].replace("−", "-"))) <= Decimal("0.1") * len(listed) / 2


def test_what_penny_knows_nothing_of_is_marked_as_exploring(owner_client: Client) -> None:
    for _ in range(3):
        owner_client.post(f"/thoughts/{store(ESPRESSO).pk}/react/", {"valence": "1"})
    store(TEA)
    store("Found on purpose", explores=True)
    think_it_over()
    html = owner_client.get("/").content.decode()
    marked = {
        title
        for title, card in zip(titles(html), html.split('<article class="card"')[1:], strict=True)
        if "exploring" in card
    }
    assert marked == {TEA, "Found on purpose"}


def test_the_weights_are_shown_exported_and_begun_anew_with_an_undo(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    owner_client.post(f"/thoughts/{store(TEA).pk}/react/", {"valence": "-1"})
    think_it_over()
    html = owner_client.get("/interests/learned/").content.decode()
    assert "lever espresso" in html
    assert TEA in html
    exported = json.loads(owner_client.get("/interests/learned/export/").content)
    of_interests = [weight["text"] for weight in exported["weights"] if weight["kind"] == "preference"]
    assert of_interests[0] == "lever espresso"
    assert exported["learned_from"] == 1
    owner_client.post("/interests/learned/reset/")
    think_it_over()
    html = owner_client.get("/interests/learned/").content.decode()
    assert TEA not in html
    assert "lever espresso" in html, "what the owner said stays"
    owner_client.post("/interests/learned/restore/")
    think_it_over()
    assert TEA in owner_client.get("/interests/learned/").content.decode()


def test_an_empty_taste_says_what_to_do(owner_client: Client) -> None:
    assert "Nothing yet" in owner_client.get("/interests/learned/").content.decode()


def test_the_admin_shows_the_sum_of_a_thought_and_every_weight(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    thought = store(ESPRESSO)
    think_it_over()
    assert (
        "matches “lever espresso”" in owner_client.get(f"/admin/thoughts/thought/{thought.pk}/change/").content.decode()
    )
    assert (
        "matches “lever espresso”" in owner_client.get(f"/admin/thoughts/taste/{Taste.ONLY}/change/").content.decode()
    )


# What holds while it is read
# ----------------------------------------------------------------------------------------------------


def test_pages_of_the_ranked_feed_hold_each_thought_once(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    stored_titles = {store(f"{ESPRESSO if n % 3 else TEA} {n}", hours_ago=n).title for n in range(30)}
    Thought.objects.update(alike=None)
    think_it_over()
    Thought.objects.update(alike=None)
    all_titles, address = [], "/"
    while address:
        html = owner_client.get(address).content.decode()
        all_titles += titles(html)
        older = re.search(r'rel="next" href="(/\?[^"]+)"', html)
        address = older[1] if older else ""
    assert sorted(all_titles) == sorted(stored_titles)
    assert [thought.title for thought in Thought.objects.order_by("-stands_at", "-id")] == all_titles


def test_what_arrives_is_offered_wherever_it_will_stand(owner_client: Client) -> None:
    Preference.objects.create(text="lever espresso")
    store(ESPRESSO)
    think_it_over()
    newest = re.search(r"count/\?after=([^\"&]+)", owner_client.get("/").content.decode())
    assert newest
    assert newest[1] == write_cursor(Thought.objects.get())
    store(TEA)
    assert "1 new thought" in owner_client.get(f"/thoughts/count/?after={newest[1]}").content.decode()


def test_a_thought_stands_by_its_time_until_penny_has_looked_at_it(owner_client: Client) -> None:
    newest_first = [store(f"Thought {n}", hours_ago=n).title for n in range(3)]
    assert new_ones(owner_client) == newest_first
    assert 'class="why"' not in owner_client.get("/").content.decode()


def test_nothing_is_done_where_nothing_changed(django_assert_max_num_queries: Callable[[int], object]) -> None:
    store(ESPRESSO)
    think_it_over()
    with django_assert_max_num_queries(5):  # type: ignore[attr-defined]
        assert embeddings_store.rank() == 0
