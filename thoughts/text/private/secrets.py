"""Find secrets in a text: numbers with a check digit, known shapes, and what words near by say to be one.

Also which fields of a form hold a secret, by their names.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import regex

from thoughts.text.private.words import Nearness, Words, blank, data, entries, fold

TEXT_CHARACTERS = 20_000
CUT = "[secret cut]"
# Found without a word beside them.
SURE = frozenset({"card number", "account number", "key", "private key"})
CARD_DIGITS, IBAN_CHARACTERS = 13, 15
PARTS_MOST = 20
DIGITS_OF_A_NUMBER = 5
PASSWORD_CHARACTERS = 4
CODED_CHARACTERS = 8
CHANGES_OF_CHANCE = 3
_CHANGE = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HEXADECIMAL = re.compile(r"[0-9a-fA-F]{32,}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SEPARATOR = regex.compile(r"[^\p{L}\p{N}]")
_INNER_CASE = regex.compile(r".\p{Lu}")
_PLAIN = regex.compile(r"[\p{L}\p{M}'’.-]*")


@dataclass(frozen=True)
class Secret:
    """`kind` names it in words, such as "card number"."""

    start: int
    end: int
    kind: str


def secrets_in(text: str) -> list[Secret]:
    """Return the secrets of the first TEXT_CHARACTERS characters, in order. None overlaps another.

    Phrases that restore a wallet are looked for by `seed_phrases` alone: their lists are large.
    """
    search = _Search(text[:TEXT_CHARACTERS])
    spans = [secret for kind in _kinds() for secret in search.of_kind(kind)]
    return _joined(sorted(spans, key=lambda secret: (secret.start, -secret.end)))


def hide_secrets(text: str) -> str:
    """Return a text with a note where each secret stood."""
    pieces, place = list[str](), 0
    for secret in secrets_in(text):
        pieces += [text[place : secret.start], CUT]
        place = secret.end
    return "".join([*pieces, text[place:]])


def is_secret_field(*names: str) -> bool:
    """Return whether a form's field holds a secret, by its name, id, label or placeholder."""
    return _field_words().has_any(fold(_CAMEL.sub(" ", " ".join(names))[:TEXT_CHARACTERS]))


class _Search:
    """One text. The shapes of secrets are looked for only where a word that they need stands in it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._near = dict[tuple[str, str], Nearness]()
        self._folded = fold(text)
        self._lists = _lists_in(self._folded)

    def of_kind(self, kind: dict[str, Any]) -> Iterator[Secret]:
        check, last_end = CHECKS[kind["check"]], -1
        if kind.get("near") and kind["near"] not in self._lists:
            return
        for match in kind["pattern"].finditer(self.text):
            start, end = match.start() + kind.get("from", 0), match.end()
            span = check(self.text, start, end)
            if span and self._is_near(kind, *span, last_end):
                last_end = span[1]
                yield Secret(*span, kind["name"])

    def _is_near(self, kind: dict[str, Any], start: int, end: int, last_end: int) -> bool:
        if not kind.get("near"):
            return True
        if last_end >= 0 and start - last_end <= kind.get("chain", 0):
            return True
        near = self._nearness(kind["near"], kind.get("except", ""))
        word_end = near.end_before(start)
        if word_end is not None and start - word_end <= kind["before"]:
            return not kind.get("line") or "\n" not in self.text[word_end:start]
        word_start = near.start_after(end)
        return word_start is not None and word_start - end <= kind["after"] > 0

    def _nearness(self, name: str, harmless: str) -> Nearness:
        if (name, harmless) not in self._near:
            folded = self._folded
            if harmless:
                folded = blank(folded, _near_words(harmless).positions(folded))
            self._near[name, harmless] = Nearness(_near_words(name).positions(folded))
        return self._near[name, harmless]


Span = tuple[int, int] | None


def _whole(text: str, start: int, end: int) -> Span:
    return start, end


def _trimmed(is_valid: Callable[[str], bool], text: str, start: int, end: int) -> Span:
    """Return the longest part of a spaced number that is valid: other numbers may stand before or after it."""
    cuts = [start + match.start() for match in _SEPARATOR.finditer(text[start:end])][:PARTS_MOST]
    parts = [(start, cut) for cut in [end, *reversed(cuts)]] + [(cut + 1, end) for cut in cuts]
    return next((part for part in parts if is_valid(_SEPARATOR.sub("", text[slice(*part)]))), None)


def _is_card(digits: str) -> bool:
    """Return whether digits have the length, first digit and check digit (Luhn) of a card's number."""
    if len(digits) < CARD_DIGITS or not digits.isascii() or digits[0] not in "23456":
        return False
    doubled = [int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value > 9 else value for value in doubled) % 10 == 0


