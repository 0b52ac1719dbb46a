"""Recognise prices and stock in structured data, and find an amount in a page's text.

Imports no Django: the sandbox uses this too.
"""

import re
from decimal import Decimal
from typing import Literal

from thoughts.text.money import MOST, THREE_PLACES, Money, money_in, read_money

Stock = Literal["in", "out", "unknown"]
Origin = Literal["json_ld", "microdata", "open_graph", "typed", "text", "model"]

# Properties that lead to other products than the page's own.
ELSEWHERE = {
    "isrelatedto",
    "issimilarto",
    "isaccessoryorsparepartfor",
    "isconsumablefor",
    "review",
    "reviews",
    "itemlistelement",
    "author",
}

NOT_THE_PRICE = {"listprice", "msrp", "srp", "strikethroughprice", "suggestedretailprice", "regularprice"}

STOCKS: dict[str, Stock] = {
    "instock": "in", "instoreonly": "in", "onlineonly": "in", "limitedavailability": "in", "limited": "in", "in": "in",
    "available": "in",
    "outofstock": "out", "soldout": "out", "discontinued": "out", "backorder": "out", "preorder": "out",
    "presale": "out", "out": "out", "unavailable": "out", "oos": "out",
}  # fmt: skip


def span_of(amount: Decimal, currency: str, text: str, home: str = "") -> Money | None:
    """Return where a text contains an amount, in this currency if one is given."""
    return next(
        (
            money
            for money in money_in(text, currency, home)
            if money.amount == amount and (not currency or money.currency == currency)
        ),
        None,
    )


def stock_of(value: object) -> Stock:
    """Return the stock that a word or an address of schema.org stands for."""
    word = (
        re.sub(r"[^a-z]", "", value.strip().lower().replace("#", "/").rsplit("/", 1)[-1])
        if isinstance(value, str)
        else ""
    )
    return STOCKS.get(word, "unknown")


def price_of(value: object, currency: str) -> Decimal | None:
    """Parse a price in data: a number, digits with a point, or written text.

    None for anything else.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str):
        text = value.strip()[:40]
        if not re.fullmatch(r"\d{1,9}(\.\d{1,2}|\.\d{4})?", text) and not (
            currency in THREE_PLACES and re.fullmatch(r"\d{1,9}\.\d{3}", text)
        ):
            money = read_money(text, currency)
            return money.amount if money else None
        amount = Decimal(text)
    elif isinstance(value, int) or (value == value and abs(value) < float(MOST)):
        amount = round(Decimal(str(value)), 4) if abs(value) < MOST else MOST
    else:
        return None
    return amount if 0 < amount < MOST else None


def last_word(value: object) -> str:
    return value.replace("#", "/").rsplit("/", 1)[-1].lower()[:60] if isinstance(value, str) else ""
