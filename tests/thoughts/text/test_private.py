"""What is private is found in many languages, and little that is not. The corpus: tests/bench/private/."""

import itertools

import pytest

from tests.bench.private import FOLDER, Case, cases, is_found
from thoughts.text.private.cover import cover_secrets
from thoughts.text.private.secrets import TEXT_CHARACTERS, is_secret_field, secrets_in
from thoughts.text.private.seed_phrases import seed_phrases_in
from thoughts.text.private.topics import topic_of

# At most this part may be missed, or be a false alarm; browser_ext/src/private/corpus.test.ts has the same bounds.
MISSES_MOST, FALSE_ALARMS_MOST = 0.05, 0.1


@pytest.mark.parametrize("part", ["first", "second"])
@pytest.mark.parametrize("where", ["title", "text", "field", "address"])
def test_little_is_missed_and_little_is_a_false_alarm(part: str, where: str) -> None:
    some = [case for case in cases(part) if case.where == where]
    missed = [case for case in some if case.is_private and not is_found(case)]
    alarms = [case for case in some if not case.is_private and is_found(case)]
    assert len(missed) <= MISSES_MOST * sum(case.is_private for case in some), missed
    assert len(alarms) <= FALSE_ALARMS_MOST * sum(not case.is_private for case in some), alarms


def test_the_corpus_is_large_and_in_many_languages() -> None:
    everything = [*cases("first"), *cases("second")]
    assert len(everything) >= 340
    assert len({case.language for case in everything if case.is_private}) >= 14
    assert sum(not case.is_private for case in everything) >= 90


def test_what_is_decided_wrong_is_the_list_that_the_extension_is_held_to() -> None:
    wrong = [case.text for case in [*cases("first"), *cases("second")] if is_found(case) != case.is_private]
    assert wrong == (FOLDER / "wrong.txt").read_text().splitlines()


@pytest.mark.parametrize(
    "text",
    [
        "Karte 4111111111111111 und 7",
        "my iban: de89370400440532013000",
        "DE89 3704 0044 0532 0130 00 COBADEFFXXX",
        "Recovery codes:\nABCD-EFGH\nIJKL-MNOP",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEvQ==\n-----END RSA PRIVATE KEY-----",
        "Mein Passwort ist Sonne!12",
        "le mot de passe est « Lune#77 »",
        "卡号4111111111111111",
    ],
)
def test_a_secret_is_found_however_it_is_written(text: str) -> None:
    assert secrets_in(text)


@pytest.mark.parametrize(
    "text",
    [
        "Card 4111 1111 1111 1112",
        "DE88 3704 0044 0532 0130 00",
        "Version 3.11.2 of 2026-11-26 has 482913 downloads",
        "The zip code is 90210",
        "Password: required",
    ],
)
def test_a_wrong_check_digit_a_short_run_and_other_numbers_are_no_secret(text: str) -> None:
    assert secrets_in(text) == []


def test_a_phrase_that_restores_a_wallet_has_twelve_words_of_one_list() -> None:
    phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    assert seed_phrases_in(f"So: {phrase}.") == [(4, 4 + len(phrase))]
    assert seed_phrases_in(phrase.removesuffix(" yellow")) == []
    assert seed_phrases_in(phrase.replace("year", "jahr")) == []
    assert seed_phrases_in("We went to the old mill and saw how the wheel was made there by hand") == []


def test_a_secret_is_named_and_none_overlaps_another() -> None:
    secrets = secrets_in("Card 4111 1111 1111 1111, code: 482913, Passwort: Sonne!12")
    assert [secret.kind for secret in secrets] == ["card number", "code", "password"]
    assert all(first.end <= second.start for first, second in itertools.pairwise(secrets))


def test_only_so_much_of_a_text_is_searched() -> None:
    card = " 4111 1111 1111 1111"
    assert secrets_in("a" * (TEXT_CHARACTERS - len(card)) + card)
    assert secrets_in("a" * TEXT_CHARACTERS + card) == []


def test_names_of_fields_are_read_in_camel_case_and_with_accents() -> None:
    assert [is_secret_field(name) for name in ("cardNumber", "txtPasswort", "Contraseña", "city")] == [True] * 3 + [
        False
    ]


def test_topics_are_told_apart() -> None:
    assert topic_of("a.example", "/", "Girokonto eröffnen") == "money"
    assert topic_of("forum.example", "/c/hiv-positive/12", "Question 12") == "health"
    assert topic_of("www.tinder.com", "/", "Welcome") == "sex"
    assert topic_of("a.example", "/", "Old maps of Rome") is None


def test_a_case_without_marks_in_a_harmless_text_is_no_private_one() -> None:
    assert not is_found(Case("en", "text", "-", "Nothing to see", ()))


def test_secrets_are_covered_wherever_they_stand() -> None:
    """At the beginning, where two parts of a long text meet, and at the end."""
    secret = "The password: correcthorse99battery opens it."
    text = f"{secret} {'Wasser ' * 3300}{secret} {'Wasser ' * 3000}{secret}"
    covered, count = cover_secrets(text)
    assert (count, covered.count("▮"), "correcthorse" in covered) == (3, 3, False)
    assert cover_secrets("Nothing here.") == ("Nothing here.", 0)


def test_a_covered_text_stays_as_it_is() -> None:
    """The word “code” is far from the number until the key between them is covered."""
    text = f"Your code: ghp_{'a1B2' * 40} {'and words ' * 9} 482913 is it."
    assert [secret.kind for secret in secrets_in(text)] == ["key"]
    covered, count = cover_secrets(text)
    assert (count, "482913" in covered) == (2, False)
    assert cover_secrets(covered) == (covered, 0)
