"""Which amount of a page is the price, and why none is."""

from decimal import Decimal

import pytest

from thoughts.text.prices import price_in

PRICES = [
    ("12 x 70,75 € ohne Zinsen\n849,00 €", "849.00 EUR"),
    ("oder 35,38 € im Monat\n849,00 €", "849.00 EUR"),
    ("UVP 999,00 €\n849,00 €", "849.00 EUR"),
    ("999,00 €\n849,00 €\nSie sparen 150,00 €", "849.00 EUR"),
    ("849,00 €\nzzgl. 4,90 € Versand", "849.00 EUR"),
    ("1,99 €/l\n5,97 €", "5.97 EUR"),
    ("5,97 € (1 l = 1,99 €)", "5.97 EUR"),
    ("£849 £749", "749 GBP"),
    ("Now £749.00\nwas £849.00", "749.00 GBP"),
    ("Lowest price in the last 30 days: 80,00 €\n89,00 €", "89.00 EUR"),
    ("$849.00\nSimilar items\nGrinder\n$5.00", "849.00 USD"),
    ("MRP ₹1,39,900\n₹1,29,999 (7% off)", "129999 INR"),
    ("1 299:-\nOrd. pris 1 599:-", "1299 SEK"),
    ("10x de R$ 84,90 sem juros\nR$ 849,00 à vista", "849.00 BRL"),
    ("$279.99 $349.99\nSave $70.00", "279.99 USD"),
    ("Get $10 off: $849.00", "849.00 USD"),
    ("9,95 €\n0,25 € / 1 Waschladung", "9.95 EUR"),
    ("R$ 59,90 R$ 45,90\nR$ 43,60 no Pix", "45.90 BRL"),
    ("¥12,800(税込¥14,080)", "14080 JPY"),
    ("849,00 €\n100,00- €", "849.00 EUR"),
    ("٨٤٩٫٠٠ ر.س", "849.00 SAR"),
]  # fmt: skip
UNSURE = [
    ("From $5.00 to $9.00", "range"),
    ("ab 5,00 €", "range"),
    ("between $849 and $999", "range"),
    ("Red 5,00 €\nBlue 6,00 €\nGreen 7,00 €", "several"),
    ("24 x 35,38 €", "parts"),
    ("No price at all", ""),
]


@pytest.mark.parametrize(("text", "price"), PRICES)
def test_an_amount_is_taken_for_what_stands_beside_it(text: str, price: str) -> None:
    amount, currency = price.split()
    money = price_in("Lever", f"Lever\n{text}", currency).money
    assert money is not None
    assert (money.amount, money.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize(("text", "why"), UNSURE)
def test_what_may_be_several_prices_is_none_and_why_is_known(text: str, why: str) -> None:
    finding = price_in("Lever", f"Lever\n{text}", "")
    assert (finding.money, finding.unsure) == (None, why)


def test_an_amount_that_the_page_shows_struck_out_is_the_old_price() -> None:
    text = "Lever\n749,00 €\n999,00 €\n849,00 €"
    assert price_in("Lever", text, "EUR").unsure == "several"
    money = price_in("Lever", text, "EUR", struck=["999,00 €", "849,00 €"]).money
    assert money is not None
    assert money.amount == Decimal(749)


def test_a_number_that_is_cut_off_or_negative_is_no_amount() -> None:
    for text in (",99 €", "1.299,00- €", "€ 1.299,00-", "1.29.999 €", "1234.567,89 €", "12,34,56 €"):
        assert price_in("Lever", f"Lever\n{text}", "EUR").money is None, text
