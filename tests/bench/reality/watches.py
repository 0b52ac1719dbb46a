"""Watches of prices and stock over visits to a page that says something misleading: what the owner is told."""

from __future__ import annotations

import json
import os
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from tests.bench.reality.outcome import Outcome

if TYPE_CHECKING:
    from thoughts.models.watches import Observation

URL = "https://shop.example/lever"
NAME, OTHER_NAME = "Lever espresso machine", "Cup of the house"
OUT, IN = "https://schema.org/OutOfStock", "https://schema.org/InStock"


def _product(name: str, price: float, availability: str, path: str) -> dict[str, Any]:
    offer = {"@type": "Offer", "price": price, "priceCurrency": "EUR", "availability": availability}
    return {"@type": "Product", "name": name, "url": f"https://shop.example/{path}", "offers": offer}


SUGGESTED_FIRST = [_product(OTHER_NAME, 4.5, IN, "cup"), _product(NAME, 849, OUT, "lever")]
VARIANTS = [
    {
        "@type": "ProductGroup",
        "name": NAME,
        "hasVariant": [_product(f"{NAME} red", 849, OUT, "red"), _product(f"{NAME} blue", 849, IN, "blue")],
    }
]
# Number, kind, what the watch waits for ("below 300 EUR" or "back"), the page's words, what is told, its JSON-LD.
CASES: list[tuple[str, str, str, str, str, list[Any]]] = [
    ("B189", "K6", "back", "849,00 €\nNot currently in stock", "", []),
    ("B190", "K6", "back", "849,00 €\n0 in stock", "", []),
    ("B191", "K6", "back", "849,00 €\nWill be back in stock soon", "", []),
    ("B193", "K6", "back", "849,00 €\nPas en stock", "", []),
    ("B194", "K6", "back", "849,00 €\nNiet meer op voorraad", "", []),
    ("B195", "K6", "back", "849,00 €\nTemporarily out of stock", "", []),
    ("B197", "K7", "below 100000 INR", "₹1,29,999\nIn stock", "", []),
    ("B198", "K8", "below 300 GBP", "4 x £212.25 with an instalment plan\n£849.00", "", []),
    ("B199", "K8", "below 300 EUR", "42,45 € / kg\n849,00 €", "", []),
    ("B200", "K8", "below 800 EUR", "849,00 € 749,00 €", "below", []),
    ("B201", "K9", "below 300 EUR or back", "849,00 €\nSold out", "", SUGGESTED_FIRST),
    ("B202", "K9", "back", "849,00 €", "back", VARIANTS),
]


def outcomes() -> list[Outcome]:
    from tests import environment  # noqa: F401  before the settings are read

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "penny_site.settings")
    import django

    django.setup()
    return [_try_watch(*case) for case in CASES]


def _try_watch(number: str, kind: str, wish: str, words: str, reported: str, json_ld: list[Any]) -> Outcome:
    from thoughts.models.watches import Watch
    from thoughts.watches.changes import settle_price

    amount, currency = _threshold(wish)
    watch = Watch(url=URL, below=amount, currency=currency, when_back="back" in wish, is_in_stock=False)
    before, reports = None, list[str]()
    for _ in range(4):
        visit = _visit(watch, words, json_ld)
        reports += settle_price(watch, visit, before).reports
        before = visit
    all_reports = " ".join(reports)
    return Outcome(
        number, kind, all_reports == reported, f"{words!r}: told {all_reports!r}, read {before and before.money}"
    )


def _threshold(wish: str) -> tuple[Decimal | None, str]:
    if not wish.startswith("below"):
        return None, "EUR"
    _, amount, currency, *_ = wish.split()
    return Decimal(amount), currency


def _visit(watch: Any, words: str, json_ld: list[Any]) -> Observation:
    """Return what a visit without a model reads of the page."""
    from agents.sandbox.offers import read_offer
    from agents.zones.reader_answers import Offer
    from agents.zones.sandbox_messages import ReadingRequest
    from thoughts.models.watches import Observation

    request = ReadingRequest(
        title=f"{NAME} | Shop",
        text=f"{NAME}\n{words}",
        domain="shop.example",
        question="?",
        wants_offer=True,
        currency=watch.currency,
        facts=json.dumps({"json_ld": json_ld} if json_ld else {}),
        url=URL,
    )
    offer = read_offer(request).offer or Offer(source="text")
    return Observation(
        price=Decimal(offer.price) if offer.price else None,
        currency=offer.currency,
        stock=offer.stock,
        unsure=offer.unsure,
    )
