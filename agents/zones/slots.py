"""Slots: facts whose value no model is told. A request has `{{email}}` in the place of the value.

Knows the forms in which the owner gives one. Imports no Django.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from agents.llm.messages import SEAL, PageTurn, Request, TextTurn, Turn

SLOT_NAME = re.compile(r"[a-z][a-z0-9_]{0,29}")
VALUE_CHARACTERS = 300
READY_NAMES = ("name", "email", "phone", "address", "employer", "signature")
GIVEN_CHARACTERS = 600
_WORDS = {
    "e_mail": "email", "mail": "email", "email_address": "email", "e_mail_address": "email", "mailadresse": "email",
    "e_mail_adresse": "email", "phone_number": "phone", "telephone": "phone", "telephone_number": "phone",
    "telefonnummer": "phone", "telefon": "phone", "handynummer": "phone", "mobile": "phone", "mobile_number": "phone",
    "number": "phone", "adresse": "address", "anschrift": "address", "postal_address": "address",
    "arbeitgeber": "employer", "unterschrift": "signature", "full_name": "name",
}  # fmt: skip
_ASKS = (
    r"(?:please\s+)?(?:remember|keep\s+in\s+mind)(?:\s+that|\s*:)?|(?:bitte\s+)?merk(?:e)?\s+dir(?:\s*,\s*dass|\s*:)?"
)
_WHAT = r"(?P<what>[^\W\d_][\w-]*(?:\s[\w-]+){0,3}?)"
_BETWEEN = r"(?:\s+(?:is|ist|lautet)\s*:?|\s*:|\s*=)\s+"
# "my email is …", and "my email …" where nothing stands between.
_GIVEN = [
    re.compile(
        rf"\s*(?:{_ASKS})\s+(?:my|mein|meine)\s+{_WHAT}{between}(?P<value>\S[^\n]*?)(?:\s+ist)?[\s!]*", re.IGNORECASE
    )
    for between in (_BETWEEN, r"\s+")
]
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+")
_PHONE = re.compile(r"\+?\(?\d[\d\s()/.-]{5,24}\d")
_URL = re.compile(r"(?:https?://|www\.)\S{3,}", re.IGNORECASE)
_STREET = re.compile(r"(?=[^\n]*\d)[^\n]*[^\W\d_]{3,}[^\n]*,[^\n]+")  # words, a number, and a comma between
_FORMS = {"email": _EMAIL, "phone": _PHONE, "url": _URL, "address": _STREET}
_PLACEHOLDER = re.compile(r"\{\{([a-z][a-z0-9_]{0,29})\}\}")


@dataclass(frozen=True)
class Given:
    """A slot as the owner gave it in a message."""

    name: str
    value: str


def parse_given(text: str) -> Given | None:
    """Return the slot that a message gives, such as "Remember that my email is ada@mail.example"."""
    if len(text) > GIVEN_CHARACTERS:
        return None
    matches = (form.fullmatch(text) for form in _GIVEN)
    return next((slot for match in matches if match and (slot := _given_by(match))), None)


def _given_by(match: re.Match[str]) -> Given | None:
    name, value = slot_name(match["what"]), match["value"].strip()
    kind = form_of(value.rstrip("."))
    value = value.rstrip(".") if kind else value
    is_wanted = kind or name in ("name", "employer", "signature")
    if not name or not is_wanted or len(value) > VALUE_CHARACTERS:
        return None
    return Given(name, value)


def slot_name(words: str) -> str:
    """Return the name of a slot from words of the owner, "" for none."""
    name = re.sub(r"[^a-z0-9]+", "_", words.lower().replace("ß", "ss")).strip("_")
    name = _WORDS.get(name, name)
    return name if SLOT_NAME.fullmatch(name) else ""


def form_of(value: str) -> str:
    """Return email, phone, url or address if the value has that form, else ""."""
    return next((name for name, form in _FORMS.items() if form.fullmatch(value)), "")


def hide_values(text: str, slots: Mapping[str, str]) -> str:
    """Return a text with `{{name}}` for each value, whatever its case and blanks. Parts of longer words stay."""
    for name, value in sorted(slots.items(), key=lambda slot: -len(slot[1])):
        if value.strip():
            text = _value_pattern(value).sub(f"{{{{{name}}}}}", text)
    return text


def cover_values(text: str, slots: Mapping[str, str]) -> str:
    """Return a page's text with ▮ for each letter of a value: as long as before, so that its spans stay the page's.

    A value of letters alone, such as "Ada", is a word that any page may have, and stays.
    """
    for value in slots.values():
        if not value.isalpha():
            text = _value_pattern(value).sub(lambda match: re.sub(r"\S", "▮", match[0]), text)
    return text


def _value_pattern(value: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in value.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


def as_told(text: str) -> str:
    """Return what later requests hold of a message: of one that gives a slot, only that it did."""
    slot = parse_given(text)
    return f"[you gave {{{{{slot.name}}}}}]" if slot else text


def hide_in_request(request: Request, slots: Mapping[str, str]) -> Request:
    """Return a request without values of slots: in its instructions, and in every text of its turns."""
    if not slots:
        return request
    turns = tuple(_without_values(turn, slots) for turn in request.turns)
    return replace(request, instructions=hide_values(request.instructions, slots), turns=turns, seal=SEAL)


def _without_values(turn: Turn, slots: Mapping[str, str]) -> Turn:
    if isinstance(turn, TextTurn | PageTurn):
        return replace(turn, text=hide_values(turn.text, slots))
    return turn


def names_in(text: str) -> set[str]:
    """Return the names that stand in a text as `{{name}}`."""
    return {match[1] for match in _PLACEHOLDER.finditer(text)}


def fill_in(text: str, slots: Mapping[str, str]) -> str:
    """Return a text with the values in their places. For what the owner alone sees."""
    return _PLACEHOLDER.sub(lambda match: slots.get(match[1], match[0]), text)
