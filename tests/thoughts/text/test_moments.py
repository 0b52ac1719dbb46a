"""The moment of a passage in a transcript, and the address that leads to it."""

import pytest

from agents.answers.citations import passages
from agents.zones.quotes import find_span
from thoughts.text.chunks import chunk_spans, chunk_words
from thoughts.text.moments import moment_of, moment_url, moment_words

PAGE = """# Levers

[9:59] stands here, before the transcript.

## Transcript

[0:04] A lever has a spring. Nine bars press.
[12:34] Achille Gaggia filed his patent in 1938.
[1:02:03] It was sold in Milan."""


@pytest.mark.parametrize(
    ("words", "moment"),
    [
        ("stands here", None),
        ("A lever has", 4),
        ("Nine bars press.", 4),
        ("[12:34] Achille", 754),
        ("Achille", 754),
        ("in Milan.", 3723),
    ],
)
def test_a_passage_has_the_moment_of_the_nearest_mark_before_it(words: str, moment: int | None) -> None:
    assert moment_of(PAGE, PAGE.index(words)) == moment


def test_without_a_transcript_or_marks_there_is_no_moment() -> None:
    assert moment_of("[0:04] Words of a page.", 8) is None
    assert moment_of("## Transcript\n\nWords without a time.", 16) is None
    assert moment_of("A ## Transcript\n[0:04] is no heading", 24) is None
    assert moment_of("## Transcript\n\n[99999:99] Words", 26) is None


@pytest.mark.parametrize("seconds", [0, 59, 754, 3723, 359_999])
def test_a_moment_is_written_as_its_mark_and_read_again(seconds: int) -> None:
    assert moment_of(f"## Transcript\n\n[{moment_words(seconds)}] Words", 30) == seconds


@pytest.mark.parametrize(
    ("url", "there"),
    [
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=754s"),
        ("https://video.example/watch?v=a&t=3&list=b#c", "https://video.example/watch?v=a&list=b&t=754s"),
        ("https://youtu.be/dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?t=754s"),
        ("https://m.youtube.com/live/dQw4w9WgXcQ", "https://m.youtube.com/live/dQw4w9WgXcQ?t=754s"),
        ("https://pod.example/1?a=b#part", "https://pod.example/1?a=b#t=754"),
        (
            "https://youtube.com.evil.example/live/dQw4w9WgXcQ",
            "https://youtube.com.evil.example/live/dQw4w9WgXcQ#t=754",
        ),
        ("https://shop.example/watch?brand=v", "https://shop.example/watch?brand=v#t=754"),
        ("javascript:alert(1)//watch?v=a", ""),
        ("data:text/html,watch?v=a", ""),
        ("//evil.example/watch?v=a", ""),
        ("https://[x]/", ""),
        ("", ""),
    ],
)
def test_the_address_of_a_moment_is_the_pages_own_on_the_web(url: str, there: str) -> None:
    assert moment_url(url, 754) == there


def test_words_to_find_have_no_marks_and_lead_to_a_moment() -> None:
    spans = chunk_spans(PAGE)
    words = " ".join(chunk_words(PAGE[start:end]) for start, end in spans)
    assert "Nine bars press.\nAchille Gaggia" in words
    assert "12:34" not in words
    assert {moment_of(PAGE, end - 1) for _, end in spans} >= {3723}


def test_claims_of_a_transcript_are_its_sentences_without_marks() -> None:
    claims = [claim for claim in passages(PAGE) if "Gaggia" in claim.text]
    assert [claim.text for claim in claims] == ["Achille Gaggia filed his patent in 1938."]
    assert moment_of(PAGE, claims[0].start) == 754


@pytest.mark.parametrize(
    "quote",
    [
        "Nine bars press. Achille Gaggia filed",
        "Nine bars press. [12:34] Achille Gaggia filed",
        "[0:04] A lever has a spring. Nine bars press. [12:34] Achille Gaggia filed",
    ],
)
def test_a_quote_over_two_lines_is_found_with_and_without_their_marks(quote: str) -> None:
    span = find_span(quote, PAGE)
    assert span is not None
    assert PAGE[span.start : span.end].endswith("Nine bars press.\n[12:34] Achille Gaggia filed")
    assert moment_of(PAGE, span.start) == 4
