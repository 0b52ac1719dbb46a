"""Take from a model's JSON what fits a form: texts are cut, extras passed over, bad items left out alone.

The form itself stays strict and has the last word. Imports no Django.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar, cast, get_args, get_origin

from annotated_types import MaxLen
from pydantic import AfterValidator, BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from agents.zones.model_json import ReadingInvalid, best_object
from thoughts.text.plain_words import NotPlain, plain

LOOKED_AT = 60  # items of one list; forms take fewer
SENTENCES_MAX = 20  # of a text of which only some are plain
TEXT_MAX = 2_000  # characters of one text that are looked at, and at most twice its bound
FAULTS_MAX = 5
ITEM = "one of "  # before the path of a fault of one item: it costs that item alone
YES = {"true", "yes", "y", "1", "ja", "oui", "sí", "si", "sim", "да", "はい", "是", "found"}
NO = {"false", "no", "n", "0", "nein", "non", "não", "нет", "いいえ", "否", "not found", "not_found", "none"}
# What models call a field otherwise.
OTHER_NAMES = {
    "text": ("claim", "statement", "sentence", "fact", "topic", "content"),
    "quote": ("evidence", "quotation", "citation", "passage", "excerpt", "supporting_quote", "source_text"),
    "supports": ("claims", "claim", "support", "citations", "sources", "supported_by"),
    "summary": ("answer",),
    "headline": ("title", "heading"),
    "title": ("headline", "heading"),
    "claims": ("facts", "statements"),
    "link_indices": ("links", "indices", "link_index", "entries"),
    "candidates": ("topics",),
    "found": ("is_found", "answered"),
}
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？])\s+|(?<=[。！？])|\n+")
_ITEM_END = re.compile(r"[,;\s]+")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[\s-]+")


class Faults(list[str]):
    """What was wrong with an answer: fields and reasons, in words of Penny's own."""

    def add(self, field: str, reason: str) -> None:
        fault = f"{field}: {reason}"
        if fault not in self and len(self) < FAULTS_MAX:
            self.append(fault)

    def error(self, reason: str = "") -> ReadingInvalid:
        return ReadingInvalid("; ".join([*([reason] if reason else []), *self]) or "the answer: has nothing usable")


def read_fields(form: type[BaseModel], answer: str, faults: Faults) -> dict[str, Any]:
    """Return what fits the fields of a form; a field of which nothing does is missing.

    Raises ReadingInvalid if the answer has no object with any of them.
    """
    names = set(form.model_fields)

    def score(fields: dict[str, Any]) -> int:
        own = _own_names(fields)
        return sum(_is_plausible(field, own.get(name)) for name, field in form.model_fields.items())

    required = sum(field.is_required() for field in form.model_fields.values())
    return mend_fields(form, best_object(answer, score, required, names), faults)


Form = TypeVar("Form", bound=BaseModel)


def read_form(form: type[Form], answer: str) -> Form:
    """Return the form that a model filled in, without what does not fit. Raises ReadingInvalid."""
    faults = Faults()
    fields = read_fields(form, answer, faults)
    is_lost = faults and any(value == [] for value in fields.values())
    filled_in = None if is_lost else _valid(form, fields, faults, "the answer")
    if filled_in is None:
        raise faults.error()
    return cast(Form, filled_in)


def mend_fields(form: type[BaseModel], raw: Mapping[str, Any], faults: Faults, path: str = "") -> dict[str, Any]:
    raw, fields = _own_names(raw), dict[str, Any]()
    for name, field in form.model_fields.items():
        names = (name, *(other for other in OTHER_NAMES.get(name, ()) if other not in form.model_fields))
        value = next((raw[other] for other in names if raw.get(other) is not None), None)
        if value is None:
            if field.is_required():
                faults.add(path + name, "missing")
        elif (mended := _mend_value(field, value, faults, path + name)) is not None:
            fields[name] = mended
    return fields


def _mend_value(field: FieldInfo, value: Any, faults: Faults, path: str) -> Any:
    """Return what fits a field, or None."""
    kind = field.annotation
    if get_origin(kind) is list:
        return _mend_list(get_args(kind)[0], value, faults, path)[: _length_max(field)]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = mend_fields(kind, value if isinstance(value, dict) else {}, faults, f"{path}.")
        return _valid(kind, fields, faults, path)
    value = _as_kind(kind, value)
    if kind is str and isinstance(value, str):
        value = _mend_text(field, value, faults, path)
    return None if value is None else _valid(_annotated(field), value, faults, path)


