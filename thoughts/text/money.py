"""Parse amounts of money on pages and in what the owner writes.

A number counts as a whole, in one of the groupings of the world, or not at all. Imports no Django: the sandbox uses
this too.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from thoughts.text.currencies import MARKS, ONLY_AT_HOME, code_of, written_marks

THREE_PLACES = {"KWD", "BHD", "OMR", "JOD", "TND", "IQD"}
MOST = Decimal(10) ** 9
LONGEST = 40  # characters of a price; longer text is not a price
_LETTER = r"[^\W\d_\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"  # of scripts with spaces between words
_MARK_MAX = 10
# Spaces join groups of three digits alone. A sign of the cents that are left out belongs to the number.
_NUMBER = re.compile(
    r"(?:\d{1,3}(?: \d{3}(?!\d))++(?:[.,]\d++)?|\d++(?:[.,']\d++)*+)"
    r"(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{2})?(?P<whole>[.,] ?[-–—]{1,2}(?!\d))?"
)
# One group at least. The last form is India's.
_GROUPED = re.compile(
    r"\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?|\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,3}(?:[' ]\d{3})+(?:[.,]\d{1,2})?"
    r"|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?"
)
_PLAIN = re.compile(r"\d+(?:[.,]\d{1,2}|[.,]\d{4,6})?|0[.,]\d+")
_THREE = re.compile(r"(?:\d{1,3}(?:,\d{3})+|\d+)\.\d{3}")
_NEGATIVE = re.compile(r"(?<=[.,]\d\d)[-−](?![\w€$£¥])")  # "1.299,00-" is taken off
# Digits of other scripts, and the signs of full width, each in one place of the text.
_ZEROS = "٠۰०০๐０"
_DIGITS = str.maketrans(
    {chr(ord(zero) + digit): str(digit) for zero in _ZEROS for digit in range(10)}
    | dict.fromkeys("\u00a0\u202f\u2009\u2007", " ")
    | {"，": ",", "．": ".", "＄": "$", "￥": "¥", "：": ":", "٬": "'", "٫": ".", "’": "'", "´": "'"}
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_PREFIXES = "$£¥₹₺₩₪₱₦฿₫"


@dataclass(frozen=True)
class Money:
    """A positive amount, and its span in the text.

    `currency` is an ISO 4217 code, or empty if the text names none.
    """

    amount: Decimal
    currency: str
    start: int = 0
    end: int = 0


@lru_cache
def _beside() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return the patterns of a mark before a number and behind it, compiled with the first price."""
    marks = "|".join(re.escape(mark) for mark in sorted(written_marks(), key=len, reverse=True))
    left = re.compile(rf"(?<!{_LETTER})(?P<mark>{marks})[):]{{0,2}} {{0,2}}\Z")
    return left, re.compile(rf" {{0,2}}(?P<mark>{marks})(?!{_LETTER})")


def plain_digits(text: str) -> str:
    """Return the text with the digits, separators and spaces of all scripts as ASCII, each at its place."""
    return text.translate(_DIGITS)


def read_money(text: str, currency: str = "", home: str = "") -> Money | None:
    """Parse a short text that is only an amount, with or without a currency.

    Return None for any other text.

    `home`, the currency of the page, decides ambiguous marks before `currency`, which the owner asked for.
    """
    digits = plain_digits(text.strip())
    if len(digits) > LONGEST:
        return None
    money = next(money_in(digits, currency, home), None)
    if money and (money.start, money.end) == (0, len(digits)):
        return money
    match = _NUMBER.fullmatch(digits)
    amount = _amount(match, home or currency) if match else None
    return Money(amount, "", 0, len(digits)) if amount else None


def money_in(text: str, currency: str = "", home: str = "") -> Iterator[Money]:
    """Yield the amounts with a currency, in the order of the text."""
    digits, end = plain_digits(text), 0
    for match in _NUMBER.finditer(digits):
        if match.start() < end:
            continue  # the cents of "12€50"
        money = _money_at(digits, match, end, currency, home)
        if money is not None:
            yield money
            end = money.end


def plain_number(amount: Decimal) -> str:
    """Format an amount as readings store it: digits, a point, at most four places."""
    text = f"{amount:.4f}".rstrip("0").rstrip(".")
    return text if "." not in text or len(text.partition(".")[2]) > 1 else f"{text}0"


