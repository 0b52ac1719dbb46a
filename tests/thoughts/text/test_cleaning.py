"""Cleaning keeps the visible characters of text from the web, whatever the device sent."""

import random
import unicodedata

import pytest
import regex

from thoughts.text.cleaning import clean_line, clean_text

INVISIBLE = regex.compile(r"[\p{Default_Ignorable_Code_Point}\x00-\x08\x7f-\x9f]")
STRAY = regex.compile(r"(?<![\p{Emoji}\ufe0f\U000E0061-\U000E007A])[\u200d\ufe0f\U000E0061-\U000E007F]")
IGNORABLE = [chr(point) for point in range(0x110000) if not 0xD800 <= point <= 0xDFFF and INVISIBLE.match(chr(point))]
TAGGED = "".join(chr(0xE0000 + ord(letter)) for letter in "obey me")
EMOJI = [
    *("😀", "❤️", "☎️", "1️⃣", "#️⃣", "*️⃣", "🇩🇪", "🇯🇵", "👍🏽", "👩‍💻", "👩🏿‍🚀", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🏴‍☠️"),
    *("👩‍❤️‍💋‍👨", "🤷‍♀️", "🏃🏽‍♂️", "🧑🏻‍🤝‍🧑🏿", "👁️‍🗨️", "❤️‍🔥", "⛹️‍♀️", "🕵️‍♂️", "🐻‍❄️"),
    *("\U0001f3f4" + "".join(chr(0xE0000 + ord(c)) for c in region) + "\U000e007f" for region in ("gbeng", "gbsct",
        "gbwls")),
]  # fmt: skip


@pytest.mark.parametrize("emoji", EMOJI)
def test_a_real_emoji_stays_whole(emoji: str) -> None:
    assert clean_text(f"a {emoji} b{emoji}") == f"a {emoji} b{emoji}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pass\u200bword\u200c\u200d\ufeff", "password"),
        ("hy\u00adphen", "hyphen"),
        ("a\u202eb\u2066c\u2069", "abc"),
        (f"seen{TAGGED}", "seen"),
        (f"\U0001f3f4{TAGGED}\U000e007f", "\U0001f3f4"),
        ("a\u3164b\u115fc\uffa0", "abc"),
        ("a\ufe0fb\U000e0100", "ab"),
        ("😀\ufe0f", "😀"),
        ("❤\ufe0f\ufe0f", "❤\ufe0f"),
        ("👩\u200d\u200d💻", "👩💻"),
        ("\u200d💻\u200d", "💻"),
        ("a\u034f\u0301", "á"),
        ("a\0b\x07c\x9f", "abc"),
        ("ｆｕｌｌ ﬁne ① 35 m² ½", "ｆｕｌｌ ﬁne ① 35 m² ½"),
        ("می\u200cخواهم क\u094d\u200dष", "می\u200cخواهم क\u094d\u200dष"),
        ("می\u200c\u200cخواهم \u200cخواهم", "میخواهم خواهم"),
        ("one\ttwo\nthree", "one\ttwo\nthree"),
        ("Grüße, 日本語, עברית, हिन्दी – “quoted” €", "Grüße, 日本語, עברית, हिन्दी – “quoted” €"),
    ],
)
def test_what_cannot_be_seen_is_gone(text: str, expected: str) -> None:
    assert clean_text(text) == expected


def test_no_invisible_character_is_left_outside_an_emoji_wherever_it_stood() -> None:
    """Uses 3,000 random texts of letters, emoji and invisible characters.

    Cleaning twice must equal cleaning once.
    """
    chance = random.Random(7)
    alphabet = [*"abc 19#\n\u0301", *EMOJI, *(character for emoji in EMOJI for character in emoji)]
    for _ in range(3_000):
        text = "".join(
            chance.choice(alphabet) if chance.random() < 0.5 else chance.choice(IGNORABLE) for _ in range(24)
        )
        cleaned = clean_text(text)
        invisible = INVISIBLE.findall(cleaned)
        assert set(invisible) <= set("\u200d\ufe0f") | {chr(point) for point in range(0xE0061, 0xE0080)}, ascii(text)
        assert clean_text(cleaned) == cleaned == unicodedata.normalize("NFC", cleaned), ascii(text)
        assert not STRAY.search(cleaned), ascii(text)


def test_every_invisible_character_between_letters_goes() -> None:
    assert len(IGNORABLE) > 4_000
    assert clean_text("".join(f"a{character}" for character in IGNORABLE)) == "a" * len(IGNORABLE)


def test_a_line_is_cleaned_too() -> None:
    assert clean_line(" a\u200b\n b ") == "a b"
