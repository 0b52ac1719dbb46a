"""Markdown in the styles of Signal."""

import random

import pytest

from devices.channels.channel import Limits
from devices.channels.parts import split_parts
from devices.channels.signal.text import LIMITS, styled
from tests.stand_ins.signal_phone import show_on_phone


@pytest.mark.parametrize(
    ("markdown", "styled_text"),
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
def test_markdown_is_shown_in_signals_own_styles(markdown: str, styled_text: str) -> None:
    assert styled(markdown) == styled_text


def test_a_tilde_in_an_address_is_no_style_that_goes_on() -> None:
    text = styled("Read [this](https://example.com/~ann/notes) first. Then have a cup of tea.")
    assert split_parts(text, Limits(60, 9, close_parts=LIMITS.close_parts)) == [
        "Read this (https://example.com/\\~ann/notes) first.",
        "Then have a cup of tea.",
    ]


@pytest.mark.parametrize(
    ("markdown", "text", "styles"),
    [
        (r"`grep 'a\|b' f`", r"grep 'a\|b' f", {"grep 'a\\|b' f": "`"}),
        ("```\nsed 's/a\\|b/x/'\n```", r"sed 's/a\|b/x/'", {"sed 's/a\\|b/x/'": "`"}),
        (r"C:\\**name**", "C:\\name", {"name": "**"}),
        ("***both***", "both", {"both": "***"}),
        ("*a **b** c*", "a b c", {"b": "**", "a b c": "*"}),
        ("*a***b**", "ab", {"a": "*", "b": "**"}),
        (r"`C:\`", "C:\\", {}),
        ("a || b ||| c", "a || b ||| c", {}),
        (r"\*\***x**", "**x", {"x": "**"}),
        ("# T `c`", "T c", {"c": "`", "T c": "**"}),
    ],
)
def test_a_phone_shows_the_text_and_its_styles(markdown: str, text: str, styles: dict[str, str]) -> None:
    phone = show_on_phone(styled(markdown))
    assert phone.text == text
    assert {words: "".join(sorted(marks)) for words, marks in phone.styles.items()} == styles
    assert not phone.left_open


PIECES = ["*", "**", "***", "~~", "`", "\\", "|", "||", "a", "b. ", " ", "\n", "[x](http://a)", "字", "。"]


def test_no_style_stays_open_in_any_part() -> None:
    chance = random.Random(4)
    for _ in range(1500):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 14))) + " and then **bold and *more* of it** here."
        for part in split_parts(styled(text + text), Limits(60, 9, in_bytes=True, close_parts=LIMITS.close_parts)):
            assert not show_on_phone(part).left_open, (text, part)