def _is_iban(characters: str) -> bool:
    """Return whether an account's number has its check digits (ISO 7064, mod 97)."""
    if len(characters) < IBAN_CHARACTERS or not characters.isascii():
        return False
    return int("".join(str(int(character, 36)) for character in characters[4:] + characters[:4])) % 97 == 1


def _number(text: str, start: int, end: int) -> Span:
    return (start, end) if sum(map(str.isdigit, text[start:end])) >= DIGITS_OF_A_NUMBER else None


def _mixed(text: str, start: int, end: int) -> Span:
    part = text[start:end]
    has_both = any(map(str.isdigit, part)) and any(map(str.isalpha, part))
    return (start, end) if has_both and len(part) >= PASSWORD_CHARACTERS else None


def _coded(text: str, start: int, end: int) -> Span:
    part = text[start:end]
    is_code = any(map(str.isdigit, part)) or (len(part) >= CODED_CHARACTERS and part == part.upper())
    return (start, end) if is_code and not _DAY.fullmatch(part) else None


def _strong(text: str, start: int, end: int) -> Span:
    part = text[start:end].rstrip(".,;:)")
    is_word = _PLAIN.fullmatch(part) and not _INNER_CASE.search(part)
    if is_word or len(part) < PASSWORD_CHARACTERS or part.startswith("http"):
        return None
    return start, start + len(part)


def _password(text: str, start: int, end: int) -> Span:
    """Accept a plain word too where nothing follows it on its line."""
    if strong := _strong(text, start, end):
        return strong
    part = text[start:end].rstrip(".,;:)")
    rest = text[end : end + 200].partition("\n")[0].strip()
    is_alone = not rest and len(part) >= PASSWORD_CHARACTERS and not part.startswith("http")
    return (start, start + len(part)) if is_alone and not _no_passwords().has_any(fold(part)) else None


def _random(text: str, start: int, end: int) -> Span:
    part = text[start:end].rstrip("./+-=")
    if "/" in part or "." in part:
        return None
    is_random = _HEXADECIMAL.fullmatch(part) or len(_CHANGE.findall(part)) >= CHANGES_OF_CHANCE
    return (start, start + len(part)) if is_random else None


CHECKS: dict[str, Callable[[str, int, int], Span]] = {
    "": _whole,
    "card": partial(_trimmed, _is_card),
    "iban": partial(_trimmed, _is_iban),
    "number": _number,
    "mixed": _mixed,
    "coded": _coded,
    "strong": _strong,
    "password": _password,
    "random": _random,
}


def _joined(secrets: list[Secret]) -> list[Secret]:
    whole = list[Secret]()
    for secret in secrets:
        if whole and secret.start < whole[-1].end:
            last = whole.pop()
            secret = Secret(last.start, max(last.end, secret.end), last.kind)
        whole.append(secret)
    return whole


@lru_cache
def _kinds() -> list[dict[str, Any]]:
    private = data("secrets")
    # One by one: joined they take three times as long.
    forms = [*(("key", form) for form in private["known"]), ("private key", private["private_key"])]
    kinds = [*({"name": name, "pattern": form} for name, form in forms), *private["kinds"]]
    letters = private["letters"]
    return [
        {"check": "", **kind, "pattern": regex.compile(kind["pattern"].replace("LETTERS", letters))} for kind in kinds
    ]


def _lists_in(folded: str) -> set[str]:
    """Return the names of the lists that a text has words of: one look for all of them."""
    words = {folded[start:end] for start, end in _all_near_words().positions(folded)}
    return {name for name in data("secrets")["near"] if any(_near_words(name).has_any(word) for word in words)}


@lru_cache
def _all_near_words() -> Words:
    return Words(entry for lines in data("secrets")["near"].values() for entry in entries(lines))


@lru_cache
def _near_words(name: str) -> Words:
    return Words(entries(data("secrets")["near"][name]))


@lru_cache
def _field_words() -> Words:
    return Words(entries(data("secrets")["fields"]))


@lru_cache
def _no_passwords() -> Words:
    return Words(entries(data("secrets")["no_passwords"]))
