"""Passages that a text shares with a page: at most twelve words in a row."""

import pytest

from devices.channels.verbatim import shared_passages

PAGE = (
    "The water must be ninety degrees hot, says the barista, who has brewed coffee for twenty years in a "
    "small town by the sea."
)
TWELVE = "The water must be ninety degrees hot, says the barista, who has"


def passages(text: str, *pages: str) -> list[str]:
    return [text[span.start : span.end] for span in shared_passages(text, pages or [PAGE])]


def test_twelve_words_in_a_row_may_be_shared_and_thirteen_may_not() -> None:
    assert passages(f"I read: {TWELVE} done it.") == []
    assert passages(f"I read: {TWELVE} brewed tea.") == [f"{TWELVE} brewed"]


@pytest.mark.parametrize(
    "text",
    [
        PAGE.upper(),
        PAGE.replace(" ", "\n"),
        PAGE.replace(" ", " - "),
        PAGE.replace(",", ""),
        PAGE.replace("e", "é"),
        f"“{PAGE}”",
        PAGE.replace("barista", "ｂａｒｉｓｔａ"),
    ],
)
def test_case_accents_forms_and_punctuation_are_no_difference(text: str) -> None:
    assert len(passages(text)) == 1


def test_passages_that_touch_are_one_and_pages_are_looked_at_each_by_itself() -> None:
    assert passages(f"{PAGE} And so on.") == [PAGE.rstrip(".")]
    words = PAGE.split()
    assert passages(PAGE, " ".join(words[:12]), " ".join(words[12:])) == []


def test_letters_of_scripts_without_spaces_count_as_words() -> None:
    page = "水は九十度でなければならないとバリスタは言う"
    assert passages(page, page) == [page]
    assert passages(page[:12], page) == []
