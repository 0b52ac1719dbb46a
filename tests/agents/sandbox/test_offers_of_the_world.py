"""The offers of the bench, in more than 20 languages: read as a careful human reads them, and never wrong."""

import pytest

from tests.bench.offers import cases, try_case
from tests.bench.offers.__main__ import PARTS

RIGHT = 0.95


@pytest.mark.parametrize("part", PARTS)
def test_offers_are_read_right_and_what_is_unsure_is_unknown(part: str) -> None:
    results = [try_case(case) for case in cases(part)]
    assert [f"{result.case.id}: {result.answer}" for result in results if "wrong" in (result.price, result.stock)] == []
    assert sum(result.price == result.stock == "right" for result in results) >= RIGHT * len(results)
