"""Amounts of money as pages and people write them. Knows no Django: the sandbox reads pages with it, and forms what the
owner writes.
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
# What a mark can mean, the likeliest first; empty: it says too little.
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
LONGEST = 40  # characters that a price is written with; what is longer is none
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
    """A positive amount; `currency` is an ISO 4217 code, or empty where none was said. `start` and `end`: where it
    stands in its text.
    """

    amount: Decimal
    currency: str
    start: int = 0
    end: int = 0


def read_money(text: str, currency: str = "") -> Money | None:
    """Return the amount that a short text is, with or without its currency; None for anything else. `currency`: what a
    mark may mean.
    """
    written = text.strip().translate(_DIGITS)
    if match := _MONEY.fullmatch(written):
        return _money(match, currency)
    if match := _BARE.fullmatch(written):
        amount = _amount(match["first"], currency)
        return Money(amount, "", 0, len(written)) if amount else None
    return None


def money_in(text: str, currency: str = "") -> Iterator[Money]:
    """Yield the amounts with a currency in a text, in their order."""
    for match in _MONEY.finditer(text.translate(_DIGITS)):
        if found := _money(match, currency):
            yield found


def code_of(text: str, currency: str = "") -> str:
    """Return the ISO 4217 code that a code or a mark stands for; empty where it is none, or could be several."""
    written = text.strip().translate(_DIGITS)
    if re.fullmatch(r"[A-Za-z]{3}", written):
        return written.upper()
    meant = next((codes for mark, codes in MARKS.items() if mark.lower() == written.lower()), ("",))
    return currency if currency in meant else meant[0]


def plain_number(amount: Decimal) -> str:
    """Return an amount as readings hold it: digits, a point, at most four places."""
    text = f"{amount:.4f}".rstrip("0").rstrip(".")
    return text if "." not in text or len(text.partition(".")[2]) > 1 else f"{text}0"


def _money(match: re.Match[str], currency: str) -> Money | None:
    if match.end() - match.start() > LONGEST:
        return None
    code = code_of(match["before"] or match["after"], currency)
    amount = _amount(match["first"] or match["last"], code)
    return Money(amount, code, match.start(), match.end()) if amount else None


def _amount(written: str, currency: str) -> Decimal | None:
    """Return the number, None for nothing and for what no price is. A single point or comma before three digits parts
    thousands.
    """
    from price_parser.parser import parse_number  # with what it loads 1 MB: only where a price is read

    digits = re.sub(rf"['’]|{_SPACE}", "", re.sub(r"[.,][-–—]{1,2}$", "", written))
    is_decimal = currency in THREE_PLACES and re.fullmatch(r"\d+\.\d{3}", digits)
    amount = Decimal(digits) if is_decimal else parse_number(digits)
    return amount if amount is not None and 0 < amount < MOST else None
