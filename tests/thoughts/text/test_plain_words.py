"""Plain words have no address, not even a disguised one, no link and no HTML."""

import json
import time

import pytest

from agents.sandbox.extractive import read_by_extraction
from agents.zones.reader_answers import ReadingInvalid, parse_reading
from agents.zones.sandbox_messages import ReadingRequest
from agents.zones.writer_answers import parse_draft
from thoughts.text.plain_words import NotPlain, plain


@pytest.mark.parametrize(
    "text",
    [
        "see https://evil.example/x",
        "see HTTP://EVIL.EXAMPLE",
        "see hxxp://evil.example",
        "see hXXps[:]//evil",
        "h**ps://evil.example",
        "h t t p : / / x https : / / evil",
        "go to www.evil.example now",
        "www . evil",
        "evil . com",
        "evil. com",
        "evil[.]com",
        "evil (dot) com",
        "evil {.} com",
        "evil dot com",
        "//evil.example/x",
        "evil.example/path",
        "evil.com?q=4711",
        "evil.com:8080/x",
        "1.2.3.4:80",
        "10.0.0.1/x",
        "http://exämple.de",
        "exämple.de/x",
        "ｈｔｔｐｓ：／／ｅｖｉｌ．ｃｏｍ",
        "evil。com/x",
        "ht\u200btp://evil.example",
        "ev\u00adil.com/x",
        "h\U000e0074ttps://evil.example",
        "javascript:alert(1)",
        "java\tscript:x javascript :x",
        "mailto:a@evil.example",
        "data:text/html,x",
        "ftp://evil.example",
        "file:///etc/passwd",
        "[here](evil)",
        "![](x)",
        "[here][1]",
        "\n[here\\\nthere]: evil",
        "] (evil)",
        "<b>bold</b>",
        "<img src=x>",
        "</script>",
        "<!-- x",
        "<a href=x>",
        "&lt;b",
        "&#106;avascript",
        "<svg/onload=x>",
    ],
)
def test_addresses_links_and_html_are_refused(text: str) -> None:
    with pytest.raises(NotPlain) as error:
        plain(f"The page says {text} and more.")
    assert "evil" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("**Nine** bars, *hot* and `fine` and ~~old~~ __new__.", "Nine bars, hot and fine and old new."),
        ("# Heading\n- one\n> two\n* three", "Heading one two three"),
        ("a\x00b\x07c\u202edef\u2066g\ufeffh\u200b\U000e0041", "abcdefgh"),
        ("ﬁne  ½\u00a0l\n\n\tx", "ﬁne ½ l x"),
        ("\ud800lone", "lone"),
        ("The [lever *machine*](l12) of 1962[^3] costs ![](l1) 900.", "The lever machine of 1962 costs 900."),
    ],
)
def test_marks_and_what_cannot_be_seen_are_dropped(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "According to Amazon.com and coffee.example it costs 5 $ and/or 6 €.",
        "Node.js/Express runs.",
        "if a < b and c > d, 2 * 3 = 6",
        "It ends. The next one begins. so be it.",
        "At 9:30, data: 5 grams, ratio 1/2, version 3.2/4.",
        "e.g. this/that, AT&T; snake_case_name",
        "Größe: 3 Äpfel. Ça va? 日本語。次の文。",
        "I am 100% sure (really) [sic].",
    ],
)
def test_honest_words_stay_as_they_are(text: str) -> None:
    assert plain(text) == text


def test_every_field_of_a_reading_and_of_a_draft_is_plain() -> None:
    good = {
        "found": True,
        "headline": "**Hot**",
        "summary": "It is\u200b hot.",
        "claims": [{"text": "_It is hot._", "quote": "hot"}],
    }
    reading = parse_reading(json.dumps(good), "It is hot.")
    assert (reading.headline, reading.summary, reading.claims[0].text) == ("Hot", "It is hot.", "It is hot.")
    for field in (
        {"headline": "evil . com"},
        {"summary": "[x](y)"},
        {"claims": [{"text": "<b>x</b>", "quote": "hot"}]},
    ):
        left_over = parse_reading(json.dumps(good | field), "It is hot.").model_dump_json()
        assert not any(words in left_over for words in ("com", "](", "<b>"))
    for draft in (
        {"title": "www.evil.example", "sentences": []},
        {"title": "x", "sentences": [{"text": "[a](b)", "supports": []}]},
    ):
        with pytest.raises(ReadingInvalid):
            parse_draft(json.dumps(draft))


def test_extraction_leaves_out_sentences_that_are_not_plain_and_fails_for_none() -> None:
    hidden = "Espresso is sold at www.evil.example for nine dollars.\nEspresso <b>is</b> [a](b) drink for two."
    text = f"Espresso is brewed at nine bars of pressure.\n{hidden}"
    reading = read_by_extraction(
        ReadingRequest(title="<b>Espresso</b>", text=text, domain="a.example", question="espresso")
    )
    assert [claim.text for claim in reading.claims] == ["Espresso is brewed at nine bars of pressure."]
    assert reading.headline == ""


ABOUT_ALL = (
    "Sum up this page.",
    "Fasse diese Seite zusammen.",
    "Summarise it in three sentences, please",
    "TL;DR",
    "What are the key points?",
)


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [*((question, True) for question in ABOUT_ALL), ("Sum up what it says about tea", False)],
)
def test_whoever_asks_for_all_of_a_page_is_answered_by_what_it_says_most(question: str, is_answered: bool) -> None:
    text = "Espresso is brewed at nine bars of pressure. Grinders of steel keep their edge for years.\n" * 4
    reading = read_by_extraction(ReadingRequest(title="Espresso", text=text, domain="a.example", question=question))
    assert (reading.found, len(reading.claims)) == (is_answered, 2)


@pytest.mark.parametrize("question", ["espresso", "What does this page say?"])
def test_what_a_page_says_again_is_quoted_once(question: str) -> None:
    text = "Espresso is brewed at nine bars of pressure. Grinders of steel keep their edge for years.\n" * 4
    reading = read_by_extraction(ReadingRequest(title="Espresso", text=text, domain="a.example", question=question))
    quotes = [claim.quote for claim in reading.claims]
    assert len(quotes) == len(set(quotes)) > 0


@pytest.mark.parametrize(
    "text", ["a-" * 60_000, "a." * 60_000, "*" * 100_000, "_a" * 50_000, "<a" * 50_000, "[" * 100_000, " a" * 50_000]
)
def test_an_overlong_answer_is_cut_before_it_is_looked_into(text: str) -> None:
    answer = json.dumps({"found": True, "headline": text, "summary": text, "claims": []})
    start = time.thread_time()
    try:
        assert len(parse_reading(answer, "x").summary) <= 1200
    except ReadingInvalid:  # nothing of it is plain
        pass
    assert time.thread_time() - start < 1
