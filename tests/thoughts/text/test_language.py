"""The language of a find, for the hyphens of its title and text."""

import pytest
from django.test import Client

from thoughts.models import Thought
from thoughts.text.language import language_of

GERMAN = "Die Donaudampfschifffahrtsgesellschaft verkauft ihre letzte Einrichtung. Die Besichtigung ist am Vortag."


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A night train will run between Lund and Narvik, the first on that line.", "en"),
        (GERMAN, "de"),
        ("Un train de nuit va rouler entre Paris et Berlin, le premier sur cette ligne.", "fr"),
        ("El tren de la noche va a Lisboa con los viajeros que no vuelan.", "es"),
        ("De nachttrein naar het noorden is een van de eerste die niet over Malmö rijdt.", "nl"),
        ("Lever", ""),
        ("The und", ""),
        ("夜行列車が走る", ""),
        ("", ""),
    ],
)
def test_the_commonest_words_tell_the_language(text: str, code: str) -> None:
    assert language_of(text) == code


@pytest.mark.django_db
def test_a_card_and_the_reader_name_the_language_of_the_find_and_english_for_the_rest(owner_client: Client) -> None:
    find = Thought.objects.create(title="Die letzte Einrichtung", text=GERMAN, html=f"<p>{GERMAN}</p>")
    card = owner_client.get("/").content.decode().partition("<article")[2]
    assert card.partition(">")[0].endswith('lang="de"')
    assert '<div class="acts" lang="en">' in card
    reader = owner_client.get(f"/thoughts/{find.pk}/").content.decode()
    assert '<article class="open reader" lang="de">' in reader
    find.text = "Lever"
    find.title = "Lever"
    find.save()
    assert "lang=" not in owner_client.get("/").content.decode().partition("<article")[2].partition(">")[0]
