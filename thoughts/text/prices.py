"""Read from a page's text which of its amounts is the price of its product. Imports no Django.

An amount is taken for what the words at its side say: an old price, an instalment, a price for a kilo, shipping. Where
several are left that may be the price, or a range, none is.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from thoughts.text.money import Money, money_in, plain_digits
from thoughts.text.page_parts import own_part
from thoughts.text.shop_words import Match, Words, fold_shop, read_sections
from thoughts.text.stock import statements

# Why there is no price: nothing like one, a range or the lowest of several, several, several currencies, or only
# amounts that are something else.
Unsure = Literal["", "range", "several", "currencies", "parts"]

_ROLES = ("now", "old", "other", "shipping", "from", "member", "net", "paid", "unit", "instalment")
_AMOUNTS_MAX = 400
_LEFT_MAX, _RIGHT_MAX, _LABEL_MAX = 80, 40, 48
_BESIDE_MAX = 200
_GAP_MAX = 24  # signs between a word and the amount that it is about
_PROSE = 60  # letters beside an amount; more make its line a sentence
_DASHES = r"\s*(?:[-–—~〜～]|to|bis|à|a|až|do|до|έως|ile|から)\s*"
_TIMES_BEFORE = re.compile(
    r"(?:^|[^\w.,])\d{1,3} ?(?:x|×|mal|fois|veces|vezes|volte|ggr|keer|krat|raza)"
    r"(?: ?(?:de|da|a|of|zu|je|sans frais|po))?[ :]*$"
)
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|miedzy|mezi|intre|между)\s*$")
_AND = re.compile(r"\s*(?:and|und|et|y|e|en|och|og|i|a|si|и|та|і)\s*")
_OFF = re.compile(
    r"\s*(?:off|de reduction|de remise|rabatt|di sconto|de descuento|de desconto|korting|rabat|slevy"
    r"|kedvezmeny|reducere|скидк\w*|знижк\w*|indirim|オフ|引き|할인)(?!\w)"
)
_PER = re.compile(
    r"\W{0,3}(?:/|(?:per|pro|je|par|al|alla|a la|por|za|pr\.?|a|the|le|o|το|на|за|om|im|i|w|v|cada|pe|ανα)\b)\s*"
)
_WAS_IS_MOST = 10  # times the new price, for an old one beside it without a word


@dataclass(frozen=True)
class Finding:
    """The price of a page, or why there is none."""

    money: Money | None
    unsure: Unsure = ""


@dataclass
class _Amount:
    """One amount of a page. `tier`: 0 alone in its line, 1 beside other words, 2 in a sentence."""

    money: Money
    line: int
    role: str
    tier: int


def price_in(title: str, text: str, currency: str = "", home: str = "", struck: Collection[str] = ()) -> Finding:
    """Return the price of the page's own product.

    `currency`: the one that is wanted. `home`: that of the page. `struck`: amounts that the page shows struck out, as
    its text writes them.
    """
    begin, end = own_part(title, text)
    amounts = list(_amounts(title, text[:end], currency, home, struck))
    own = [amount for amount in amounts if amount.money.start >= begin]
    finding = _settle(own, text, end, currency, home)
    if finding.money is None and not finding.unsure and begin:
        return _settle([amount for amount in amounts if amount.tier == 0], text, end, currency, home)
    return finding


def _settle(amounts: list[_Amount], text: str, end: int, currency: str, home: str) -> Finding:
    left, unsure = _in_one_currency([amount for amount in amounts if amount.role in ("", "now")], currency, home)
    if unsure:
        return Finding(None, unsure)
    if not left:
        return _without_price(amounts)
    tier = min(amount.tier for amount in left)
    best = [amount for amount in left if amount.tier == tier]
    best = _above_the_button(best, text, end)
    labelled = {amount.money.amount for amount in best if amount.role == "now"}
    if len(labelled) == 1:
        return Finding(next(amount.money for amount in best if amount.role == "now"))
    different = list({amount.money.amount: amount for amount in best}.values())
    if len(different) == 1:
        return Finding(different[0].money)
    if len(different) == 2 and not labelled and (price := _of_was_and_is(different[0], different[1], amounts)):
        return Finding(price)
    return Finding(None, "several")


def _without_price(amounts: list[_Amount]) -> Finding:
    """Return the finding where every amount is something else. A lone price without tax or for cash is the price."""
    for role in ("net", "piece", "paid"):
        only = {amount.money.amount: amount for amount in amounts if amount.role == role}
        if len(only) == 1:
            return Finding(next(iter(only.values())).money)
    if any(amount.role in ("from", "range") for amount in amounts):
        return Finding(None, "range")
    return Finding(None, "parts" if amounts else "")


def _in_one_currency(amounts: list[_Amount], currency: str, home: str) -> tuple[list[_Amount], Unsure]:
    codes = {amount.money.currency for amount in amounts}
    if len(codes) <= 1:
        return amounts, ""
    code = next((code for code in (currency, home) if code in codes and code), None)
    if code is None:
        return [], "currencies"
    return [amount for amount in amounts if amount.money.currency == code], ""


def _above_the_button(amounts: list[_Amount], text: str, end: int) -> list[_Amount]:
    """Return the amounts above the first word of stock that follows the first of them."""
    first = amounts[0].money.end
    line_end = text.find("\n", first)
    below = statements(text, line_end + 1, end) if 0 <= line_end < end else []
    if not below:
        return amounts
    return [amount for amount in amounts if amount.money.start < below[0].start]


def _of_was_and_is(first: _Amount, second: _Amount, amounts: list[_Amount]) -> Money | None:
    """Return the lower of two amounts side by side that are the price of before and of today, else None.

    The lower one stands second or in the same line, or the page names their difference.
    """
    new, old = sorted((first, second), key=lambda amount: amount.money.amount)
    if first.tier or second.tier or old.money.amount > _WAS_IS_MOST * new.money.amount:
        return None
    is_near = second.line - first.line <= 1
    is_saved = any(
        amount.role == "other" and amount.money.amount == old.money.amount - new.money.amount for amount in amounts
    )
    return new.money if is_saved or (is_near and (new is second or first.line == second.line)) else None


def _amounts(title: str, text: str, currency: str, home: str, struck: Collection[str]) -> Iterator[_Amount]:
    struck_digits = {_digits_of(amount) for amount in struck}
    title_words = set(re.findall(r"\w+", fold_shop(title)))
    at, label, count, last_role = 0, "", 0, ""
    for number, line in enumerate(text.split("\n")):
        of_line = list(islice(money_in(line, currency, home), _AMOUNTS_MAX - count))
        count += len(of_line)
        for place, money in enumerate(of_line):
            left = line[of_line[place - 1].end if place else 0 : money.start]
            if place and (of_last := _OFF.match(fold_shop(left))):
                left = left[of_last.end() :]
            has_next = place + 1 < len(of_line)
            right = line[money.end : of_line[place + 1].start if has_next else len(line)]
            role = _role(left, right, label if place == 0 else "", has_next=has_next)
            if place and last_role == "range" and _AND.fullmatch(fold_shop(left)):
                role = "range"
            last_role = role
            if role in ("", "now") and _digits_of(line[money.start : money.end]) in struck_digits:
                role = "old"
            yield _Amount(
                Money(money.amount, money.currency, money.start + at, money.end + at),
                number,
                role,
                _tier(left, right, role, title_words),
            )
        label = line if not of_line and len(line) <= _LABEL_MAX else ""
        at += len(line) + 1


def _digits_of(text: str) -> str:
    """Return the digits of an amount with their separators, without currency and spaces."""
    return "".join(re.findall(r"[\d.,']", plain_digits(text))).strip(".,'")


@lru_cache
def _words(*sections: str) -> Words:
    words = Words()
    for section, _, entries in read_sections("price_words.txt"):
        for word in entries if section in sections else ():
            words.add(word, section, "")
    return words


def _role(left: str, right: str, label: str, *, has_next: bool) -> str:
    """Return what an amount is, by the words at its sides; "" if they do not say."""
    before, behind = fold_shop(left[-_LEFT_MAX:]), fold_shop(right[:_RIGHT_MAX])
    if re.fullmatch(_DASHES, before) or (has_next and re.fullmatch(_DASHES, behind)):
        return "range"
    if has_next and _BETWEEN.search(before):
        return "range"
    if _OFF.match(behind):
        return "other"
    if re.search(r"(?:^|[\s(])[-−–]\s?$", before) and not re.search(r"\w\s+[–-]\s$", before):
        return "other"
    if part := _part_behind(behind):
        return part
    if _TIMES_BEFORE.search(before) or _payments_before(before):
        return "instalment"
    if re.search(r"=\s*$", before):
        return "unit"
    if (role := _role_before(before)) and not (role == "now" and _role_behind(behind) in ("old", "net")):
        return role
    if not has_next and (role := _role_behind(behind)):
        return role
    return _role_of_label(label) if not re.search(r"\w", before) else ""


def _part_behind(behind: str) -> str:
    """Return the role of an amount that a measure or a span of time follows: "/ 100 g", "per month", "x 24"."""
    if re.match(r"\s*(?:x|×|\*)\s*\d{1,3}\b(?!\s*(?:cm|mm|m)\b)", behind):
        return "instalment"
    per = _PER.match(behind)
    if per is None:
        return ""
    rest = re.sub(r"^[\d.,]+\s*", "", behind[per.end() :])
    match = _words("units", "months", "pieces").match(rest, 0)
    if match is None:
        return "unit" if re.match(r"\W{0,3}/ ?1 ?[^\W\d_]", behind) else ""
    sections = {entry.section for entry in match.entries}
    if "months" in sections:
        return "instalment"
    return "unit" if "units" in sections else "piece"


def _payments_before(before: str) -> bool:
    """Whether a number of payments stands before: "12 cuotas de", "in 3 rate da"."""
    for match in _words("payments").find(before):
        gap = before[match.end :]
        if re.search(r"\d\s*(?:x\s*)?(?:[\w-]+\s)?$", before[: match.start]) and len(gap) <= _GAP_MAX:
            return True
    return False


def _role_before(before: str) -> str:
    """Return the role of the last word before an amount that is near enough."""
    matches = list(_words(*_ROLES).find(before))
    for match in reversed(matches):
        if _is_near(before, match):
            return _first_section(match)
    return ""


def _is_near(before: str, match: Match) -> bool:
    gap = before[match.end :]
    word = before[match.start : match.end]
    letters = re.sub(r"[\W\d_]+", "", gap)
    if len(word) <= 3 or _first_section(match) == "from":
        return not letters
    return len(gap) <= _GAP_MAX


def _role_behind(behind: str) -> str:
    """Return the role of the word directly behind an amount."""
    stripped = behind.lstrip(" (*:-–,")
    match = _words(*_ROLES).match(stripped, 0)
    if match is None:
        return ""
    section = _first_section(match)
    rest = stripped[match.end :]
    if section == "shipping" and re.match(r"\W*(?:inkl|incl|frei|free|gratis|kosten|inbegr|offert|includ)", rest):
        return ""
    return section if section not in ("now", "from") or section == "from" else ""


def _role_of_label(label: str) -> str:
    """Return the role that the line above gives: "Regular price"."""
    folded = fold_shop(label.strip(" :*"))
    if not folded:
        return ""
    matches = list(_words(*_ROLES).find(folded))
    covered = sum(match.end - match.start for match in matches)
    return _first_section(matches[0]) if matches and covered >= 0.6 * len(folded) else ""


def _first_section(match: Match) -> str:
    sections = [entry.section for entry in match.entries]
    return next((section for section in _ROLES if section in sections), "")


def _tier(left: str, right: str, role: str, title_words: set[str]) -> int:
    before = [word for word in _meaningful(left[-_BESIDE_MAX:]) if word not in title_words]
    behind = _meaningful(right[:_BESIDE_MAX])
    letters = sum(map(len, before)) + sum(map(len, behind))
    if letters > _PROSE:
        return 2
    if role == "now":
        return 0
    return 0 if sum(map(len, before)) <= 2 and sum(map(len, behind)) <= 40 else 1


def _meaningful(text: str) -> list[str]:
    """Return the words beside an amount, without those that say nothing of it."""
    folded = fold_shop(text)
    rest = folded
    for match in _words("noise").find(folded):
        rest = rest[: match.start] + " " * (match.end - match.start) + rest[match.end :]
    return re.findall(r"[^\W\d_]+", rest)
