"""A yes or no in words and emoji: the same answers in English and German."""

import pytest

from agents.commands.consent import Consent, parse_consent

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
    assert {phrase: parse_consent(phrase) for phrase in words} == dict.fromkeys(words, Consent(*meaning))


@pytest.mark.parametrize(
    ("words", "which"),
    [("ja 2", "2"), ("nie #3", "3"), ("nein alle", "all"), ("ja, alle", "all"), ("always all", "all")],
)
def test_of_several_questions_one_is_named_or_all(words: str, which: str) -> None:
    consent = parse_consent(words)
    assert consent is not None
    assert consent.which == which


@pytest.mark.parametrize(
    "words", ["heute", "nie gehört", "einmal im Jahr", "ja aber", "immer noch", "eine Stunde später", "in einer Stunde"]
)
def test_what_only_begins_like_one_is_no_answer(words: str) -> None:
    assert parse_consent(words) is None
