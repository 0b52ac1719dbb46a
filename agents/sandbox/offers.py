"""What a page sells: price, currency and stock, by what it says about itself or by its text. Knows no Django; the
sandbox runs it.

What a page says about itself comes in the shapes of extruct: JSON-LD nodes, microdata items, Open Graph pairs.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agents.zones.reader_answers import Offer, Reading, priced
from agents.zones.sandbox_messages import ReadingRequest
from thoughts.text.money import Money, code_of, read_money
from thoughts.text.offers import (
    ELSEWHERE,
    NOT_THE_PRICE,
    Origin,
    Stock,
    last_word,
    price_in,
    price_of,
    span_of,
    stock_in,
    stock_of,
)

Node = dict[str, Any]

NODES_MAX, DEEPEST, OFFERS_MAX, TEXTS_MAX = 3000, 12, 200, 200


@dataclass(frozen=True)
class Found:
    """What one source says. `field` names where: the path in a node, the property, or empty for text."""

    amount: Decimal | None
    currency: str
    stock: Stock
    origin: Origin
    field: str = ""
    start: int = 0
    end: int = 0


def found_in_facts(facts: str, title: str, url: str, currency: str) -> Found | None:
    """Return what a page says about itself, of JSON text that may hold anything; None where that is neither a price nor
    a stock.

    `currency`: the one that is asked for. Of other currencies one is returned only where there is none of it.
    """
    try:
        said = json.loads(facts) if facts else {}
    except (ValueError, RecursionError):
        return None
    if not isinstance(said, dict):
        return None
    found = [each for each in _sources(said, title, url, currency) if each]
    priced = next((each for each in found if each.amount), None)
    stock: Stock = next((each.stock for each in found if each.stock != "unknown"), "unknown")
    if priced is None:
        return Found(None, "", stock, found[0].origin, found[0].field) if found and stock != "unknown" else None
    return Found(
        priced.amount,
        priced.currency,
        priced.stock if priced.stock != "unknown" else stock,
        priced.origin,
        priced.field,
    )


def found_in_text(title: str, text: str, currency: str) -> Found | None:
    """Return the price and the stock that a page's text says, as far as words alone can tell; None where it says
    neither.
    """
    priced, stock = price_in(title, text, currency), stock_in(text)
    if priced is None:
        return Found(None, "", stock, "text") if stock != "unknown" else None
    return Found(priced.amount, priced.currency, stock, "text", "", priced.start, priced.end)


def _sources(said: Node, title: str, url: str, currency: str) -> Iterator[Found | None]:
    """Yield what each kind of data says, the most exact kind first."""
    yield _of_nodes(said.get("json_ld", said.get("json-ld")), "json_ld", title, url, currency)
    yield _of_nodes(_unwrapped(said.get("microdata")), "microdata", title, url, currency)
    yield _of_open_graph(said.get("open_graph", said.get("opengraph")), currency)
    typed = {
        "price": said.get("price"),
        "priceCurrency": said.get("currency"),
        "availability": said.get("availability"),
    }
    yield _best([*_offers_in(typed, "", currency)], "typed", currency)


def _of_nodes(nodes: object, origin: Origin, title: str, url: str, currency: str) -> Found | None:
    """Return what the page's own product costs: the one whose address or name the page has, else the first."""
    found = list(_walk(nodes))
    products = [node for node in found if node.get("offers")]
    offers = [node for node in found if _type(node) in ("offer", "aggregateoffer")]
    main = max(products, key=lambda node: _likeness(node, title, url), default=None)
    if main is not None:
        return _best([*_offers_in(main["offers"], "offers", currency)], origin, currency)
    return _best([*_offers_in(offers[:OFFERS_MAX], "offer", currency)], origin, currency)


def _walk(value: object, depth: int = 0, seen: list[int] | None = None) -> Iterator[Node]:
    """Yield the nodes of some data, outer ones first, as far as is reasonable."""
    count = seen if seen is not None else [0]
    if depth > DEEPEST or count[0] > NODES_MAX:
        return
    if isinstance(value, list):
        for each in value:
            yield from _walk(each, depth + 1, count)
    elif isinstance(value, dict):
        count[0] += 1
        yield value
        for name, each in value.items():
            if isinstance(each, list | dict) and str(name).lower() not in ELSEWHERE:
                yield from _walk(each, depth + 1, count)


def _likeness(node: Node, title: str, url: str) -> tuple[bool, float]:
    """Return how much a product is the one that the page is about."""
    name = node.get("name")
    words = set(re.findall(r"\w{2,}", name.lower())) if isinstance(name, str) else set[str]()
    shared = len(words & set(re.findall(r"\w{2,}", title.lower()))) / len(words) if words else 0.0
    return url.rstrip("/") in {str(node.get(key, "")).rstrip("/") for key in ("url", "@id")}, shared


def _offers_in(value: object, path: str, currency: str, depth: int = 0) -> Iterator[Found]:
    """Yield the offers of a value: one, a list, those inside an AggregateOffer."""
    if isinstance(value, list):
        for each in value[:OFFERS_MAX]:
            yield from _offers_in(each, path, currency, depth + 1) if depth <= DEEPEST else ()
    elif isinstance(value, dict):
        yield from _of_offer(value, path, currency)
        if inner := value.get("offers"):
            yield from _offers_in(inner, _path(path, "offers"), currency, depth + 1) if depth <= DEEPEST else ()


def _of_offer(offer: Node, path: str, currency: str) -> Iterator[Found]:
    stock = stock_of(_one(offer.get("availability")))
    told = False
    for name, holder in _priced(offer):
        code = _code(holder.get("priceCurrency", offer.get("priceCurrency")), currency)
        money = _money(holder.get(name), code or currency)
        if money is None:
            continue
        told = True
        yield Found(money.amount, code or money.currency, stock, "json_ld", _path(path, name))
    if not told and stock != "unknown":
        yield Found(None, "", stock, "json_ld", _path(path, "availability"))


