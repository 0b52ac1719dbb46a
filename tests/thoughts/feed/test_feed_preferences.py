import pytest
from django.test import Client

from tests.thoughts.cards import HTMX
from thoughts.models import Preference, Thought

pytestmark = pytest.mark.django_db


def stored_preferences() -> list[tuple[str, int, str]]:
    return list(Preference.objects.order_by("text").values_list("text", "valence", "source"))


def test_a_preference_is_added_in_the_owners_words(owner_client: Client) -> None:
    page = owner_client.post("/interests/", {"valence": "1", "text": "  lever   espresso "}, follow=True)
    assert "Penny now knows that you like “lever espresso”." in page.content.decode()
    assert stored_preferences() == [("lever espresso", 1, "added")]


def test_added_on_the_feed_it_leads_back_to_the_feed(owner_client: Client) -> None:
    assert owner_client.post("/interests/", {"valence": "1", "text": "maps", "next": "/"}).headers["Location"] == "/"


def test_htmx_gets_the_form_again_with_what_was_added(owner_client: Client) -> None:
    html = owner_client.post("/interests/", {"valence": "-1", "text": "gossip"}, headers=HTMX).content.decode()
    assert "Penny now knows that you dislike “gossip”." in html
    assert "<html" not in html


def test_the_same_words_twice_are_said_to_be_known(owner_client: Client) -> None:
    Preference.objects.create(text="Lever espresso")
    html = owner_client.post("/interests/", {"valence": "1", "text": "lever ESPRESSO"}).content.decode()
    assert "Penny knows this already." in html
    assert stored_preferences() == [("Lever espresso", 1, "added")]


def test_the_same_words_with_the_other_valence_change_the_owners_mind(owner_client: Client) -> None:
    Preference.objects.create(text="gossip")
    owner_client.post("/interests/", {"valence": "-1", "text": "gossip"})
    assert stored_preferences() == [("gossip", -1, "added")]


@pytest.mark.parametrize("text", ["", "   ", "x" * 301, "a\x00b"])
def test_words_that_cannot_be_kept_are_refused_with_a_sentence(owner_client: Client, text: str) -> None:
    assert 'id="id_text_error"' in owner_client.post("/interests/", {"valence": "1", "text": text}).content.decode()
    assert stored_preferences() == []


def test_a_valence_that_does_not_exist_is_refused(owner_client: Client) -> None:
    owner_client.post("/interests/", {"valence": "7", "text": "maps"})
    assert stored_preferences() == []


def test_deleting_a_preference_keeps_the_thoughts_that_came_from_it(owner_client: Client) -> None:
    preference = Preference.objects.create(text="maps")
    Thought.objects.create(title="A map", preference=preference, seed_text="maps")
    page = owner_client.post(f"/interests/{preference.pk}/delete/", follow=True)
    assert "“maps” is deleted. Its finds stay." in page.content.decode()
    assert stored_preferences() == []
    assert Thought.objects.get().seed_text == "maps"
