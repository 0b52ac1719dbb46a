"""Thousands of invented shops with known prices, in the styles of many countries and forms."""

import json
import random
from collections import Counter
from decimal import Decimal
from typing import Any

import pytest

from agents.sandbox.offers import read_offer
from agents.zones.reader_answers import is_true_to
from agents.zones.sandbox_messages import ReadingRequest

# How a country writes prices: thousands separator, decimal separator, and the place of the mark around the amount {}.
COUNTRIES = [
    ("USD", ",", ".", "${}"), ("USD", ",", ".", "US$ {}"), ("USD", ",", ".", "{} USD"), ("GBP", ",", ".", "£{}"),
    ("EUR", ".", ",", "{} €"), ("EUR", ".", ",", "€ {}"), ("EUR", "\u202f", ",", "{}\u00a0€"), ("EUR", " ", ",",
    "{} EUR"),
    ("CHF", "'", ".", "CHF {}"), ("CHF", "’", ".", "Fr. {}"), ("PLN", " ", ",", "{} zł"), ("CZK", " ", ",", "{} Kč"),
    ("INR", ",", ".", "₹{}"), ("SEK", " ", ",", "{} SEK"), ("JPY", ",", "", "¥{}"), ("JPY", ",", "", "{}円"), ("KRW",
    ",", "", "₩{}"),
    ("BRL", ".", ",", "R$ {}"),
]  # fmt: skip
STOCKS = {
    "in": ["InStock", "LimitedAvailability", "OnlineOnly"],
    "out": ["OutOfStock", "SoldOut", "Discontinued"],
    "unknown": ["MadeToOrder"],
}
SAID = {
    "in": ["In stock", "Add to cart", "Auf Lager", "En stock"],
    "out": ["Sold out", "Ausverkauft", "Rupture de stock"],
    "unknown": [""],
}
NAMES = [
    "Lever espresso machine",
    "Copper hand grinder",
    "Walnut tamper",
    "Brass kettle 0.9",
    "Scale with a timer",
    "Paper filters 100",
]
FORMS = ["json_ld", "graph", "offers", "range", "specification", "microdata", "open_graph", "text", "label", "was"]


def write_price(amount: Decimal, country: tuple[str, str, str, str], *, with_mark: bool = True) -> str:
    _, thousands, cents, form = country
    whole, _, rest = f"{amount:,.{2 if cents else 0}f}".partition(".")
    text = whole.replace(",", thousands) + (f"{cents}{rest}" if cents else "")
    return form.format(text) if with_mark else text


def shop(dice: random.Random) -> tuple[ReadingRequest, tuple[Decimal, str, str], str]:
    """Return a page, its price, currency and stock, and the form of its offer."""
    country, form, name = dice.choice(COUNTRIES), dice.choice(FORMS), dice.choice(NAMES)
    code, stock = country[0], dice.choice(list(STOCKS))
    amount = Decimal(dice.randint(100, 99_999_999 if dice.random() < 0.2 else 99_999)) / 100
    amount = amount if country[2] else max(Decimal(int(amount)), Decimal(1))
    dearer = amount * 2
    facts: dict[str, Any] = {}
    lines = [
        "Shop of the brothers",
        name,
        write_price(amount, country),
        dice.choice(SAID[stock]),
        "A thing that is made to last.",
    ]
    offer = {"@type": "Offer", "price": dice.choice([str(amount), float(amount)]), "priceCurrency": code}
    offer["availability"] = dice.choice(["https://schema.org/", "http://schema.org/", ""]) + dice.choice(STOCKS[stock])
    beside = {"@type": "Product", "name": "Something else", "offers": offer | {"price": "1.50"}}
    own: dict[str, Any] = {"@type": "Product", "name": name}
    if form == "json_ld":
        facts = {"json_ld": [own | {"offers": offer, "isRelatedTo": [beside]}]}
    elif form == "graph":
        facts = {
            "json_ld": [
                {"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, beside, own | {"offers": [offer]}]}
            ]
        }
    elif form == "offers":
        facts = {"json_ld": [own | {"offers": [offer | {"price": str(dearer)}, offer]}]}
    elif form == "range":
        del offer["price"]
        facts = {
            "json_ld": [
                own | {"offers": offer | {"@type": "AggregateOffer", "lowPrice": str(amount), "highPrice": str(dearer)}}
            ]
        }
    elif form == "specification":
        del offer["price"]
        usual = {"price": str(dearer), "priceCurrency": code, "priceType": "https://schema.org/ListPrice"}
        facts = {
            "json_ld": [
                own | {"offers": offer | {"priceSpecification": [usual, {"price": str(amount), "priceCurrency": code}]}}
            ]
        }
    elif form == "microdata":
        properties = {
            "price": write_price(amount, country, with_mark=False),
            "priceCurrency": code,
            "availability": offer["availability"],
        }
        item = {"type": "http://schema.org/Offer", "properties": properties}
        facts = {"microdata": [{"type": "http://schema.org/Product", "properties": {"name": name, "offers": item}}]}
    elif form == "open_graph":
        facts = {"open_graph": {"product:price:amount": str(amount), "product:price:currency": code}}
        facts["open_graph"] |= {"product:availability": {"in": "in stock", "out": "oos", "unknown": "whatever"}[stock]}
        lines[3] = ""
    elif form == "label":
        lines[2:3] = [f"Save {write_price(amount / 4, country)} today", f"Price: {write_price(amount, country)}"]
    elif form == "was":
        lines[2:3] = [
            f"Was {write_price(dearer, country)}",
            write_price(amount, country),
            f"Shipping {write_price(Decimal(5), country)}",
        ]
    request = ReadingRequest(
        title=f"{name} | Shop",
        text="\n".join(lines),
        domain="shop.example",
        question="?",
        wants_offer=True,
        currency=dice.choice(["", code]),
        facts=json.dumps(facts),
        url="https://shop.example/thing",
    )
    return request, (amount, code, stock), form


def wrong_offers(count: int, seed: int) -> list[str]:
    """Return the offers among `count` shops that are read wrong."""
    dice, wrong = random.Random(seed), list[str]()
    for _ in range(count):
        request, (amount, code, stock), form = shop(dice)
        reading = read_offer(request)
        assert is_true_to(reading, request.text, wants_offer=True)
        offer = reading.offer
        result = (Decimal(offer.price or 0), offer.currency, offer.stock) if offer else None
        if result != (amount, code, stock):
            wrong.append(f"{form}: {result} instead of {(amount, code, stock)} in {request.text!r} {request.facts}")
    return wrong


def test_what_shops_sell_is_read_as_it_is_written() -> None:
    assert wrong_offers(400, 1) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 12))
def test_that_holds_for_twenty_thousand_of_them(seed: int) -> None:
    wrong = wrong_offers(2000, seed)
    assert not wrong, (Counter(line.partition(":")[0] for line in wrong), wrong[:5])
