"""What a parser costs grows as its text does, also with the costliest texts that were found."""

import gc
import time

import pytest

from tests.worst_texts import Parser, parsers

GROWTH, NOTHING_S = 6, 0.1  # of four times the text; what is too short to be compared


@pytest.mark.django_db
@pytest.mark.parametrize("parser", [parser for parser in parsers() if not parser.is_others], ids=lambda it: it.name)
def test_four_times_the_text_costs_at_most_six_times_as_much(parser: Parser) -> None:
    for piece in parser.pieces:
        for _ in range(3):  # another process may disturb a measurement
            short_s, long_s = (cpu_s(parser, piece, length) for length in (parser.bound // 4, parser.bound))
            if long_s < GROWTH * short_s + NOTHING_S:
                break
        else:
            pytest.fail(f"{parser.name}, {piece!r}: {short_s:.2f} s, then {long_s:.2f} s")


def cpu_s(parser: Parser, piece: str, length: int) -> float:
    text = parser.text(piece, length)
    gc.disable()  # a collection looks at all objects of the process, and costs more than most parsers here
    began = time.thread_time()
    try:
        parser.run(text)
        return time.thread_time() - began
    finally:
        gc.enable()
