"""Pages suggest preferences, which the owner confirms or dismisses."""

import pytest
from django.test import Client

from agents.zones.inputs import Private, Untrusted
from agents.zones.reader import reader_request
from agents.zones.reader_answers import is_true_to, parse_reading
from agents.zones.sandbox_messages import ReadingRequest
from tests.page_client import page_words
from tests.thoughts.preferences.rows import store_page
from thoughts.models import Candidate, Preference
from thoughts.preferences import candidates

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("redis")]


def test_what_a_page_suggests_is_shown_and_starts_nothing_until_the_owner_confirms_it(owner_client: Client) -> None:
    seed = Preference.objects.create(text="espresso", muted=True)
    candidates.suggest(
        ["latte <b>art</b>", "espresso machines", "latte <b>art</b>"], Preference.Source.PAGE, store_page("x"), seed
    )
    idea = Candidate.objects.get()
    assert "1 suggestion from pages waits for you." in page_words(owner_client, "/interests/")
    html = owner_client.get("/interests/suggestions/").content.decode()
    assert "latte &lt;b&gt;art&lt;/b&gt;" in html
    assert "from a.example" in html
    assert list(Preference.objects.seeds()) == []
    owner_client.post(f"/candidates/{idea.pk}/confirm/")
    preference = Preference.objects.get(text="latte <b>art</b>")
    assert (preference.valence, preference.source, preference.origin, list(Preference.objects.seeds())) == (
        1,
        "page",
        ["owner"],
        [preference],
    )
    assert "No suggestions now" in page_words(owner_client, "/interests/suggestions/")
    assert "suggestion from" not in page_words(owner_client, "/interests/")


def test_what_was_dismissed_is_never_suggested_again_unless_that_is_undone(owner_client: Client) -> None:
    candidates.suggest(["latte art"], Preference.Source.PAGE, store_page("x"))
    idea = Candidate.objects.get()
    html = owner_client.post(f"/candidates/{idea.pk}/dismiss/", follow=True).content.decode()
    assert f'action="/candidates/{idea.pk}/offer/"' in html
    candidates.suggest(["Latte Art"], Preference.Source.PAGE, store_page("y"))
    assert list(Candidate.objects.open()) == []
    owner_client.post(f"/candidates/{idea.pk}/offer/")
    assert list(Candidate.objects.open()) == [idea]
    owner_client.post(f"/candidates/{idea.pk}/confirm/", {"valence": "-1"})
    assert Preference.objects.get().valence == -1


def test_candidates_are_asked_for_in_the_reader_alone_and_taken_only_where_they_were_asked_for() -> None:
    with_candidates, plain = (
        reader_request(Untrusted("x", frozenset({"a.example"})), Private("y"), candidates=on) for on in (True, False)
    )
    assert ["candidates" in (request.schema or {})["properties"] for request in (with_candidates, plain)] == [
        True,
        False,
    ]
    answer = '{"found": true, "headline": "", "summary": "", "claims": [], "candidates": ["latte art"]}'
    reading = parse_reading(answer, "x", candidates=True)
    assert reading.candidates == ["latte art"]
    assert is_true_to(reading, "x", candidates=True)
    assert not is_true_to(reading, "x")
    assert not ReadingRequest(title="", text="x", domain="a.example", question="y").candidates
    with pytest.raises(ValueError, match="candidates"):
        parse_reading(answer.replace("latte art", "see https://evil.example/x"), "x", candidates=True)
    assert parse_reading(answer.replace("latte art", "x" * 81), "x", candidates=True).candidates == ["x" * 79 + "…"]
    assert parse_reading(answer, "x").candidates == []
