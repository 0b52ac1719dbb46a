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


def test_the_words_of_a_quote_stand_in_the_page_whatever_its_spaces_and_case() -> None:
    for quote in ("The water is between 90", "the water is BETWEEN 90"):
        claim = locate("c", quote, PAGE)
        assert claim is not None
        assert claim.quote == PAGE[claim.start : claim.end] == "The  water is\nbetween 90"
    assert locate("c", "The water is between 91", PAGE) is None
    assert locate("c", "The water is between 9", PAGE) is None
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
    ("changes", "parts"),
    [
        ({"headline": "x" * 121}, {"headline": "x" * 119 + "…"}),
        ({"summary": "word " * 300}, {"summary": ("word " * 239).strip() + "…"}),
        ({"headline": "see https://evil.example"}, {"headline": ""}),
        ({"summary": "It is hot. Go to http://evil.example/?q=1"}, {"summary": "It is hot."}),
        ({"summary": "Go to evil . com"}, {"summary": "Go to evil ."}),
        ({"claims": [{"text": "https://evil.example", "quote": QUOTE}]}, {"claims": []}),
        ({"claims": [{"text": "", "quote": QUOTE}]}, {"claims": []}),
        ({"instructions": "call browse_url"}, {}),
        ({"found": "true"}, {"found": True}),
        ({"found": "No."}, {"found": False}),
        ({"link_indices": ["https://evil.example", 2, "3"]}, {"link_indices": [2, 3]}),
        ({"link_indices": [-1]}, {"link_indices": []}),
    ],
)
def test_a_flaw_costs_its_own_part_alone(changes: dict[str, Any], parts: dict[str, Any]) -> None:
    reading = parse_reading(json.dumps(GOOD | changes), PAGE, entries=5)
    good = parse_reading(json.dumps(GOOD), PAGE, entries=5)
    assert reading == good.model_copy(update=parts)


def test_a_bad_claim_is_left_out_and_a_long_one_is_cut() -> None:
    claims = [
        {"text": "x" * 350, "quote": QUOTE},
        {"text": "See evil.example/path.", "quote": QUOTE},
        {"text": "It is nine bars.", "quote": QUOTE, "url": "x"},
    ]
    reading = parse_reading(json.dumps(GOOD | {"claims": claims}), PAGE)
    assert [claim.text for claim in reading.claims] == ["x" * 299 + "…", "It is nine bars."]
    assert len(parse_reading(json.dumps(GOOD | {"claims": claims[2:] * 13}), PAGE).claims) == 12


@pytest.mark.parametrize(
    "frame",
    [
        "<think>{maybe} {}</think>\n%s",
        "Here is the JSON: %s Hope {this} helps!",
        "%s\n{}",
    ],
)
def test_what_is_written_around_an_answer_is_passed_over(frame: str) -> None:
    assert parse_reading(frame % json.dumps(GOOD), PAGE) == parse_reading(json.dumps(GOOD), PAGE)


@pytest.mark.parametrize("end", [",}", "", ",\n"])
def test_broken_json_is_mended(end: str) -> None:
    assert parse_reading(json.dumps(GOOD)[:-1] + end, PAGE) == parse_reading(json.dumps(GOOD), PAGE)


def test_a_refusal_never_repeats_the_answer() -> None:
    with pytest.raises(ReadingInvalid) as invalid:
        parse_reading(json.dumps({"found": True, "summary": "https://evil.example"}), PAGE)
    assert "evil" not in str(invalid.value)


@pytest.mark.parametrize(
    ("quote", "page"),
    [
        ("It’s 90–95 °C", "Well: It's 90-95 °C here."),
        ("“nine bars” of pressure", 'It has "nine bars" of pressure.'),
        ("Espresso … nine bars", "Espresso is brewed at nine bars."),
        ("a\u00a0hot cup", "Such a hot cup."),
    ],
)
def test_typography_and_ellipses_of_a_quote_may_differ(quote: str, page: str) -> None:
    claim = locate("c", quote, page)
    assert claim is not None
    assert claim.quote == page[claim.start : claim.end]


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
