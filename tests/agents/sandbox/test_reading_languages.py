"""Without a model, pages in any script are read sentence by sentence, by lengths that mean the same in each."""

import json
from pathlib import Path

import pytest

from agents.sandbox.extractive import read_by_extraction, sentence_spans
from agents.sandbox.offers import read_offer
from agents.zones.sandbox_messages import ReadingRequest
from tests.cpu_time import check_growth
from thoughts.text.words import reading_length

WORDS = json.loads((Path(__file__).parents[2] / "stand_ins" / "languages.json").read_text())


@pytest.mark.parametrize("language", WORDS)
def test_the_sentences_of_an_article_are_found(language: str) -> None:
    text = "\n\n".join(WORDS[language]["paras"])
    sentences = [text[start:end] for start, end in sentence_spans(text)]
    assert len(sentences) >= (4 if language == "th" else 6)
    assert all("\n" not in sentence for sentence in sentences)
    assert "".join(sentences).replace(" ", "") == "".join(text.split())


@pytest.mark.parametrize(
    ("language", "question", "answer"),
    [
        ("zh", "密封圈怎么换？", "密封圈"),
        ("ja", "ボイラーの水", "ボイラー"),
        ("ko", "패킹을 고치려면", "패킹"),
        ("th", "ปะเก็น", "ปะเก็น"),
        ("ar", "متى تُبدل الحلقة؟", "الحلقة"),
        ("he", "האטם הישן", "האטם"),
        ("hi", "गैसकेट", "गैसकेट"),
        ("bn", "গ্যাসকেট", "গ্যাসকেট"),
        ("ru", "прокладка", "прокладк"),
    ],
)
def test_a_question_finds_its_words(language: str, question: str, answer: str) -> None:
    text = "\n\n".join(WORDS[language]["paras"])
    form = f"# {WORDS[language]['title']}\n\n{text}"
    request = ReadingRequest(title="", text=form, domain="a.example", question=question)
    reading = read_by_extraction(request)
    assert reading.found
    assert any(answer in claim.text for claim in reading.claims)
    assert all(form[claim.start : claim.end] == claim.quote for claim in reading.claims)


def test_what_is_as_long_to_read_has_about_the_same_length() -> None:
    lengths = [reading_length("".join(words["paras"])) for words in WORDS.values()]
    assert max(lengths) < 2 * min(lengths)


def test_claims_are_plain_words_and_quotes_the_page_in_its_form() -> None:
    form = "## Prices\n\n- The [lever machine](l3) costs `900` euros this year.\n- Short."
    request = ReadingRequest(title="", text=form, domain="a.example", question="lever price")
    [claim] = read_by_extraction(request).claims
    assert claim.text == "The lever machine costs 900 euros this year."
    assert claim.quote == form[claim.start : claim.end] == "The [lever machine](l3) costs `900` euros this year."


@pytest.mark.parametrize("piece", ["水温", "แม่น้ำ ", "हिं।", "a，水", "؟ ا"])
def test_the_time_grows_with_the_length(piece: str) -> None:
    check_growth(sentence_spans, (piece * 12_500)[:12_500], (piece * 50_000)[:50_000], piece)


def test_marks_within_a_sentence_or_a_price_do_not_lose_the_reading() -> None:
    """A page may put any number of pictures between two words."""
    picture = f"![{'x' * 80}]"
    money = f"It costs {f'{picture} ' * 100}much money today, they say."
    form = f"{money}\n\nThe lever machine holds nine bar of pressure."
    request = ReadingRequest(title="", text=form, domain="a.example", question="")
    [claim] = read_by_extraction(request).claims
    assert claim.text == "The lever machine holds nine bar of pressure."
    form = f"Lever\n€ {picture}12.00\nAdd to cart"
    request = ReadingRequest(title="Lever", text=form, domain="a.example", question="", wants_offer=True)
    offer = read_offer(request).offer
    assert offer is not None
    assert (offer.price, offer.quote) == ("12", "")


@pytest.mark.parametrize(
    ("question", "is_found"),
    [
        ("Read beans.example and tell me what it is about", True),
        ("How soft should water for espresso be?", True),
        ("Which tame elephant is the best at home?", True),
        ("How many kilograms does a tame elephant weigh in water?", False),
    ],
)
def test_a_page_answers_where_it_holds_more_than_a_third_of_the_words(question: str, is_found: bool) -> None:
    """Its own title is no sentence of it, and the name of its site no word to find."""
    title = "The best water for espresso machines at home"
    text = f"{title}\n\nWater for espresso is soft, so that no scale grows in the boiler of the machine."
    request = ReadingRequest(title=title, text=text, domain="beans.example:8080", question=question)
    reading = read_by_extraction(request)
    assert reading.found is is_found
    assert [claim.text for claim in reading.claims] == [text.rpartition("\n")[2]]
