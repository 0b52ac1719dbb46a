"""What the words of shops say of stock, with what stands around them."""

import pytest

from thoughts.text.stock import settle, statements, stock_in

SAID = {
    "in": [
        "In stock.", "Only 1 left in stock – order soon", "250 in stock", "Ready to ship", "✓ Auf Lager",
        "Noch 3 verfügbar", "Lieferzeit: 2-3 Tage", "Bestand: 48 Stück", "Stock: 5",
        "Lieferbar in 2–3 Werktagen", "Plus que 2 en stock", "Últimas unidades", "Disponibilità immediata", "Em stock",
        "Op voorraad", "Finns i lager", "På lager", "Varastossa", "Dostępny", "Skladem", "Raktáron", "În stoc",
        "Есть в наличии", "Є в наявності", "Άμεσα διαθέσιμο", "Stokta var", "残りわずか",
        "有货", "재고 있음", "متوفر", "במלאי",
        "Add to basket", "In den Warenkorb",
    ],
    "out": [
        "Not in stock at the moment", "We don't have this in stock", "No longer available", "0 available",
        "Get notified when this is back in stock", "Should be in stock next week", "Available for pre-order",
        "Momentan nicht auf Lager", "Keine Stück auf Lager", "Sagen Sie mir Bescheid, sobald lieferbar",
        "Voraussichtlich ab 3. Mai lieferbar", "Plus en stock", "Prévenez-moi dès que disponible", "Bientôt disponible",
        "Ya no está disponible", "Avísame cuando esté disponible", "Non più disponibile", "Esgotado",
        "Avise-me quando estiver disponível", "Niet op voorraad", "Ej i lager", "Ikke på lager", "Ei varastossa",
        "Niedostępny", "Není skladem", "Nincs raktáron", "Nu este în stoc", "Скоро в наличии", "Немає в наявності",
        "None in stock", "There are none in stock", "0 left", "Stock: 0", "Bestand: 0", "Sorry, this one has been sold",
        "Tillfälligt slut i lager", "Ce produit n'est plus disponible", "No quedan unidades", "再入荷待ち", "到货提醒",
        "Enter your email to know when we have it in stock", "In stock – 0 pcs", "Back in stock in 3 days",
        "Budeme mít skladem příští týden",
        "Δεν είναι διαθέσιμο", "Stokta yok", "在庫なし", "暂时无货", "재고 없음", "غير متوفر", "אזל מהמלאי",
    ],
    "unknown": [
        "We keep 5000 items in stock", "Show only items in stock", "Was in stock yesterday",
        "Dieser Artikel war auf Lager",
        "Nur noch auf Anfrage lieferbar", "هل المنتج متوفر؟",
        "", "Is it in stock?", "Stock photos", "Available in 5 colours", "If it is in stock, we ship it today",
        "In stock\nSold out", "Our stocks are rising", "Almost sold out of ideas", "In stock in store only",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("stock", "text"), [(stock, text) for stock, texts in SAID.items() for text in texts])
def test_a_word_of_presence_counts_with_what_stands_around_it(stock: str, text: str) -> None:
    assert stock_in(text) == stock


def test_why_nothing_is_told_is_known() -> None:
    assert settle(statements("In stock\nSold out")) == ("unknown", "contradiction")
    assert settle(statements("In stock in store only")) == ("unknown", "only_stores")
    assert settle(statements("A lever of brass.")) == ("unknown", "")
