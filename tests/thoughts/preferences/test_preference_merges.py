"""Preferences are edited, merged and separated again."""

import pytest
from django.test import Client

from agents.models import Run
from tests.thoughts.preferences.rows import store_thought
from thoughts.models import Preference
from thoughts.preferences.merges import merge, undo_merge

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def test_the_words_of_a_preference_are_changed_and_what_it_has_stays(owner_client: Client) -> None:
    row = Preference.objects.create(text="maps", mentions=3)
    html = owner_client.post(f"/interests/{row.pk}/edit/", {"text": " old  maps "}, follow=True).content.decode()
    assert "It says “old maps” now." in html
    row.refresh_from_db()
    assert (row.text, row.mentions) == ("old maps", 3)


@pytest.mark.parametrize(
    ("text", "message"), [("MAPS", "Penny knows “MAPS” already"), ("", "Write what you like"), ("x" * 301, "under 300")]
)
def test_words_that_cannot_be_taken_are_refused_beside_the_row(owner_client: Client, text: str, message: str) -> None:
    Preference.objects.create(text="maps")
    row = Preference.objects.create(text="atlases")
    html = owner_client.post(f"/interests/{row.pk}/edit/", {"text": text}).content.decode()
    assert message in html.partition(f'id="text-{row.pk}-error"')[2][:200]
    row.refresh_from_db()
    assert row.text == "atlases"


def test_two_are_made_one_with_all_that_refers_to_them_and_parted_again(owner_client: Client) -> None:
    survivor = Preference.objects.create(text="maps", mentions=2)
    other = Preference.objects.create(text="old maps", mentions=3, strength=2, muted=True)
    mine, its = store_thought(survivor), store_thought(other)
    Preference.objects.filter(pk=other.pk).update(last_thought=its)
    html = owner_client.post(f"/interests/{other.pk}/merge/", {"into": "  Maps "}, follow=True).content.decode()
    assert "“old maps” is now part of “maps”." in html
    survivor.refresh_from_db()
    assert (survivor.mentions, survivor.strength, set(survivor.thoughts.all()), Preference.objects.count()) == (
        5,
        2,
        {mine, its},
        1,
    )
    assert set(Run.objects.values_list("preference", flat=True)) == {survivor.pk}
    parted = owner_client.post(
        html.partition('action="/merges/')[2].partition('"')[0].join(["/merges/", ""]), follow=True
    )
    assert "“old maps” is an interest of its own again." in parted.content.decode()
    again = Preference.objects.get(text="old maps")
    survivor.refresh_from_db()
    assert (again.pk, again.mentions, again.strength, again.muted, again.last_thought) == (other.pk, 3, 2, True, its)
    assert (survivor.mentions, survivor.strength, list(survivor.thoughts.all()), list(again.thoughts.all())) == (
        2,
        1,
        [mine],
        [its],
    )
    assert Run.objects.get(thought=its).preference == again


def test_what_is_liked_and_what_is_not_are_never_made_one(owner_client: Client) -> None:
    like, dislike = Preference.objects.create(text="maps"), Preference.objects.create(text="gossip", valence=-1)
    for into in (dislike.text, like.text):
        html = owner_client.post(f"/interests/{like.pk}/merge/", {"into": into}, follow=True).content.decode()
        assert "Only two likes, or two dislikes" in html
    html = owner_client.post(f"/interests/{like.pk}/merge/", {"into": "charts\0"}, follow=True).content.decode()
    assert "You have no interest “charts”." in html
    assert Preference.objects.count() == 2


def test_the_page_grows_with_what_is_on_it_and_no_faster(owner_client: Client) -> None:
    def size() -> int:
        return len(owner_client.get("/interests/").content)

    empty = size()
    Preference.objects.bulk_create(Preference(text=f"maps of region {number}") for number in range(20))
    some = size() - empty
    Preference.objects.bulk_create(Preference(text=f"maps of country {number}") for number in range(180))
    assert size() - empty < 11 * some


def test_what_was_added_again_meanwhile_is_not_parted() -> None:
    merge_row = merge(Preference.objects.create(text="maps"), Preference.objects.create(text="old maps"))
    Preference.objects.create(text="Old maps")
    with pytest.raises(Exception, match="added again meanwhile"):
        undo_merge(merge_row)
