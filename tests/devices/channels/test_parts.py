"""Long messages, split into parts."""

from devices.channels.channel import Limits
from devices.channels.parts import split_parts
from devices.channels.signal.styled_text import close_parts


def test_a_short_text_is_one_part() -> None:
    assert split_parts("Short.", Limits(20, 2)) == ["Short."]
    assert split_parts("", Limits(20, 2)) == []


def test_parts_end_with_sentences_and_hold_all_words() -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(50))
    parts = split_parts(text, Limits(100, 40))
    assert " ".join(parts) == text
    assert all(part.endswith(".") and len(part) <= 100 for part in parts)


def test_a_text_without_sentences_is_parted_between_words_or_anywhere() -> None:
    assert split_parts("word " * 30, Limits(20, 40))[0] == "word word word word"
    parts = split_parts("x" * 95, Limits(20, 40))
    assert ("".join(parts), max(map(len, parts))) == ("x" * 95, 20)


def test_a_style_that_goes_on_is_closed_and_opened_again() -> None:
    assert split_parts("**one two three. four five six.**", Limits(20, 9, close_parts=close_parts)) == [
        "**one two three.**",
        "**four five six.**",
    ]


def test_no_letter_is_parted_from_what_belongs_to_it() -> None:
    family = "👨‍👩‍👧"
    parts = [part for text in (family * 12, "e\u0301" * 20) for part in split_parts(text, Limits(7, 99))]
    assert not any(part.startswith(("\u200d", "\u0301")) for part in parts)


def test_what_is_too_long_for_all_parts_says_where_the_rest_is() -> None:
    parts = split_parts("Word here. " * 100, Limits(100, 3), more_at="http://penny/chat/")
    assert len(parts) == 3
    assert parts[-1].endswith("(The rest is in the chat: http://penny/chat/)")
    assert len(parts[-1]) <= 100


def test_what_is_no_mark_on_a_channel_is_not_closed() -> None:
    assert split_parts("2 * 3 is ~6.", Limits(20, 2)) == ["2 * 3 is ~6."]


def test_a_part_can_be_measured_in_bytes() -> None:
    parts = split_parts("汉字" * 100, Limits(60, 99, in_bytes=True))
    assert ("".join(parts), max(len(part.encode()) for part in parts)) == ("汉字" * 100, 60)
