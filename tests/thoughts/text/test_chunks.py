"""Texts are cut into passages that are spans of them, end where sentences end, and cover every word."""

import random
from itertools import pairwise

import pytest

from tests.cpu_time import check_growth
from thoughts.text.chunks import CHUNK_MAX, CHUNKS_MAX, OVERLAP_CHARACTERS, chunk_spans, chunk_words
from thoughts.text.sentences import sentence_ends

LONG = "The water is hot before the coffee is ground, and the cup is warm before both of them. "


def test_a_short_text_is_one_passage() -> None:
    assert chunk_spans("  Water boils.\n") == [(2, 14)]
    assert chunk_spans(" \n ") == []


def test_every_word_is_in_a_passage_and_no_passage_is_too_long() -> None:
    text = "\n\n".join(LONG * count for count in (1, 9, 30, 2))
    spans = chunk_spans(text)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(place in covered for place, sign in enumerate(text) if not sign.isspace())
    assert all(0 < end - start <= CHUNK_MAX for start, end in spans)


def test_a_passage_begins_and_ends_with_a_sentence() -> None:
    text = LONG * 40
    for start, end in chunk_spans(text):
        assert text[start:].startswith("The water"), text[start : start + 40]
        assert text[:end].endswith("them.")


def test_the_last_sentence_is_repeated_where_it_is_short() -> None:
    text = LONG * 20
    spans = chunk_spans(text)
    assert all(one[1] - other[0] == len(LONG.strip()) for one, other in pairwise(spans))
    assert len(LONG) <= OVERLAP_CHARACTERS


def test_a_passage_ends_with_its_paragraph_where_it_is_long_enough() -> None:
    text = LONG * 4 + "\n\n" + LONG * 4
    assert [text[start:end].count("The water") for start, end in chunk_spans(text)] == [4, 4]


def test_a_word_without_end_is_cut() -> None:
    assert [end - start for start, end in chunk_spans("x" * 1200)] == [500, 500, 200]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One. ", "Two! ", "Three?"]),
        ("It weighs 3.5 kg. See coffee.example now.", ["It weighs 3.5 kg. ", "See coffee.example now."]),
        ("He said “no.” She went.", ["He said “no.” ", "She went."]),
        ("水は熱い。茶は冷たい。", ["水は熱い。", "茶は冷たい。"]),
        ("पानी गर्म है। चाय ठंडी है।", ["पानी गर्म है। ", "चाय ठंडी है।"]),
    ],
)
def test_sentences_end_by_the_rule_of_every_script(text: str, sentences: list[str]) -> None:
    ends = [0, *sentence_ends(text), len(text)]
    assert [text[start:end] for start, end in pairwise(ends)] == sentences


def test_the_words_of_a_passage_are_without_the_marks_of_its_form() -> None:
    assert chunk_words("## The [grind](l7) matters\n\n- `fine`").split() == ["The", "grind", "matters", "fine"]
    assert chunk_words("# not a heading", is_text_file=True) == "# not a heading"


def test_nonsense_has_a_bound() -> None:
    signs = random.Random(7).choices(".!?。 \n\nab", k=400_000)
    assert len(chunk_spans("".join(signs))) <= CHUNKS_MAX


def test_the_time_grows_with_the_text() -> None:
    check_growth(chunk_spans, LONG * 500, LONG * 2000)
