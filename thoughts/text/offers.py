"""Recognise prices and stock in page text and in structured data.

Imports no Django: the sandbox uses this too.
"""

import re
from collections.abc import Iterator
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
    "presale": "out", "out": "out",
    "unavailable": "out", "oos": "out",
}  # fmt: skip


_IN_WORDS = re.compile(
    r"\b(?:in stock|available now|ready to ship|add to (?:cart|basket|bag)|auf lager|sofort "
    r"lieferbar|sofort verfügbar|in den warenkorb"
    r"|en stock|ajouter au panier|en existencias|añadir al carrito|disponibile|aggiungi al carrello|op voorraad)\b",
    re.IGNORECASE,
)


_OUT_WORDS = re.compile(
    r"\b(?:out of stock|sold out|not in stock|no longer available|currently unavailable|temporarily "
    r"unavailable|not available|ausverkauft"
    r"|nicht auf lager|nicht lieferbar|nicht verfügbar|derzeit nicht|vergriffen"
    r"|rupture de stock|épuisé|indisponible|agotado|sin existencias"
    r"|esaurito|non disponibile|niet op voorraad|uitverkocht|notify me when|back ?order)\b",
    re.IGNORECASE,
)


_NOT_IT = re.compile(
    r"\b(?:shipping|delivery|postage|versand|lieferung|livraison|envío|spedizione|was|instead "
    r"of|statt|uvp|rrp|msrp|list price|before"
    r"|save|spar\w*|off|ab|from|per month|monat\w*|/ "
    r"?mo|installment|rate|deposit|pfand|coupon|voucher|gutschein|free over|over)\b",
    re.IGNORECASE,
)


_LABEL = re.compile(r"\b(?:price|preis|prix|precio|prezzo|prijs|now|jetzt|only|nur|today|heute)\b", re.IGNORECASE)


def span_of(amount: Decimal, currency: str, text: str) -> Money | None:
    """Return where a text contains an amount, in this currency if one is given."""
    return next(
        (
            money
            for money in money_in(text, currency)
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


def stock_in(text: str) -> Stock:
    """Return the stock that a text states; unknown if it states both or neither."""
    is_out = bool(_OUT_WORDS.search(text))
    is_in = bool(_IN_WORDS.search(_OUT_WORDS.sub(" ", text)))
    if is_in == is_out:
        return "unknown"
    return "in" if is_in else "out"


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


def price_in(title: str, text: str, currency: str) -> Money | None:
    """Return the amount that is likeliest the price.

    Prefers an amount whose line has a word for "price", then the first amount that no word rules out.
    """
    likely = list(_likely(text, currency, _after_title(title, text))) or list(_likely(text, currency, 0))
    in_currency = (
        [(money, is_labelled) for money, is_labelled in likely if money.currency == currency] if currency else []
    )
    candidates = in_currency or likely
    labelled = next((money for money, is_labelled in candidates if is_labelled), None)
    return labelled or (candidates[0][0] if candidates else None)


def _likely(text: str, currency: str, start: int) -> Iterator[tuple[Money, bool]]:
    """Yield the amounts from `start` on that no word rules out, with whether labelled a price."""
    for money in money_in(text, currency):
        before = text[text.rfind("\n", 0, money.start) + 1 : money.start][-60:]
        behind = text[money.end : money.end + 20].partition("\n")[0]
        if (
            money.start >= start
            and not _NOT_IT.search(before)
            and not re.search(r"\b(?:off|per|/|shipping|versand|rabatt)", behind, re.I)
        ):
            yield money, bool(_LABEL.search(before))


def _after_title(title: str, text: str) -> int:
    """Return where the page's own name begins in its text; 0 if the text does not contain it."""
    name = re.split(r"\s+[|–—·-]\s+", title)[0].strip()
    place = text.lower().find(name.lower()) if len(name) > 3 else -1
    return max(place, 0)
