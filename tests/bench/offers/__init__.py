"""Offers of shops in many languages, each with the price, currency and stock that a careful human reads.

The code was written with `first.txt`, then measured with `second.txt`, which was written later (143 of 153 right, none
wrong), then mended by it. An offer begins with
`## id host | title | amount currency | stock [| metadata in JSON]`; the lines below are the page's text. `?` stands for
what the page does not say for certain.

A price is what anyone pays once for the page's item now: no range, no instalment, no member's or coupon's price.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from agents.zones.reader_answers import Offer
from agents.zones.sandbox_messages import ReadingRequest

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Case:
    """An offer as the extension delivers it. `price` is "amount currency"; it and `stock` may be "?"."""

    id: str
    host: str
    title: str
    price: str
    stock: str
    text: str
    facts: str = ""

    def request(self) -> ReadingRequest:
        return ReadingRequest(
            title=self.title,
            text=self.text,
            domain=self.host,
            question="What does it cost?",
            wants_offer=True,
            facts=self.facts,
            url=f"https://{self.host}/item",
        )


@dataclass(frozen=True)
class Result:
    """What was read of a case: `price` and `stock` each right, wrong or missed.

    Wrong is a value that the human does not read; missed is a value that was not read.
    """

    case: Case
    price: str
    stock: str
    answer: str


def cases(name: str) -> list[Case]:
    parts = (FOLDER / f"{name}.txt").read_text().split("\n## ")
    return [_case(part.removeprefix("## ")) for part in parts if part.strip()]


def try_case(case: Case) -> Result:
    from agents.sandbox.offers import read_offer

    offer = read_offer(case.request()).offer
    price = f"{Decimal(offer.price).normalize():f} {offer.currency}" if offer and offer.price else "?"
    stock = offer.stock if offer and offer.stock != "unknown" else "?"
    answer = f"{price} {stock} {_reasons(offer)}".strip()
    return Result(case, _compare(price, case.price), _compare(stock, case.stock), answer)


def _case(part: str) -> Case:
    head, _, text = part.partition("\n")
    name, title, price, stock, *facts = (field.strip() for field in head.split("|", 4))
    case_id, host = name.split()
    if facts:
        json.loads(facts[0])
    return Case(case_id, host, title, price, stock, text.strip(), facts[0] if facts else "")


def _compare(value: str, expected: str) -> str:
    return "right" if value == expected else "missed" if value == "?" else "wrong"


def _reasons(offer: Offer | None) -> str:
    return offer.unsure if offer else ""
