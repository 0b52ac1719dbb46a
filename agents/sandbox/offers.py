"""Find what a page sells: price, currency and stock, from its metadata or its text.

Metadata has the shapes of extruct: JSON-LD nodes, microdata items, Open Graph pairs. Imports no Django: the sandbox
runs it.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from agents.zones.reader_answers import OFFER_QUOTE_MAX, Offer, Reading, make_offer
from agents.zones.sandbox_messages import ReadingRequest
from thoughts.text.currencies import code_of, home_currency
from thoughts.text.money import Money, read_money
from thoughts.text.offers import (
    ELSEWHERE,
    NOT_THE_PRICE,
    Origin,
    Stock,
    last_word,
    price_of,
    span_of,
    stock_of,
)
from thoughts.text.page_form import PlainText, plain_view
from thoughts.text.page_parts import own_part
from thoughts.text.prices import price_in
from thoughts.text.stock import settle, statements

Node = dict[str, Any]

NODES_MAX, DEEPEST, OFFERS_MAX, TEXTS_MAX, NAME_MAX = 3000, 12, 200, 200, 300


@dataclass(frozen=True)
class SourceOffer:
    """The offer of one source.

    `field`: the path in a node, the property, or "" for text. `unsure`: why a price or stock of the text is unknown.
    """

    amount: Decimal | None
    currency: str
    stock: Stock
    origin: Origin
    field: str = ""
    start: int = 0
    end: int = 0
    unsure: str = ""


def offer_in_facts(facts: str, title: str, url: str, currency: str) -> SourceOffer | None:
    """Return the offer of a page's metadata, None if it has neither a price nor a stock.

    `facts` is JSON text that may hold anything. An offer in another currency than `currency` is returned only if there
    is none in it.
    """
    try:
        data = json.loads(facts) if facts else {}
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict):
        return None
    offers = [offer for offer in _metadata_offers(data, title, url, currency) if offer]
    with_price = next((offer for offer in offers if offer.amount), None)
    stock: Stock = next((offer.stock for offer in offers if offer.stock != "unknown"), "unknown")
    if with_price is None:
        return (
            SourceOffer(None, "", stock, offers[0].origin, offers[0].field) if offers and stock != "unknown" else None
        )
    return SourceOffer(
        with_price.amount,
        with_price.currency,
        with_price.stock if with_price.stock != "unknown" else stock,
        with_price.origin,
        with_price.field,
    )


def offer_in_text(
    title: str, text: str, currency: str, home: str = "", struck: Collection[str] = ()
) -> SourceOffer | None:
    """Return the offer of a page's text. None if it says nothing of one, not even something unclear."""
    price, (stock, unsure_stock) = price_in(title, text, currency, home, struck), stock_in_part(title, text)
    unsure = " ".join(code for code in (price.unsure, unsure_stock) if code)
    if price.money is None:
        return SourceOffer(None, "", stock, "text", unsure=unsure) if stock != "unknown" or unsure else None
    money = price.money
    return SourceOffer(money.amount, money.currency, stock, "text", "", money.start, money.end, unsure)


def stock_in_part(title: str, text: str) -> tuple[Stock, str]:
    """Return the stock that the part about the page's own product states, else unknown and why."""
    begin, end = own_part(title, text)
    return settle(statements(text, begin, end) or statements(text, 0, begin))


def _metadata_offers(data: Node, title: str, url: str, currency: str) -> Iterator[SourceOffer | None]:
    """Yield the offer of each kind of metadata, the most exact kind first."""
    yield _of_nodes(data.get("json_ld", data.get("json-ld")), "json_ld", title, url, currency)
    yield _of_nodes(_as_nodes(data.get("microdata")), "microdata", title, url, currency)
    yield _of_open_graph(data.get("open_graph", data.get("opengraph")), currency)
    typed = {
        "price": data.get("price"),
        "priceCurrency": data.get("currency"),
        "availability": data.get("availability"),
    }
    yield _best([*_offers_in(typed, "", currency)], "typed", currency)


def _of_nodes(nodes: object, origin: Origin, title: str, url: str, currency: str) -> SourceOffer | None:
    """Return the offer of the page's own product.

    That is the product with the page's address or name. A group of variants has all their offers. Of several products
    that are all called otherwise none is the page's.
    """
    all_nodes = list(_walk(nodes))
    products = [node for node in all_nodes if node.get("offers") or node.get("hasVariant")]
    offers = [node for node in all_nodes if _type(node) in ("offer", "aggregateoffer")]
    main = max(products, key=lambda node: _likeness(node, title, url), default=None)
    if main is None:
        return _best([*_offers_in(offers[:OFFERS_MAX], "offer", currency)], origin, currency)
    if len({_name(node) for node in products}) > 1 and title and _likeness(main, title, url) == (False, 0.0):
        return None
    return _best([*_offers_of(main, currency)], origin, currency)


