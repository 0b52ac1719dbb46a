"""Words of shops that say whether something is in stock."""

from __future__ import annotations

from tests.bench.reality.outcome import Outcome

# Number, kind, the words of the page, and the stock that is right, or those that are.
CASES = [
    ("B082", "K6", "0 in stock", "out"),
    ("B083", "K6", "0 items in stock", "out"),
    ("B084", "K6", "Stock: 0", "out unknown"),
    ("B085", "K6", "Only 3 left in stock", "in"),
    ("B086", "K6", "In stock: 250", "in"),
    ("B087", "K6", "Email me when back in stock", "out"),
    ("B088", "K6", "Tell me when this is in stock again", "out"),
    ("B089", "K6", "Notify me", "unknown"),
    ("B090", "K6", "Will be back in stock soon", "out"),
    ("B092", "K6", "Not currently in stock", "out"),
    ("B093", "K6", "Currently not in stock", "out"),
    ("B094", "K6", "This item is not yet in stock", "out"),
    ("B095", "K6", "Never in stock", "out unknown"),
    ("B099", "K6b", "Temporarily out of stock", "out"),
    ("B100", "K6b", "unavailable", "out"),
    ("B101", "K6b", "Currently Unavailable.", "out"),
    ("B102", "K6", "Item isn't in stock", "out"),
    ("B103", "K6", "Item is not available", "out"),
    ("B104", "K6", "Expected in stock on 12 May", "out"),
    ("B105", "K6", "Coming soon. Add to cart", "out unknown"),
    ("B107", "K6b", "Im Zulauf", "out unknown"),
    ("B111", "K6b", "Aktuell nicht lieferbar", "out"),
    ("B112", "K6", "Benachrichtige mich, wenn wieder auf Lager", "out"),
    ("B113", "K6", "Bald wieder auf Lager", "out"),
    ("B114", "K6", "0 Stück auf Lager", "out"),
    ("B115", "K6b", "Nicht vorrätig", "out"),
    ("B118", "K6b", "Verfügbar", "in"),
    ("B119", "K6b", "Artikel derzeit leider ausverkauft", "out"),
    ("B120", "K6b", "Actuellement en rupture", "out"),
    ("B122", "K6", "Pas en stock", "out"),
    ("B124", "K6", "0 en stock", "out"),
    ("B126", "K6b", "Attualmente non disponibile", "out"),
    ("B128", "K6b", "No disponible", "out"),
    ("B132", "K6", "Niet meer op voorraad", "out"),
    ("B133", "K6", "Weer op voorraad melden", "out"),
    ("B134", "K6b", "Slut i lager", "out"),
    ("B135", "K6b", "I lager", "in"),
    ("B136", "K6b", "Brak w magazynie", "out"),
    ("B137", "K6b", "在庫あり", "in"),
    ("B138", "K6b", "在庫切れ", "out"),
    ("B139", "K6b", "Нет в наличии", "out"),
    ("B140", "K6b", "В наличии", "in"),
    ("B141", "K6", "In stock\nSimilar items: Sold out", "in unknown"),
]


def outcomes() -> list[Outcome]:
    return [_try_words(*case) for case in CASES]


def _try_words(number: str, kind: str, text: str, right: str) -> Outcome:
    from thoughts.text.stock import stock_in

    stock = stock_in(text)
    return Outcome(number, kind, stock in right.split(), f"{text!r}: {stock}")
