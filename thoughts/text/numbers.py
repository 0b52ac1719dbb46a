"""Write numbers as people write them: amounts of money, sizes, changes, switches. Imports no Django."""

from decimal import Decimal

_BEFORE = {"USD": "$", "GBP": "£", "JPY": "¥", "INR": "₹", "KRW": "₩", "TRY": "₺", "ILS": "₪", "PHP": "₱"}
_CENT = Decimal("0.01")
_UNITS = ("kB", "MB", "GB", "TB")


def money_text(amount: Decimal | None, currency: str) -> str:
    """Write an amount, such as 169 €, $1,299.50 or CHF 900; empty for None."""
    if amount is None:
        return ""
    exact = round(Decimal(amount), 2) or Decimal(amount)
    number = f"{exact:,.0f}" if exact == int(exact) else f"{exact:,.{2 if exact >= _CENT else 4}f}"
    if currency == "EUR":
        return f"{number} €"
    return f"{_BEFORE[currency]}{number}" if currency in _BEFORE else f"{currency} {number}".strip()


def size_text(size_bytes: float) -> str:
    """Write a size with at most three digits, such as 812 kB or 72 GB."""
    size, unit = size_bytes / 1000, _UNITS[0]
    for larger in _UNITS[1:]:
        if size < 999.5:
            break
        size, unit = size / 1000, larger
    return f"{size:.1f} {unit}" if 0 < size < 9.95 and unit in ("GB", "TB") else f"{size:.0f} {unit}"


def percent_text(share: float) -> str:
    """Write a change with its sign, such as −10 % or +0.4 %."""
    percent = abs(share) * 100
    number = f"{percent:.1f}".removesuffix(".0") if percent < 0.95 else f"{percent:,.0f}"
    return f"{'−' if share < 0 else '+'}{number} %"