def _offers_of(product: Node, currency: str) -> Iterator[SourceOffer]:
    yield from _offers_in(product.get("offers"), "offers", currency)
    variants = product.get("hasVariant")
    for variant in (variants if isinstance(variants, list) else [variants])[:OFFERS_MAX]:
        if isinstance(variant, dict):
            yield from _offers_in(variant.get("offers"), "hasVariant.offers", currency)


def _walk(value: object, depth: int = 0, counter: list[int] | None = None) -> Iterator[Node]:
    """Yield the nodes of some data, outer ones first, within the bounds."""
    count = counter if counter is not None else [0]
    if depth > DEEPEST or count[0] > NODES_MAX:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _walk(inner, depth + 1, count)
    elif isinstance(value, dict):
        count[0] += 1
        yield value
        for name, inner in value.items():
            if isinstance(inner, list | dict) and str(name).lower() not in ELSEWHERE:
                yield from _walk(inner, depth + 1, count)


def _likeness(node: Node, title: str, url: str) -> tuple[bool, float]:
    words = set(re.findall(r"\w{2,}", _name(node)))
    shared = len(words & set(re.findall(r"\w{2,}", title.lower()))) / len(words) if words else 0.0
    return url.rstrip("/") in {str(node.get(key, "")).rstrip("/") for key in ("url", "@id")}, shared


def _offers_in(value: object, path: str, currency: str, depth: int = 0) -> Iterator[SourceOffer]:
    if isinstance(value, list):
        for entry in value[:OFFERS_MAX]:
            yield from _offers_in(entry, path, currency, depth + 1) if depth <= DEEPEST else ()
    elif isinstance(value, dict):
        yield from _of_offer(value, path, currency)
        if inner := value.get("offers"):
            yield from _offers_in(inner, _path(path, "offers"), currency, depth + 1) if depth <= DEEPEST else ()


def _of_offer(offer: Node, path: str, currency: str) -> Iterator[SourceOffer]:
    stock = stock_of(_one(offer.get("availability")))
    has_price = False
    for name, holder in _price_fields(offer):
        code = _code(holder.get("priceCurrency", offer.get("priceCurrency")), currency)
        money = _money(holder.get(name), code or currency)
        if money is None:
            continue
        has_price = True
        yield SourceOffer(money.amount, code or money.currency, stock, "json_ld", _path(path, name))
    if not has_price and stock != "unknown":
        yield SourceOffer(None, "", stock, "json_ld", _path(path, "availability"))


def _price_fields(offer: Node) -> Iterator[tuple[str, Node]]:
    """Yield the fields that may hold the price of an offer, each with its node.

    In each node only the first such field counts.
    """
    for name in ("price", "lowPrice", "minPrice"):
        if offer.get(name) not in (None, ""):
            yield name, offer
            return
    specifications = offer.get("priceSpecification")
    for specification in (specifications if isinstance(specifications, list) else [specifications])[:TEXTS_MAX]:
        if (
            isinstance(specification, dict)
            and last_word(specification.get("priceType")) not in NOT_THE_PRICE
            and "price" in specification
            and "referenceQuantity" not in specification
        ):
            yield "price", specification


def _money(value: object, currency: str) -> Money | None:
    value = _one(value)
    amount = price_of(value, currency)
    if amount is None:
        return None
    text_money = read_money(value, currency) if isinstance(value, str) else None
    return Money(amount, text_money.currency if text_money else "")


def _of_open_graph(value: object, currency: str) -> SourceOffer | None:
    properties = _pairs(value)
    code = next(
        (properties[name] for name in ("product:price:currency", "og:price:currency") if name in properties), None
    )
    names = ("product:sale_price:amount", "product:price:amount", "og:price:amount")
    prices = [
        (name, money) for name in names if (money := _money(properties.get(name), _code(code, currency) or currency))
    ]
    stock: Stock = next(
        (stock_of(properties[name]) for name in ("product:availability", "og:availability") if name in properties),
        "unknown",
    )
    if not prices:
        return SourceOffer(None, "", stock, "open_graph", "product:availability") if stock != "unknown" else None
    name, money = prices[0]
    return SourceOffer(money.amount, _code(code, currency) or money.currency, stock, "open_graph", name)


def _best(offers: list[SourceOffer], origin: Origin, currency: str) -> SourceOffer | None:
    """Return the offer to use: in the wanted currency, else the first one's; in stock; cheapest."""
    with_price = [offer for offer in offers if offer.amount is not None]
    if not with_price:
        stock = _stock_of_all(offers)
        return SourceOffer(None, "", stock, origin, offers[0].field) if stock != "unknown" else None
    codes = [offer.currency for offer in with_price]
    code = currency if currency in codes else codes[0]
    same = [offer for offer in with_price if offer.currency == code]
    best = min(same, key=lambda offer: (offer.stock == "out", offer.amount))
    return SourceOffer(best.amount, code, _stock_of_all(same), origin, best.field)


def _stock_of_all(offers: list[SourceOffer]) -> Stock:
    stocks = {offer.stock for offer in offers}
    if "in" in stocks:
        return "in"
    return "out" if stocks == {"out"} else "unknown"


