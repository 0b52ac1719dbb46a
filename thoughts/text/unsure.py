"""Say in words why a visit could not tell the price or the stock.

The codes are those of prices.py and stock.py, and two for a model that reads otherwise.
"""

PRICE_DIFFERS, STOCK_DIFFERS = "price_differs", "stock_differs"
PRICE = {
    "price_differs": "its words and the model that read it differ",
    "range": "it shows a range, or the lowest of several prices",
    "several": "it shows several, and does not say which one counts",
    "currencies": "it shows several currencies",
    "parts": "it shows instalments, old prices or the like alone",
}
STOCK = {
    "stock_differs": "its words and the model that read it differ",
    "contradiction": "it says both that it is in stock and that it is not",
    "only_stores": "it speaks of shops in town alone",
}


# Why there can be no price, whoever reads the page.
NO_PRICE = frozenset({"range", "parts", PRICE_DIFFERS})


def price_code(codes: str) -> str:
    """Return the code of why the price is unknown, or ""."""
    return next((code for code in codes.split() if code in PRICE), "")


def stock_code(codes: str) -> str:
    """Return the code of why the stock is unknown, or ""."""
    return next((code for code in codes.split() if code in STOCK), "")


def reasons(codes: str) -> list[str]:
    """Return a sentence for each code."""
    prices = [f"I cannot tell the price of this page: {PRICE[code]}." for code in codes.split() if code in PRICE]
    stocks = [f"I cannot tell its stock: {STOCK[code]}." for code in codes.split() if code in STOCK]
    return prices + stocks
