"""Amounts as shops of the world write them, and which of several is the price."""

from __future__ import annotations

from decimal import Decimal

from tests.bench.reality.outcome import Outcome

# Number, the words of the page, the currency that is asked for, and the amount.
AMOUNTS = [
    ("B145", "1 099,00 €", "EUR", "1099"),
    ("B146", "1\u00a0099,00\u00a0€", "EUR", "1099"),
    ("B147", "1'299.00 CHF", "CHF", "1299"),
    ("B150", "1 299:-", "SEK", "1299"),
    ("B151", "1 299 kr", "SEK", "1299"),
    ("B152", "₹1,29,999", "INR", "129999"),
    ("B153", "Rs. 1,29,999.00", "INR", "129999"),
    ("B154", "₹ 12,34,567", "INR", "1234567"),
    ("B155", "$1,600.00", "USD", "1600"),
    ("B156", "1,600.00 $", "CAD", "1600"),
    ("B157", "R$ 2.879,20", "BRL", "2879.20"),
    ("B158", "¥12,800", "JPY", "12800"),
    ("B159", "12,800円", "JPY", "12800"),
    ("B160", "￥１２，８００", "JPY", "12800"),
    ("B162", "€ 12", "EUR", "12"),
    ("B163", "12€50", "EUR", "12.50"),
    ("B167", "140.000 €", "EUR", "140000"),
    ("B169", "0,0079 €", "EUR", "0.0079"),
    ("B170", "USD 1234.5678", "USD", "1234.5678"),
    ("B171", "₩1,234,000", "KRW", "1234000"),
    ("B172", "1 234,56 zł", "PLN", "1234.56"),
    ("B173", "1234,56 Kč", "CZK", "1234.56"),
    ("B174", "12 990 Ft", "HUF", "12990"),
    ("B176", "1,299 €", "EUR", "1299"),
    ("B180", "S/ 1,299.00", "PEN", "1299"),
    ("B181", "лв. 12", "BGN", "12"),
    ("B183", "£1,299.99", "GBP", "1299.99"),
    ("B185", "EUR 1.299,–", "EUR", "1299"),
    ("B186", "1.299,- €", "EUR", "1299"),
    ("B187", "$ 12.999,00 ARS", "ARS", "12999"),
]
# Number, kind, the words of the page, the currency that is asked for, and the price with its currency.
PRICES = [
    ("B203", "K8", "$35.38/mo for 24 months\n$849.00", "USD", "849 USD"),
    ("B204", "K8", "£849.00 £749.00", "GBP", "749 GBP"),
    ("B205", "K8", "Regular price $849.00 Sale price $749.00", "USD", "749 USD"),
    ("B207", "K8", "8,49 € / 100 g\n849,00 €", "EUR", "849 EUR"),
    ("B208", "K8", "Prix barré 29,90 €\n19,90 €", "EUR", "19.90 EUR"),
    ("B209", "K8", "12,90 €\n25,80 €/kg", "EUR", "12.90 EUR"),
    ("B211", "K8", "statt 199,00 € nur 149,00 €", "EUR", "149 EUR"),
    ("B212", "K7", "M.R.P.: ₹1,39,900 ₹1,29,999", "INR", "129999 INR"),
    ("B213", "K7", "1 299:-", "SEK", "1299 SEK"),
    ("B214", "K7", "$ 12.999,00", "ARS", "12999 ARS"),
]


def outcomes() -> list[Outcome]:
    return [_amount(*case) for case in AMOUNTS] + [_price(*case) for case in PRICES]


def _amount(number: str, text: str, currency: str, amount: str) -> Outcome:
    from thoughts.text.money import money_in

    amounts = [(money.amount, money.currency) for money in money_in(text, currency)]
    is_right = amounts == [(Decimal(amount), currency)]
    return Outcome(number, "K7", is_right, f"{text!r} [{currency}]: {amounts}")


def _price(number: str, kind: str, text: str, currency: str, price: str) -> Outcome:
    from agents.sandbox.offers import offer_in_text

    offer = offer_in_text("Lever", f"Lever\n{text}", currency)
    amount, code = price.split()
    is_right = offer is not None and (offer.amount, offer.currency) == (Decimal(amount), code)
    return Outcome(number, kind, is_right, f"{text!r}: {offer}")
