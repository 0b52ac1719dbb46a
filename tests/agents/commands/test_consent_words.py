"""What an answer to a question says, in a word or a few: the same answers in English and in German."""

import pytest

from agents.commands.consent import Consent, understood

SAID = {
    ("allow", ""): ("Yes", "ok!", "Ja", "ja, bitte", "Klar.", "in Ordnung", "👍🏽"),
    ("allow", "once"): ("once", "Just this once", "einmal", "Ja, einmal", "nur diesmal"),
    ("allow", "run"): ("for this run", "Für diesen Lauf", "fuer diesen Lauf"),
    ("allow", "hour"): (
        "for an hour",
        "for 1 hour",
        "Eine Stunde",
        "für eine Stunde",
        "fu\u0308r eine Stunde",
        "fuer 1 Stunde",
    ),
    ("allow", "always"): ("always", "Always allow", "immer", "Ja, immer", "für immer"),
    ("dismiss", ""): (
        "no",
        "not now",
        "later",
        "Nein",
        "nein danke",
        "nicht jetzt",
        "jetzt nicht",
        "später",
        "spaeter",
        "heute nicht",
    ),
    ("block", ""): ("never", "Never again.", "Nie", "niemals!", "nie erlauben", "Nein, niemals", "blockieren", "🚫"),
}


@pytest.mark.parametrize(("meaning", "words"), SAID.items(), ids=[" ".join(meaning) for meaning in SAID])
def test_both_languages_have_every_answer(meaning: tuple[str, str], words: tuple[str, ...]) -> None:
    assert {said: understood(said) for said in words} == dict.fromkeys(words, Consent(*meaning))


@pytest.mark.parametrize(
    ("said", "which"),
    [("ja 2", "2"), ("nie #3", "3"), ("nein alle", "all"), ("ja, alle", "all"), ("always all", "all")],
)
def test_of_several_questions_one_is_named_or_all(said: str, which: str) -> None:
    found = understood(said)
    assert found is not None
    assert found.which == which


@pytest.mark.parametrize(
    "said", ["heute", "nie gehört", "einmal im Jahr", "ja aber", "immer noch", "eine Stunde später", "in einer Stunde"]
)
def test_what_only_begins_like_one_is_no_answer(said: str) -> None:
    assert understood(said) is None
