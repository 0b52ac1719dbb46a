"""The longest page costs no more than its length, whatever amounts and words of shops it repeats."""

import pytest

from agents.sandbox.offers import offer_in_text
from devices.protocol.pages import PAGE_CHARACTERS
from tests.cpu_time import check_growth

WORST = [
    "1 ", "1 111 ", "1,111", "1'", "1.", "€", "$1$1", "€ 1 ", "1 €/", "99€99", "12x ", "12 cuotas de ", "1-1-", "/ kg ",
    "was 5 € now 4 €\n", "5 €\n", "٬١", "¥12,800円", "in stock ", "in stock? ", "not in stock ", "0 ",
    "notify me when ",
    "available in ", "if when in stock ", "pre-order ", "Auf Lager\n", "在庫あり", "残り", "推荐商品",
    "Similar ", "(((", "İ", "ﷺ",
]  # fmt: skip


@pytest.mark.parametrize("piece", WORST)
def test_the_longest_page_costs_no_more_than_its_length(piece: str) -> None:
    offer_in_text("Lever", piece * 4, "EUR")  # reads the lists of words
    text = piece * (PAGE_CHARACTERS // len(piece))
    check_growth(lambda part: offer_in_text("Lever", part, "EUR"), text[: PAGE_CHARACTERS // 4], text, repr(piece))
