"""What a message wants is told without a model: a search, an interest, or nothing of the web."""

import pytest

from agents.answers.no_model.plain_wishes import is_for_the_web, query_of, query_of_kept, text_liked


@pytest.mark.parametrize(
    ("message", "is_searched"),
    [
        ("How hot should the water be?", True),
        ("espresso temperature", True),
        ("Wie heiß sollte das Wasser sein?", True),
        ("What did my neighbours pay for it?", True),
        ("I wonder how hot the water should be?", True),
        ("Hello there", False),
        ("What can you do for me?", False),
        ("thanks!", False),
        ("...", False),
        ("I have diabetes", False),
        ("My bank is in Leipzig.", False),
        ("Meine Schwester heißt Ada", False),
        ("So " * 80, False),
    ],
)
def test_questions_and_subjects_are_searched_for(message: str, is_searched: bool) -> None:
    assert is_for_the_web(message) is is_searched


def test_a_search_in_words_is_without_its_beginning() -> None:
    assert (query_of("Search for lever espresso?"), query_of("lever espresso")) == ("lever espresso", "")


@pytest.mark.parametrize(
    ("message", "query"),
    [
        ("What did I read about espresso?", "espresso"),
        ("Penny, where did I read that water should be soft?", "water should be soft"),
        ("What have I kept on routers", "routers"),
        ("Search what I kept for lever machines", "lever machines"),
        ("Find in my kept pages: grinders", ""),
        ("Look through the pages that I read about grinders.", "grinders"),
        ("Was habe ich über Tomaten gelesen?", "Tomaten"),
        ("Wo habe ich von der neuen Mühle gelesen", "der neuen Mühle"),
        ("What is the email of the doctor in Brunswick that I read about?", "the email of the doctor in Brunswick"),
        ("Show me the page on grinders I kept", "the page on grinders"),
        ("What should I read about espresso?", ""),
        ("What is the book that I should read?", ""),
        ("I like what I read", ""),
        ("When did I see the dentist?", ""),
        ("What did I read about " + "espresso " * 40, ""),
    ],
)
def test_a_question_about_what_the_owner_read_is_one_for_the_kept_pages(message: str, query: str) -> None:
    assert query_of_kept(message) == query


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("I like small espresso machines.", "small espresso machines"),
        ("Ich mag kleine Maschinen", "kleine Maschinen"),
        ("I really love quiet grinders!", "quiet grinders"),
        ("Ich mag keine Werbung", ""),
        ("I like it", ""),
        ("I like tea. What is the best?", ""),
        ("He said: I like tea", ""),
    ],
)
def test_what_the_owner_likes_is_taken_from_their_words(message: str, text: str) -> None:
    assert text_liked(message) == text