def _priced(offer: Node) -> Iterator[tuple[str, Node]]:
    """Yield where an offer may say its price: each name with the node that has it. The first that says one is enough
    for each node.
    """
    for name in ("price", "lowPrice", "minPrice"):
        if offer.get(name) not in (None, ""):
            yield name, offer
            return
    given = offer.get("priceSpecification")
    for each in (given if isinstance(given, list) else [given])[:TEXTS_MAX]:
        if (
            isinstance(each, dict)
            and last_word(each.get("priceType")) not in NOT_THE_PRICE
            and "price" in each
            and "referenceQuantity" not in each
        ):
            yield "price", each


def _money(value: object, currency: str) -> Money | None:
    value = _one(value)
    amount = price_of(value, currency)
    if amount is None:
        return None
    written = read_money(value, currency) if isinstance(value, str) else None
    return Money(amount, written.currency if written else "")


def _of_open_graph(value: object, currency: str) -> Found | None:
    said = _pairs(value)
    code = next((said[name] for name in ("product:price:currency", "og:price:currency") if name in said), None)
    names = ("product:sale_price:amount", "product:price:amount", "og:price:amount")
    prices = [(name, money) for name in names if (money := _money(said.get(name), _code(code, currency) or currency))]
    stock: Stock = next(
        (stock_of(said[name]) for name in ("product:availability", "og:availability") if name in said), "unknown"
    )
    if not prices:
        return Found(None, "", stock, "open_graph", "product:availability") if stock != "unknown" else None
    name, money = prices[0]
    return Found(money.amount, _code(code, currency) or money.currency, stock, "open_graph", name)


def _best(offers: list[Found], origin: Origin, currency: str) -> Found | None:
    """Return the offer to go by: in the currency that is asked for, or else of the first; what is there first; the
    cheapest.
    """
    priced = [each for each in offers if each.amount is not None]
    if not priced:
        stock = _stock_of_all(offers)
        return Found(None, "", stock, origin, offers[0].field) if stock != "unknown" else None
    codes = [each.currency for each in priced]
    code = currency if currency in codes else codes[0]
    same = [each for each in priced if each.currency == code]
    best = min(same, key=lambda each: (each.stock == "out", each.amount))
    return Found(best.amount, code, _stock_of_all(same), origin, best.field)


def _stock_of_all(offers: list[Found]) -> Stock:
    stocks = {each.stock for each in offers}
    if "in" in stocks:
        return "in"
    return "out" if stocks == {"out"} else "unknown"


def _unwrapped(value: object, depth: int = 0) -> object:
    """Return microdata items as nodes: extruct puts what they say under `properties`."""
    if depth > DEEPEST:
        return None
    if isinstance(value, list):
        return [_unwrapped(each, depth + 1) for each in value]
    if isinstance(value, dict):
        inner = value.get("properties")
        node = {"@type": value.get("type"), **inner} if isinstance(inner, dict) else value
        return {name: _unwrapped(each, depth + 1) for name, each in node.items()}
    return value


def _pairs(value: object) -> dict[str, str]:
    """Return the properties of Open Graph, of a mapping or of pairs, each by its first value."""
    if isinstance(value, list):
        lists = [each.get("properties", each) if isinstance(each, dict) else [each] for each in value[:TEXTS_MAX]]
        value = [
            pair
            for each in lists
            for pair in (each.items() if isinstance(each, dict) else each if isinstance(each, list) else ())
        ]
    pairs: Iterable[Any] = value.items() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found: dict[str, str] = {}
    for pair in pairs:
        if (
            isinstance(pair, list | tuple)
            and len(pair) == 2
            and isinstance(pair[0], str)
            and isinstance(_one(pair[1]), str)
        ):
            found.setdefault(pair[0].lower(), _one(pair[1]))
    return found


def _path(*names: str) -> str:
    return ".".join(name for name in names if name)[:60]


def _one(value: object) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _code(value: object, currency: str) -> str:
    value = _one(value)
    return code_of(value[:8], currency) if isinstance(value, str) else ""


def _type(node: Node) -> str:
    return last_word(_one(node.get("@type")))


def read_offer(request: ReadingRequest) -> Reading:
    """Return a reading that holds an offer, or none. What the page says about itself counts before its text."""
    found = found_in_facts(request.facts, request.title, request.url, request.currency)
    if found is None or found.amount is None:
        found = _together(found, found_in_text(request.title, request.text, request.currency))
    offer = _offer(found, request) if found else None
    return Reading(
        found=offer is not None,
        headline="",
        summary="",
        claims=[],
        link_indices=[],
        made_with="extractive",
        offer=offer,
    )


def _together(said: Found | None, text: Found | None) -> Found | None:
    """Return the price of the text with the stock that the page says about itself, where it does."""
    if text is None or said is None:
        return text or said
    return Found(
        text.amount,
        text.currency,
        said.stock,
        text.origin if text.amount else said.origin,
        said.field,
        text.start,
        text.end,
    )


def _offer(found: Found, request: ReadingRequest) -> Offer:
    text = request.text
    stock = found.stock if found.stock != "unknown" or found.origin == "text" else stock_in(text)
    if found.amount is None:
        return Offer(stock=stock, source=found.origin, field=found.field)
    if found.end:
        return priced(found.amount, found.currency, stock, found.origin, found.field, (found.start, found.end), text)
    span = span_of(found.amount, found.currency, text)
    currency = found.currency or (span.currency if span else "")
    return priced(
        found.amount, currency, stock, found.origin, found.field, (span.start, span.end) if span else (0, 0), text
    )
