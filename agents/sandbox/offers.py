"""What a page sells: price, currency and stock, by what it says about itself or by its text. Knows no Django; the sandbox runs it.

What a page says about itself comes in the shapes of extruct: JSON-LD nodes, microdata items, Open Graph pairs.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from thoughts.text.money import MOST, THREE_PLACES, Money, code_of, money_in, read_money

Stock = Literal["in", "out", "unknown"]
Origin = Literal["json_ld", "microdata", "open_graph", "typed", "text", "model"]
Node = dict[str, Any]

NODES_MAX, DEEPEST, OFFERS_MAX, TEXTS_MAX = 3000, 12, 200, 200
# What leads to other products than the page's own.
ELSEWHERE = {"isrelatedto", "issimilarto", "isaccessoryorsparepartfor", "isconsumablefor", "review", "reviews", "itemlistelement", "author"}
NOT_THE_PRICE = {"listprice", "msrp", "srp", "strikethroughprice", "suggestedretailprice", "regularprice"}
STOCKS: dict[str, Stock] = {
    "instock": "in", "instoreonly": "in", "onlineonly": "in", "limitedavailability": "in", "limited": "in", "in": "in", "available": "in",
    "outofstock": "out", "soldout": "out", "discontinued": "out", "backorder": "out", "preorder": "out", "presale": "out", "out": "out",
    "unavailable": "out", "oos": "out",
}  # fmt: skip
_IN_WORDS = re.compile(
    r"\b(?:in stock|available now|ready to ship|add to (?:cart|basket|bag)|auf lager|sofort lieferbar|sofort verfügbar|in den warenkorb"
    r"|en stock|ajouter au panier|en existencias|añadir al carrito|disponibile|aggiungi al carrello|op voorraad)\b",
    re.IGNORECASE,
)
_OUT_WORDS = re.compile(
    r"\b(?:out of stock|sold out|not in stock|no longer available|currently unavailable|temporarily unavailable|not available|ausverkauft"
    r"|nicht auf lager|nicht lieferbar|nicht verfügbar|derzeit nicht|vergriffen"
    r"|rupture de stock|épuisé|indisponible|agotado|sin existencias"
    r"|esaurito|non disponibile|niet op voorraad|uitverkocht|notify me when|back ?order)\b",
    re.IGNORECASE,
)
_NOT_IT = re.compile(
    r"\b(?:shipping|delivery|postage|versand|lieferung|livraison|envío|spedizione|was|instead of|statt|uvp|rrp|msrp|list price|before"
    r"|save|spar\w*|off|ab|from|per month|monat\w*|/ ?mo|installment|rate|deposit|pfand|coupon|voucher|gutschein|free over|over)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\b(?:price|preis|prix|precio|prezzo|prijs|now|jetzt|only|nur|today|heute)\b", re.IGNORECASE)


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
    """Return what a page says about itself, of JSON text that may hold anything; None where that is neither a price nor a stock.

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
    return Found(priced.amount, priced.currency, priced.stock if priced.stock != "unknown" else stock, priced.origin, priced.field)


def found_in_text(title: str, text: str, currency: str) -> Found | None:
    """Return the price and the stock that a page's text says, as far as words alone can tell; None where it says neither."""
    priced, stock = _price_in(title, text, currency), stock_in(text)
    if priced is None:
        return Found(None, "", stock, "text") if stock != "unknown" else None
    return Found(priced.amount, priced.currency, stock, "text", "", priced.start, priced.end)


def span_of(amount: Decimal, currency: str, text: str) -> Money | None:
    """Return where a text says an amount: in this currency, if one is named."""
    return next((each for each in money_in(text, currency) if each.amount == amount and (not currency or each.currency == currency)), None)


def stock_of(value: object) -> Stock:
    """Return what a word or an address of schema.org says of the stock."""
    word = re.sub(r"[^a-z]", "", value.strip().lower().replace("#", "/").rsplit("/", 1)[-1]) if isinstance(value, str) else ""
    return STOCKS.get(word, "unknown")


def stock_in(text: str) -> Stock:
    """Return what a text says of the stock; what it says both ways cannot be told."""
    is_out = bool(_OUT_WORDS.search(text))
    is_in = bool(_IN_WORDS.search(_OUT_WORDS.sub(" ", text)))
    if is_in == is_out:
        return "unknown"
    return "in" if is_in else "out"


def price_of(value: object, currency: str) -> Decimal | None:
    """Return a price as data says it: a number, digits with a point, or written as people do. None for anything else."""
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


def _sources(said: Node, title: str, url: str, currency: str) -> Iterator[Found | None]:
    """Yield what each kind of data says, the most exact kind first."""
    yield _of_nodes(said.get("json_ld", said.get("json-ld")), "json_ld", title, url, currency)
    yield _of_nodes(_unwrapped(said.get("microdata")), "microdata", title, url, currency)
    yield _of_open_graph(said.get("open_graph", said.get("opengraph")), currency)
    typed = {"price": said.get("price"), "priceCurrency": said.get("currency"), "availability": said.get("availability")}
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
    """Yield where an offer may say its price: each name with the node that has it. The first that says one is enough for each node."""
    for name in ("price", "lowPrice", "minPrice"):
        if offer.get(name) not in (None, ""):
            yield name, offer
            return
    given = offer.get("priceSpecification")
    for each in (given if isinstance(given, list) else [given])[:TEXTS_MAX]:
        if (
            isinstance(each, dict)
            and _word(each.get("priceType")) not in NOT_THE_PRICE
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
    stock: Stock = next((stock_of(said[name]) for name in ("product:availability", "og:availability") if name in said), "unknown")
    if not prices:
        return Found(None, "", stock, "open_graph", "product:availability") if stock != "unknown" else None
    name, money = prices[0]
    return Found(money.amount, _code(code, currency) or money.currency, stock, "open_graph", name)


def _best(offers: list[Found], origin: Origin, currency: str) -> Found | None:
    """Return the offer to go by: in the currency that is asked for, or else of the first; what is there first; the cheapest."""
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
        value = [pair for each in lists for pair in (each.items() if isinstance(each, dict) else each if isinstance(each, list) else ())]
    pairs: Iterable[Any] = value.items() if isinstance(value, dict) else value if isinstance(value, list) else ()
    found: dict[str, str] = {}
    for pair in pairs:
        if isinstance(pair, list | tuple) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(_one(pair[1]), str):
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
    return _word(_one(node.get("@type")))


def _word(value: object) -> str:
    return value.replace("#", "/").rsplit("/", 1)[-1].lower()[:60] if isinstance(value, str) else ""


def _price_in(title: str, text: str, currency: str) -> Money | None:
    """Return the amount that is likeliest the price: in a line that says so, else the first one that nothing speaks against."""
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
        if money.start >= start and not _NOT_IT.search(before) and not re.search(r"\b(?:off|per|/|shipping|versand|rabatt)", behind, re.I):
            yield money, bool(_LABEL.search(before))


def _after_title(title: str, text: str) -> int:
    """Return where the page's own name ends in its text; 0 where it does not stand there."""
    name = re.split(r"\s+[|–—·-]\s+", title)[0].strip()
    place = text.lower().find(name.lower()) if len(name) > 3 else -1
    return max(place, 0)
