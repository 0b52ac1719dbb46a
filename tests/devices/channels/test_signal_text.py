"""Markdown in the styles of Signal."""

import pytest

from devices.channels.channel import Limits
from devices.channels.parts import split_parts
from devices.channels.signal.text import LIMITS, styled


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
    assert split_parts(text, Limits(60, 9, LIMITS.marks)) == [
        "Read this (https://example.com/\\~ann/notes) first.",
        "Then have a cup of tea.",
    ]