def _as_nodes(value: object, depth: int = 0) -> object:
    """Return microdata items as nodes: extruct puts their fields under `properties`."""
    if depth > DEEPEST:
        return None
    if isinstance(value, list):
        return [_as_nodes(item, depth + 1) for item in value]
    if isinstance(value, dict):
        inner = value.get("properties")
        node = {"@type": value.get("type"), **inner} if isinstance(inner, dict) else value
        return {name: _as_nodes(item, depth + 1) for name, item in node.items()}
    return value


def _pairs(value: object) -> dict[str, str]:
    """Return the Open Graph properties of a mapping or of pairs, the first value of each."""
    if isinstance(value, list):
        lists = [group.get("properties", group) if isinstance(group, dict) else [group] for group in value[:TEXTS_MAX]]
        value = [
            pair
            for group in lists
            for pair in (group.items() if isinstance(group, dict) else group if isinstance(group, list) else ())
        ]
    pairs: Iterable[Any] = value.items() if isinstance(value, dict) else value if isinstance(value, list) else ()
    properties: dict[str, str] = {}
    for pair in pairs:
        if (
            isinstance(pair, list | tuple)
            and len(pair) == 2
            and isinstance(pair[0], str)
            and isinstance(_one(pair[1]), str)
        ):
            properties.setdefault(pair[0].lower(), _one(pair[1]))
    return properties


def _path(*names: str) -> str:
    return ".".join(name for name in names if name)[:60]


def _one(value: object) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _code(value: object, currency: str) -> str:
    value = _one(value)
    return code_of(value[:8], currency) if isinstance(value, str) else ""


def _name(node: Node) -> str:
    name = _one(node.get("name"))
    return name[:NAME_MAX].lower() if isinstance(name, str) else ""


def _type(node: Node) -> str:
    return last_word(_one(node.get("@type")))


def read_offer(request: ReadingRequest) -> Reading:
    """Return a reading with an offer, or none. Metadata counts before text."""
    struck, stated = _hints(request.facts)
    page = plain_view(request.text)
    home = stated or home_currency(request.url or request.domain, page.text)
    source_offer = offer_in_facts(request.facts, request.title, request.url, request.currency)
    if source_offer is None or source_offer.amount is None:
        text_offer = offer_in_text(request.title, page.text, request.currency, home, struck)
        source_offer = _merge_offers(source_offer, text_offer)
    offer = _offer(source_offer, request, page, home) if source_offer else None
    return Reading(
        found=offer is not None and (offer.price != "" or offer.stock != "unknown"),
        headline="",
        summary="",
        claims=[],
        link_indices=[],
        made_with="extractive",
        offer=offer,
    )


def _hints(facts: str) -> tuple[list[str], str]:
    """Return the amounts that the page shows struck out, and the currency that it states without a price."""
    try:
        data = json.loads(facts) if facts else {}
    except (ValueError, RecursionError):
        return [], ""
    if not isinstance(data, dict):
        return [], ""
    struck = data.get("struck")
    amounts = [amount for amount in struck if isinstance(amount, str)] if isinstance(struck, list) else []
    properties = _pairs(data.get("open_graph", data.get("opengraph")))
    code = data.get("currency") or properties.get("product:price:currency") or properties.get("og:price:currency")
    return amounts[:TEXTS_MAX], _code(code, "") if code else ""


def _merge_offers(facts: SourceOffer | None, text: SourceOffer | None) -> SourceOffer | None:
    if text is None or facts is None:
        return text or facts
    return SourceOffer(
        text.amount,
        text.currency,
        facts.stock,
        text.origin if text.amount else facts.origin,
        facts.field,
        text.start,
        text.end,
        text.unsure if text.amount is None else "",
    )


def _span_in_form(page: PlainText, start: int, end: int) -> tuple[int, int]:
    """Return the span of a price in the form of the page, none where marks within make it too long to quote."""
    begin, stop = page.span(start, end) if end else (0, 0)
    return (begin, stop) if stop - begin <= OFFER_QUOTE_MAX else (0, 0)


def _offer(source_offer: SourceOffer, request: ReadingRequest, page: PlainText, home: str) -> Offer:
    text, stock, unsure = page.text, source_offer.stock, source_offer.unsure
    if stock == "unknown" and source_offer.origin != "text":
        stock, unsure = stock_in_part(request.title, text)
    if source_offer.amount is None:
        return Offer(stock=stock, source=source_offer.origin, field=source_offer.field, unsure=unsure)
    start, end, currency = source_offer.start, source_offer.end, source_offer.currency
    if not end and (span := span_of(source_offer.amount, currency, text, home)):
        start, end, currency = span.start, span.end, currency or span.currency
    return make_offer(
        source_offer.amount,
        currency,
        stock,
        source_offer.origin,
        source_offer.field,
        _span_in_form(page, start, end),
        request.text,
        unsure,
    )
