"""Readings and drafts of the wrong form are refused; claims have a true span."""

import json
from typing import Any

import pytest

from agents.zones.reader_answers import Claim, Reading, ReadingInvalid, is_true_to, locate, parse_reading
from agents.zones.writer_answers import parse_draft

PAGE = "Espresso is brewed at nine bars.\n\nThe  water is\nbetween 90 and 96 degrees."
QUOTE = "Espresso is brewed at nine bars."
GOOD: dict[str, Any] = {
    "found": True,
    "headline": "Nine bars",
    "summary": "Nine.",
    "claims": [{"text": "It is nine bars.", "quote": QUOTE}],
}


def test_a_claim_gets_the_span_of_its_quote() -> None:
    reading = parse_reading(json.dumps(GOOD), PAGE)
    assert reading.claims == [Claim(text="It is nine bars.", quote=QUOTE, start=0, end=len(QUOTE))]
    assert PAGE[reading.claims[0].start : reading.claims[0].end] == QUOTE
    assert is_true_to(reading, PAGE)


def test_only_white_space_may_differ_between_a_quote_and_the_page() -> None:
    claim = locate("c", "The water is between 90", PAGE)
    assert claim is not None
    assert claim.quote == PAGE[claim.start : claim.end] == "The  water is\nbetween 90"
    assert locate("c", "the water is between 90", PAGE) is None
    assert locate("c", "The water is between 91", PAGE) is None
    assert locate("c", "  ", PAGE) is None
    assert locate("c", "a b", f"a{' ' * 9000}b") is None


@pytest.mark.parametrize("quote", [".*", "(a+)+$", "\\", "[", "(?s).+"])
def test_a_quote_is_no_pattern(quote: str) -> None:
    assert locate("c", quote, PAGE) is None


def test_a_claim_without_a_span_is_left_out_and_counted() -> None:
    claims = [*GOOD["claims"], {"text": "The moon is cheese.", "quote": "The moon is made of cheese."}]
    reading = parse_reading(json.dumps(GOOD | {"claims": claims}), PAGE)
    assert ([claim.text for claim in reading.claims], reading.unsupported) == (["It is nine bars."], 1)


def test_a_reading_all_of_whose_quotes_are_made_up_is_invalid() -> None:
    with pytest.raises(ReadingInvalid):
        parse_reading(json.dumps(GOOD | {"claims": [{"text": "x", "quote": "not on the page"}]}), PAGE)


@pytest.mark.parametrize(
    "changes",
    [
        {"headline": "x" * 121},
        {"summary": "x" * 1201},
        {"headline": "see https://evil.example"},
        {"summary": "go to http://evil.example/?q=1"},
        {"claims": [{"text": "https://evil.example", "quote": QUOTE}]},
        {"claims": [{"text": "x" * 301, "quote": QUOTE}]},
        {"claims": [{"text": "", "quote": QUOTE}]},
        {"claims": GOOD["claims"] * 13},
        {"claims": [{"text": "x", "quote": QUOTE, "url": "x"}]},
        {"instructions": "call browse_url"},
        {"found": "yes please"},
        {"link_indices": ["https://evil.example"]},
        {"link_indices": [-1]},
        {"link_indices": list(range(1, 12))},
    ],
)
def test_what_leaves_the_form_is_invalid(changes: dict[str, Any]) -> None:
    with pytest.raises(ReadingInvalid) as invalid:
        parse_reading(json.dumps(GOOD | changes), PAGE, entries=5)
    assert "evil" not in str(invalid.value)


@pytest.mark.parametrize("answer", ["", "I cannot do that.", "{", "[]", "null", '{"found": true}', "{}"])
def test_what_is_no_reading_is_invalid(answer: str) -> None:
    with pytest.raises(ReadingInvalid):
        parse_reading(answer, PAGE)


def test_json_in_a_fence_or_in_talk_is_understood() -> None:
    assert parse_reading(f"Here it is:\n```json\n{json.dumps(GOOD)}\n```\nDone.", PAGE).found


def test_indices_name_entries_once_and_never_beyond_the_list() -> None:
    reading = parse_reading(json.dumps(GOOD | {"claims": [], "link_indices": [2, 9, 2, 0, 1]}), "", entries=3)
    assert reading.link_indices == [2, 1]


@pytest.mark.parametrize(("start", "end", "quote"), [(1, 33, QUOTE), (0, 5, QUOTE), (900, 932, QUOTE), (0, 0, "")])
def test_the_worker_notices_a_span_that_lies(start: int, end: int, quote: str) -> None:
    claim = Claim.model_construct(text="x", quote=quote, start=start, end=end)
    reading = Reading.model_construct(
        found=True, headline="", summary="", claims=[claim], link_indices=[], made_with="model"
    )
    assert not is_true_to(reading, PAGE)


def test_the_worker_notices_an_index_beyond_the_list() -> None:
    reading = Reading(found=True, headline="", summary="", claims=[], link_indices=[4], made_with="model")
    assert not is_true_to(reading, "", entries=3)


@pytest.mark.parametrize(
    "draft", [{"title": "", "sentences": []}, {"title": "x https://e.example", "sentences": []}, {"title": "x"}]
)
def test_a_draft_that_leaves_the_form_is_invalid(draft: dict[str, Any]) -> None:
    with pytest.raises(ReadingInvalid):
        parse_draft(json.dumps(draft))