def _annotated(field: FieldInfo) -> Any:
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def _mend_list(item: Any, value: Any, faults: Faults, path: str) -> list[Any]:
    field = FieldInfo.from_annotation(item)
    values = (_mend_value(field, entry, faults, ITEM + path) for entry in _as_list(field.annotation, value)[:LOOKED_AT])
    return [mended for mended in values if mended is not None]


def _valid(kind: Any, value: Any, faults: Faults, path: str) -> Any:
    """Return the value of a strict form, or None with the reason among the faults."""
    try:
        return _adapter(kind).validate_python(value)
    except ValidationError as error:
        for detail in error.errors(include_input=False, include_url=False, include_context=False):
            if detail["type"] != "missing":  # noted where the field was looked for
                where = ".".join([path, *(str(part) for part in detail["loc"])])
                faults.add(where, str(detail["msg"]).removeprefix("Value error, "))
        return None


@lru_cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _mend_text(field: FieldInfo, text: str, faults: Faults, path: str) -> str | None:
    """Return a text within its bound; of a text that has to be plain, the sentences that are."""
    length_max = _length_max(field)
    if not any(isinstance(check, AfterValidator) for check in field.metadata):
        return text[:length_max]
    text = text[: min(TEXT_MAX, 2 * (length_max or TEXT_MAX))]
    try:
        words = plain(text)
    except NotPlain as error:
        faults.add(path, str(error))
        words = "" if path.startswith(ITEM) else _plain_sentences(text)
    return cut(words, length_max)


def _plain_sentences(text: str) -> str:
    """Return the sentences that are plain words, also together: an address may go on in the next one."""
    words = ""
    for sentence in _SENTENCE_END.split(text)[:SENTENCES_MAX]:
        try:
            words = plain(f"{words} {sentence}".strip())
        except NotPlain:
            continue
    return words


def cut(text: str, length_max: int | None) -> str:
    """Return a text that is at most so long, cut between words and with an ellipsis."""
    if length_max is None or len(text) <= length_max:
        return text
    part = text[: length_max - 1]
    head, _, tail = part.rpartition(" ")
    return (head if head and len(tail) < length_max // 3 else part).rstrip(" ,;:") + "…"


def _length_max(field: FieldInfo) -> int | None:
    return min((limit.max_length for limit in field.metadata if isinstance(limit, MaxLen)), default=None)


def _own_names(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object with its names in one spelling: linkIndices, Link-Indices and link_indices are the same."""
    return {_WORD_START.sub("_", name.strip()[:60]).lower(): value for name, value in reversed(list(raw.items()))}


def _is_plausible(field: FieldInfo, value: Any) -> bool:
    if get_origin(field.annotation) is list:
        return isinstance(value, list | dict | str)
    return value is not None and _as_kind(field.annotation, value) is not None


def _as_kind(kind: Any, value: Any) -> Any:
    """Return a value as the kind that it plainly means, None if it means none."""
    if kind is bool:
        return _as_bool(value)
    if kind is int:
        numbers = re.findall(r"\d{1,6}", str(value)) if isinstance(value, str | int | float) else []
        is_one = len(numbers) == 1 or (len(numbers) == 2 and isinstance(value, float) and value.is_integer())
        return int(numbers[0]) if is_one and not isinstance(value, bool) and "-" not in str(value) else None
    if kind is str:
        return _as_text(value)
    if get_origin(kind) is Literal:
        return _as_text(value).strip(" .\"'").lower().replace(" ", "_")
    return value if isinstance(value, str | int | float) and not isinstance(value, bool) else None


def _as_bool(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    word = str(value).strip(" .!\"'").lower() if isinstance(value, str | int | float) else ""
    return True if word in YES else False if word in NO else None


def _as_text(value: Any) -> str:
    """Return a text, also of a list of texts or an object with one text."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " ".join(part for part in value[:LOOKED_AT] if isinstance(part, str))
    if isinstance(value, dict):
        texts = [part for part in value.values() if isinstance(part, str)]
        return texts[0] if len(texts) == 1 else ""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _as_list(kind: Any, value: Any) -> list[Any]:
    """Return the items of a list, also of one alone, of numbers in a text, or of an object of objects."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        is_item = not value or not all(isinstance(inner, dict) for inner in value.values())
        return [value] if is_item else list(value.values())
    if kind is int and isinstance(value, str):
        return _ITEM_END.split(value.strip("[] "))[:LOOKED_AT]
    return [value]
