"""The longest page costs no more than its length, whatever amounts and words of shops it repeats."""

import time

import pytest

from agents.sandbox.offers import offer_in_text
from devices.protocol.pages import PAGE_CHARACTERS

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
    assert _cpu_s(text) < 6 * _cpu_s(text[: PAGE_CHARACTERS // 4]) + 0.05


def _cpu_s(text: str) -> float:
    times = []
    for _ in range(2):
        began = time.thread_time()
        offer_in_text("Lever", text, "EUR")
        times.append(time.thread_time() - began)
    return min(times)
