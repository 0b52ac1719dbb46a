"""Say in words why a visit could not tell the price or the stock. The codes are those of prices.py and stock.py."""

PRICE = {
    "range": "it shows a range, or the lowest of several prices",
    "several": "it shows several, and does not say which one counts",
    "currencies": "it shows several currencies",
    "parts": "it shows instalments, old prices or the like alone",
}
STOCK = {
    "contradiction": "it says both that it is in stock and that it is not",
    "only_stores": "it speaks of shops in town alone",
}


def is_price_unsure(codes: str) -> bool:
    return any(code in PRICE for code in codes.split())


def is_stock_unsure(codes: str) -> bool:
    return any(code in STOCK for code in codes.split())


def reasons(codes: str) -> list[str]:
    """Return a sentence for each code."""
    prices = [f"I cannot tell the price of this page: {PRICE[code]}." for code in codes.split() if code in PRICE]
    stocks = [f"I cannot tell its stock: {STOCK[code]}." for code in codes.split() if code in STOCK]
    return prices + stocks
