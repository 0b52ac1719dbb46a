"""Parse amounts of money on pages and in what the owner writes.

Imports no Django: the sandbox uses this too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

CODES = (
    "AED", "ARS", "AUD", "BGN", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF",
    "IDR", "ILS", "INR",
    "ISK", "JPY", "KRW", "KWD", "MXN", "MYR", "NOK", "NZD", "PHP", "PLN", "RON", "RUB", "SAR", "SEK", "SGD", "THB",
    "TRY", "TWD", "UAH",
    "USD", "VND", "ZAR",
)  # fmt: skip
# Currencies that a mark can mean, the likeliest first; empty: the mark is ambiguous.
MARKS = {
    "€": ("EUR",),
    "£": ("GBP",),
    "US$": ("USD",),
    "CA$": ("CAD",),
    "C$": ("CAD",),
    "AU$": ("AUD",),
    "A$": ("AUD",),
    "NZ$": ("NZD",),
    "HK$": ("HKD",),
    "S$": ("SGD",),
    "R$": ("BRL",),
    "$": ("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN"),
    "¥": ("JPY", "CNY"),
    "円": ("JPY",),
    "元": ("CNY",),
    "₹": ("INR",),
    "Rs.": ("INR",),
    "₽": ("RUB",),
    "₩": ("KRW",),
    "₺": ("TRY",),
    "₪": ("ILS",),
    "₫": ("VND",),
    "zł": ("PLN",),
    "Kč": ("CZK",),
    "Ft": ("HUF",),
    "Fr.": ("CHF",),
    "SFr.": ("CHF",),
    "kr.": ("", "SEK", "NOK", "DKK", "ISK"),
    "kr": ("", "SEK", "NOK", "DKK", "ISK"),
}
THREE_PLACES = {"KWD", "BHD", "OMR", "JOD", "TND"}
MOST = Decimal(10) ** 9
LONGEST = 40  # characters of a price; longer text is not a price
_MARK = "|".join(re.escape(mark) for mark in sorted([*MARKS, *CODES], key=len, reverse=True))
_BEFORE, _AFTER = rf"(?<![A-Za-z$])(?:{_MARK})", rf"(?:{_MARK})(?![A-Za-z])"
_SPACE = "[ \u00a0\u202f\u2009]"
_CENTS = r"(?:[.,](?:\d{1,2}(?!\d)|[-–—]{1,2}))?"
_AMOUNT = rf"(?:\d{{1,3}}(?:(?:[.,'’]|{_SPACE})\d{{3}})+(?!\d){_CENTS}|\d{{1,10}}{_CENTS})"
_MONEY = re.compile(
    rf"(?<![\d.,'’-])(?:(?P<before>{_BEFORE}){_SPACE}{{0,2}}(?P<first>{_AMOUNT})|(?P<last>{_AMOUNT}){_SPACE}{{0,2}}(?P<after>{_AFTER}))(?![\d])"
)
_BARE = re.compile(rf"(?P<first>{_AMOUNT})")
_DIGITS = str.maketrans(
    {chr(0xFF10 + digit): str(digit) for digit in range(10)} | {"，": ",", "．": ".", "＄": "$", "￥": "¥"}
)


@dataclass(frozen=True)
class Money:
    """A positive amount, and its span in the text.

    `currency` is an ISO 4217 code, or empty if the text names none.
    """

    amount: Decimal
    currency: str
    start: int = 0
    end: int = 0


def read_money(text: str, currency: str = "") -> Money | None:
    """Parse a short text that is only an amount, with or without a currency.

    Return None for any other text.

    `currency` decides ambiguous marks.
    """
    digits = text.strip().translate(_DIGITS)
    if match := _MONEY.fullmatch(digits):
        return _money(match, currency)
    if match := _BARE.fullmatch(digits):
        amount = _amount(match["first"], currency)
        return Money(amount, "", 0, len(digits)) if amount else None
    return None


def money_in(text: str, currency: str = "") -> Iterator[Money]:
    """Yield the amounts with a currency, in the order of the text."""
    for match in _MONEY.finditer(text.translate(_DIGITS)):
        if money := _money(match, currency):
            yield money


def code_of(text: str, currency: str = "") -> str:
    """Return the ISO 4217 code of a code or mark; empty if unknown or ambiguous."""
    mark_or_code = text.strip().translate(_DIGITS)
    if re.fullmatch(r"[A-Za-z]{3}", mark_or_code):
        return mark_or_code.upper()
    candidates = next((codes for mark, codes in MARKS.items() if mark.lower() == mark_or_code.lower()), ("",))
    return currency if currency in candidates else candidates[0]


def plain_number(amount: Decimal) -> str:
    """Format an amount as readings store it: digits, a point, at most four places."""
    text = f"{amount:.4f}".rstrip("0").rstrip(".")
    return text if "." not in text or len(text.partition(".")[2]) > 1 else f"{text}0"


def _money(match: re.Match[str], currency: str) -> Money | None:
    if match.end() - match.start() > LONGEST:
        return None
    code = code_of(match["before"] or match["after"], currency)
    amount = _amount(match["first"] or match["last"], code)
    return Money(amount, code, match.start(), match.end()) if amount else None


def _amount(text: str, currency: str) -> Decimal | None:
    """Return the number, or None if it is zero or too large for a price.

    A single point or comma before three digits separates thousands.
    """
    from price_parser.parser import parse_number  # 1 MB with its imports: loaded only to parse a price

    digits = re.sub(rf"['’]|{_SPACE}", "", re.sub(r"[.,][-–—]{1,2}$", "", text))
    is_decimal = currency in THREE_PLACES and re.fullmatch(r"\d+\.\d{3}", digits)
    amount = Decimal(digits) if is_decimal else parse_number(digits)
    return amount if amount is not None and 0 < amount < MOST else None
