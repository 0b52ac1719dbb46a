"""Prices and stock that pages state as data, read by the extension's own code in a page of jsdom."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from tests.bench.reality.outcome import Outcome

EXTENSION = Path(__file__).parents[3] / "browser_ext"
URL = "https://shop.example/lever"
SCRIPT = """
import { JSDOM } from 'jsdom'
import { metadataOf } from './src/extract/metadata/metadata'
const facts = PAGES.map(([html, url]) => {
  const { window } = new JSDOM(html, { url, pretendToBeVisual: true })
  for (const name of ['NodeFilter', 'Node', 'Element', 'HTMLElement', 'document']) globalThis[name] = window[name]
  globalThis.getComputedStyle = window.getComputedStyle.bind(window)
  return metadataOf(window.document)
})
console.log(JSON.stringify(facts))
"""


def _ld(value: object, before: str = "", after: str = "") -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f'<script type="application/ld+json">{before}{text}{after}</script>'


def _offer(price: str, currency: str = "EUR", **others: object) -> dict[str, object]:
    return {"@type": "Offer", "price": price, "priceCurrency": currency, **others}


def _product(offers: object, **others: object) -> dict[str, object]:
    return {"@context": "https://schema.org", "@type": "Product", "name": "Lever", "offers": offers, **others}


def _specification(price: str, **others: object) -> dict[str, object]:
    return {"@type": "UnitPriceSpecification", "price": price, "priceCurrency": "EUR", **others}


PLAIN = _product(_offer("849.00"))
MICRODATA = """<div itemscope itemtype="https://schema.org/{outer}"><span itemprop="name">Lever</span>{inner}</div>"""
MICRODATA_OFFER = """<div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<span itemprop="price">{price}</span><meta itemprop="priceCurrency" content="EUR"></div>"""
VARIANTS = [
    {"@type": "Product", "name": "Lever red", "offers": _offer("849.00", availability="https://schema.org/OutOfStock")},
    {"@type": "Product", "name": "Lever blue", "offers": _offer("879.00", availability="https://schema.org/InStock")},
]
SUGGESTED = _product(_offer("4.50", availability="https://schema.org/InStock"), name="Brush", url="/brush")
ONE_LEVER = MICRODATA.format(outer="Product", inner=MICRODATA_OFFER.format(price="849.00"))
IN_A_PAGE = f"""<div itemscope itemtype="https://schema.org/WebPage">
{ONE_LEVER.replace("<div itemscope", '<div itemprop="mainEntity" itemscope', 1)}</div>"""

# Number, the page's head and body below its heading, and the facts that are to be found.
CASES: list[tuple[str, str, dict[str, str]]] = [
    ("B215", _ld(_product({"@type": "Offer", "priceSpecification": _specification("849.00")})), {"price": "849.00"}),
    (
        "B216",
        _ld(
            _product(
                {
                    "@type": "Offer",
                    "priceSpecification": [
                        _specification("749.00"),
                        _specification("849.00", priceType="https://schema.org/ListPrice"),
                    ],
                }
            )
        ),
        {"price": "749.00"},
    ),
    (
        "B217",
        _ld({"@type": "ProductGroup", "name": "Lever", "hasVariant": VARIANTS}),
        {"price": "879.00", "availability": "in_stock"},
    ),
    ("B218", _ld(json.dumps(PLAIN).replace("}}", ",},}")), {"price": "849.00"}),
    ("B219", _ld(PLAIN, after=";"), {"price": "849.00"}),
    ("B220", _ld(PLAIN, "//<![CDATA[\n", "\n//]]>"), {"price": "849.00"}),
    ("B223", IN_A_PAGE, {"price": "849.00"}),
    (
        "B224",
        _ld(SUGGESTED) + _ld(_product(_offer("849.00", availability="https://schema.org/OutOfStock"))),
        {"price": "849.00", "availability": "out_of_stock"},
    ),
    ("B226", _ld({"@type": "Vehicle", "name": "Lever", "offers": _offer("8490")}), {"price": "8490"}),
    (
        "B228",
        MICRODATA.format(outer="Product", inner=MICRODATA_OFFER.format(price="1 099,00 €")),
        {"price": "1099.00"},
    ),
    (
        "B229",
        _ld(_product({"@type": "AggregateOffer", "lowPrice": "749.00", "highPrice": "849.00", "priceCurrency": "EUR"})),
        {"price": "749.00"},
    ),
    ("B230", _ld(_product(_offer("1.299,00", "ARS"))), {"price": "1299.00", "currency": "ARS"}),
    (
        "B231",
        _ld(_product(_offer("849.00", "eur"), **{"@type": ["Thing", "Product"]})),
        {"price": "849.00", "currency": "EUR"},
    ),
    (
        "B232",
        '<meta property="product:availability" content="in stock">' + _ld(PLAIN),
        {"price": "849.00", "availability": "in_stock"},
    ),
]


def outcomes() -> list[Outcome]:
    pages = [(f"<title>Lever – Shop</title>{html}<h1>Lever</h1>", URL) for _id, html, _facts in CASES]
    return [
        Outcome(
            case_id,
            "K9",
            all((facts or {}).get(name) == value for name, value in truth.items()),
            f"{facts} in place of {truth}",
        )
        for (case_id, _html, truth), facts in zip(CASES, facts_of(pages), strict=True)
    ]


def facts_of(pages: list[tuple[str, str]]) -> list[dict[str, Any] | None]:
    """Return the metadata of pages, each given as its HTML and its address."""
    facts: list[dict[str, Any] | None] = json.loads(bundled(SCRIPT, {"PAGES": pages}))
    return facts


def bundled(script: str, values: dict[str, object]) -> str:
    """Return what a script that imports the extension's modules prints. `values` stand for its names in capitals."""
    command = [
        "node_modules/.bin/esbuild",
        "--bundle",
        "--platform=node",
        "--external:jsdom",
        "--loader=ts",
        "--log-level=error",
    ]
    for name, value in values.items():
        script = script.replace(name, json.dumps(value))
    return _run(["node", "-"], _run(command, script))


def _run(command: list[str], text: str) -> str:
    return subprocess.run(command, cwd=EXTENSION, input=text, capture_output=True, text=True, check=True).stdout
