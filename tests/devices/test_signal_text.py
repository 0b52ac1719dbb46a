"""Markdown as Signal shows it, and long messages in parts."""

import pytest

from devices.channels.signal_text import split, styled


@pytest.mark.parametrize(
    ("markdown", "shown"),
    [
        ("It is **hot** and *dry*, ~~cold~~ `x`.", "It is **hot** and *dry*, ~cold~ `x`."),
        ("# Title\n\nText", "**Title**\n\nText"),
        ("- one\n- two\n  - three\n\nEnd", "• one\n• two\n   • three\n\nEnd"),
        ("3. three\n4. four", "3. three\n4. four"),
        ("See [example.com](https://example.com/a).", "See example.com (https://example.com/a)."),
        (
            "Hot [example.com](https://example.com/a) [1](http://127.0.0.1/turns/x/evidence/1/).",
            "Hot example.com (https://example.com/a) .",
        ),
        ("See [~ann](https://example.com/~ann/*a*).", "See \\~ann (https://example.com/\\~ann/\\*a\\*)."),
        ("See <https://example.com/~ann>.", "See https://example.com/\\~ann."),
        ("See [https://example.com/~ann](https://example.com/~ann).", "See https://example.com/\\~ann."),
        ("See [**https://example.com/a**](https://example.com/a).", "See https://example.com/a."),
        ("See <https://example.com/ü>.", "See https://example.com/%C3%BC."),
        ("Ask <ann~b@example.com>.", "Ask ann\\~b@example.com."),
        ("2 * 3 \\* 4 and a~b and a|b", "2 \\* 3 \\* 4 and a\\~b and a|b"),
        ("```\na * b\n```", "`a \\* b`"),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "**a** · **b**\n1 · 2"),
        ("one\ntwo", "one two"),
        ("<b>no</b> ![x](https://evil.example/x.png)", "<b>no</b> !x (https://evil.example/x.png)"),
        ("", ""),
    ],
)
def test_markdown_is_shown_in_signals_own_styles(markdown: str, shown: str) -> None:
    assert styled(markdown) == shown


def test_a_short_text_is_one_part() -> None:
    assert split("Short.") == ["Short."]
    assert split("") == []


def test_parts_end_with_sentences_and_hold_all_words() -> None:
    text = " ".join(f"Sentence {number} is here." for number in range(50))
    parts = split(text, 100, 40)
    assert " ".join(parts) == text
    assert all(part.endswith(".") and len(part) <= 100 for part in parts)


def test_a_text_without_sentences_is_parted_between_words_or_anywhere() -> None:
    assert split("word " * 30, 20, 40)[0] == "word word word word"
    parts = split("x" * 95, 20, 40)
    assert ("".join(parts), max(map(len, parts))) == ("x" * 95, 20)


def test_a_style_that_goes_on_is_closed_and_opened_again() -> None:
    assert split("**one two three. four five six.**", 20, 9) == ["**one two three.**", "**four five six.**"]


def test_a_tilde_in_an_address_is_no_style_that_goes_on() -> None:
    text = styled("Read [this](https://example.com/~ann/notes) first. Then have a cup of tea.")
    assert split(text, 60, 9) == ["Read this (https://example.com/\\~ann/notes) first.", "Then have a cup of tea."]


def test_no_letter_is_parted_from_what_belongs_to_it() -> None:
    family = "👨‍👩‍👧"
    assert all(not part.startswith(("\u200d", "\u0301")) for part in split(family * 12, 7, 99) + split("e\u0301" * 20, 7, 99))


def test_what_is_too_long_for_all_parts_says_where_the_rest_is() -> None:
    parts = split("Word here. " * 100, 100, 3, more_at="http://penny/chat/")
    assert len(parts) == 3
    assert parts[-1].endswith("(The rest is in the chat: http://penny/chat/)")
    assert len(parts[-1]) <= 100