def _money_at(text: str, number: re.Match[str], end: int, currency: str, home: str) -> Money | None:
    """Return the amount of a number with the mark at its side. `end`: where the amount before it ends."""
    left = _beside()[0].search(text[max(end, number.start() - _MARK_MAX) : number.start()])
    right = _beside()[1].match(text, number.end(), number.end() + _MARK_MAX)
    if left and _only_elsewhere(left["mark"], currency, home):
        left = None
    if right and (_only_elsewhere(right["mark"], currency, home) or _is_of_next(text, number, right, left)):
        right = None
    whole = number["whole"] is not None and (home or currency or left or right)
    if not (left or right or whole) or _is_part(text, number.start(), end, left) or _NEGATIVE.match(text, number.end()):
        return None
    start = number.start() - len(left.group()) if left else number.start()
    stop = right.end() if right else number.end()
    cents = _cents_behind(text, right, number) if right and not left else ""
    stop += len(cents)
    code = _code(left["mark"] if left else "", right["mark"] if right else "", currency, home) or (
        (home or currency) if not (left or right) else ""
    )
    amount = _amount(number, code, cents.strip())
    if amount is None or stop - start > LONGEST:
        return None
    return Money(amount, _sure_code(code, left, right, number.group(), home, currency), start, stop)


def _only_elsewhere(mark: str, currency: str, home: str) -> bool:
    """Whether a mark is a plain letter or word, except on the pages of its country."""
    return mark in ONLY_AT_HOME and not {home, currency} & set(MARKS[mark]) - {""}


def _is_of_next(text: str, number: re.Match[str], right: re.Match[str], left: re.Match[str] | None) -> bool:
    """Whether the mark behind a number stands before the next one: "4.5 $849", "£849 £749"."""
    behind = re.compile(r" ?(?=\d)").match(text, right.end())
    if behind is None:
        return False
    mark = right["mark"]
    is_near = mark == text[number.end() : right.end()]
    if left:
        return left["mark"] == mark or mark[-1] in _PREFIXES or mark.isupper() or not is_near
    if is_near or behind.group():
        return False
    following = _NUMBER.match(text, right.end())
    closing = _beside()[1].match(text, following.end(), following.end() + _MARK_MAX) if following else None
    return closing is None or closing["mark"] != mark or mark[-1] in _PREFIXES


def _is_part(text: str, start: int, end: int, left: re.Match[str] | None) -> bool:
    """Whether a number goes on before its start: a version, a range or a negative amount, a word with digits."""
    if left or start in (0, end):
        return False
    is_cents = text[start - 1] == "," and not text[max(start - 2, 0) : start - 1].strip(" \n")  # ",99"
    return text[start - 1].isalpha() or text[start - 1] in "-−–._" or is_cents


def _cents_behind(text: str, right: re.Match[str], number: re.Match[str]) -> str:
    """Return the two digits of "12€50", with a space before them."""
    if right["mark"] != "€" or number["whole"] or not number.group().isdigit():
        return ""
    cents = re.compile(r" ?\d\d(?![\d.,€%]|\s?[^\W\d_])").match(text, right.end())
    if cents is None or (cents.group()[0] == " " and text[number.end()] == " "):
        return ""
    return cents.group()


def _code(left: str, right: str, currency: str, home: str) -> str:
    """Return the code of one mark or of two: of "$ 12 ARS" the exact one."""
    codes = [code_of(mark, currency, home) for mark in (left, right) if mark]
    if len(codes) < 2 or codes[0] == codes[1]:
        return codes[0] if codes else ""
    for code, mark in ((codes[1], left), (codes[0], right)):
        if code in MARKS.get(mark, ()):
            return code
    return codes[0]


def _sure_code(
    code: str, left: re.Match[str] | None, right: re.Match[str] | None, number: str, home: str, currency: str
) -> str:
    """Return the code, or "" of a plain "$" beside a number that dollars are not written in."""
    marks = {match["mark"] for match in (left, right) if match}
    is_guess = marks == {"$"} and code == "USD" and "USD" not in (home, currency)
    is_other = re.fullmatch(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d{1,2}", number) is not None
    return "" if is_guess and is_other else code


def _amount(number: re.Match[str], currency: str, cents: str = "") -> Decimal | None:
    """Return the number, or None if it is zero, too large for a price, or has no one meaning.

    A single point or comma before three digits separates thousands.
    """
    from price_parser.parser import parse_number  # 1 MB with its imports: loaded only to parse a price

    raised = number["raised"] or ""
    digits = number.group().removesuffix(number["whole"] or "").removesuffix(raised)
    cents = cents or raised.translate(_RAISED)
    if len(digits) > LONGEST:
        return None
    if currency in THREE_PLACES and _THREE.fullmatch(digits):
        amount: Decimal | None = Decimal(digits.replace(",", ""))
    elif digits[:2] in ("0.", "0,"):
        amount = Decimal(digits.replace(",", ".")) if _PLAIN.fullmatch(digits) else None
    elif _GROUPED.fullmatch(digits) or _PLAIN.fullmatch(digits):
        amount = parse_number(re.sub(r"[' ]", "", digits))
    else:
        amount = None
    if amount is not None and cents and amount == int(amount):
        amount += Decimal(cents) / 100
    return amount if amount is not None and 0 < amount < MOST else None
