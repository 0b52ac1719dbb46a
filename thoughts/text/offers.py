import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from thoughts.text.money import MOST, THREE_PLACES, Money, money_in, read_money

Stock = Literal["in", "out", "unknown"]


Origin = Literal["json_ld", "microdata", "open_graph", "typed", "text", "model"]


# What leads to other products than the page's own.
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
    """Return where a text says an amount: in this currency, if one is named."""
    return next(
        (
            each
            for each in money_in(text, currency)
            if each.amount == amount and (not currency or each.currency == currency)
        ),
        None,
    )


def stock_of(value: object) -> Stock:
    """Return what a word or an address of schema.org says of the stock."""
    word = (
        re.sub(r"[^a-z]", "", value.strip().lower().replace("#", "/").rsplit("/", 1)[-1])
        if isinstance(value, str)
        else ""
    )
    return STOCKS.get(word, "unknown")


def stock_in(text: str) -> Stock:
    """Return what a text says of the stock; what it says both ways cannot be told."""
    is_out = bool(_OUT_WORDS.search(text))
    is_in = bool(_IN_WORDS.search(_OUT_WORDS.sub(" ", text)))
    if is_in == is_out:
        return "unknown"
    return "in" if is_in else "out"


def price_of(value: object, currency: str) -> Decimal | None:
    """Return a price as data says it: a number, digits with a point, or written as people do. None for anything
    else.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str):
        text = value.strip()[:40]
        if not re.fullmatch(r"\d{1,9}(\.\d{1,2}|\.\d{4})?", text) and not (
            currency in THREE_PLACES and re.fullmatch(r"\d{1,9}\.\d{3}", text)
        ):
            found = read_money(text, currency)
            return found.amount if found else None
        amount = Decimal(text)
    elif isinstance(value, int) or (value == value and abs(value) < float(MOST)):
        amount = round(Decimal(str(value)), 4) if abs(value) < MOST else MOST
    else:
        return None
    return amount if 0 < amount < MOST else None


def last_word(value: object) -> str:
    return value.replace("#", "/").rsplit("/", 1)[-1].lower()[:60] if isinstance(value, str) else ""


def price_in(title: str, text: str, currency: str) -> Money | None:
    """Return the amount that is likeliest the price: in a line that says so, else the first one that nothing speaks
    against.
    """
    likely = list(_likely(text, currency, _after_title(title, text))) or list(_likely(text, currency, 0))
    asked = [each for each in likely if each[0].currency == currency] if currency else []
    found = asked or likely
    named = next((money for money, is_named in found if is_named), None)
    return named or (found[0][0] if found else None)


def _likely(text: str, currency: str, start: int) -> Iterator[tuple[Money, bool]]:
    """Yield the amounts behind `start` that nothing speaks against, each with whether its line names it the price."""
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
    """Return where the page's own name ends in its text; 0 where it does not stand there."""
    name = re.split(r"\s+[|–—·-]\s+", title)[0].strip()
    place = text.lower().find(name.lower()) if len(name) > 3 else -1
    return max(place, 0)
