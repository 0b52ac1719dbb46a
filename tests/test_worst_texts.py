"""What a parser costs grows as its text does, also with the costliest texts that were found."""

import pytest

from tests.cpu_time import check_growth
from tests.worst_texts import Parser, parsers

ENOUGH_S = 0.1  # what costs as much with an eighth of the longest text is compared there


@pytest.mark.django_db
@pytest.mark.parametrize("part", [2, pytest.param(1, marks=pytest.mark.long)], ids=["half", "whole"])
@pytest.mark.parametrize("parser", [parser for parser in parsers() if not parser.is_others], ids=lambda it: it.name)
def test_four_times_the_text_costs_at_most_six_times_as_much(parser: Parser, part: int) -> None:
    for piece in parser.pieces:
        for bound in (parser.bound // 8, parser.bound // part):
            quarter, whole = (parser.text(piece, length) for length in (bound // 4, bound))
            if check_growth(parser.run, quarter, whole, f"{parser.name}, {piece!r}") > ENOUGH_S:
                break
