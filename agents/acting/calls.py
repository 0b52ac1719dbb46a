"""The arguments of the operator's tools: what a model may write, and the one plain meaning of what it writes.

Models put a ref in quotes or brackets, write a number for a text, or name a field by its usual other name. All of these
are read. Field names and descriptions are part of the schema that the operator sees.
"""

import re
from abc import abstractmethod
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from devices import protocol

QUESTION_CHARACTERS, OPTIONS = 300, 4
SUMMARY_CHARACTERS, QUOTES, QUOTE_CHARACTERS = 600, 3, 200
_REF = re.compile(r"[^0-9]{0,8}([1-9][0-9]{0,6})(?![0-9]).{0,200}", re.DOTALL)
# What models call a field, where it is not its name here.
_OTHER_NAMES = {
    "ref": ("id", "element", "element_id", "index", "uid", "target"),
    "value": ("text", "values", "content", "option", "options"),
    "text": ("value", "content", "keys"),
    "options": ("option", "value", "values", "label"),
    "keys": ("key", "shortcut"),
    "until": ("for", "condition"),
    "to": ("direction", "position", "where"),
    "path": ("url", "address", "href"),
    "question": ("text", "message"),
    "on": ("checked", "value", "state"),
    "words": ("text", "query", "name"),
    "fields": ("values", "inputs"),
    "summary": ("text", "message", "result", "answer"),
    "evidence": ("quotes", "quote", "proof"),
    "outcome": ("status", "success"),
    "why": ("reason",),
}
_YES, _NO = {"true", "on", "yes", "1", "checked"}, {"false", "off", "no", "0", "unchecked", ""}


def _ref(value: object) -> object:
    """Read `12`, `"12"`, `[12]`, `ref=12`, `@12` and `[12 button Pay]` as the ref 12."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    match = _REF.fullmatch(value.strip()) if isinstance(value, str) else None
    return match.group(1) if match else value


def _text(value: object) -> object:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _list(value: object) -> object:
    return [value] if isinstance(value, str | int | float | dict) else value


def _switch(value: object) -> object:
    if isinstance(value, str | int):
        word = str(value).strip().lower()
        return True if word in _YES else False if word in _NO else value
    return value


Ref = Annotated[protocol.Ref, BeforeValidator(_ref)]
Words = Annotated[str, BeforeValidator(_text)]
Switch = Annotated[bool, BeforeValidator(_switch)]


class Call(BaseModel):
    """The arguments of one call. Fields that a tool does not have are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @model_validator(mode="before")
    @classmethod
    def _by_other_names(cls, values: Any) -> Any:
        if not isinstance(values, dict):
            return values
        values = dict(values)
        for name in cls.model_fields:
            others = [
                other for other in _OTHER_NAMES.get(name, ()) if other in values and other not in cls.model_fields
            ]
            if name not in values and len(others) == 1:
                values[name] = values.pop(others[0])
        return values


class Acting(Call):
    """A call that does something on the page."""

    @abstractmethod
    def action(self) -> protocol.Action: ...


class Look(Call):
    part: Annotated[int, Field(ge=1, le=1000)] = 1
    filter: Annotated[
        Literal["all", "controls"] | None,
        Field(description="all: also beneath a dialog; controls: without running text."),
    ] = None
    ref: Annotated[Ref | None, Field(description="Only what is inside of it.")] = None


class Find(Call):
    words: Annotated[Words, Field(max_length=200)] = ""
    role: Annotated[str, Field(max_length=40, description="Such as button or textbox.")] = ""


class Click(Acting):
    ref: Ref
    count: Annotated[int, Field(ge=1, le=3)] = 1
    button: Literal["left", "right", "middle"] = "left"
    keys: Annotated[list[Literal["Control", "Shift", "Alt", "Meta"]], BeforeValidator(_list)] = []

    def action(self) -> protocol.Action:
        return protocol.ClickAction(ref=self.ref, count=self.count, button=self.button, keys=self.keys[:4])


Value = Annotated[
    Annotated[Words, Field(max_length=20_000)] | bool | Annotated[list[Words], Field(max_length=50)],
    Field(union_mode="left_to_right", description="A text; true or false; or a list of options."),
]


class Set(Acting):
    ref: Ref
    value: Value
    submit: Switch = False

    def action(self) -> protocol.Action:
        return protocol.SetAction(fields=[protocol.FieldValue(ref=self.ref, value=self.value)], submits=self.submit)


class FieldToFill(Call):
    ref: Ref
    value: Value


class Fill(Acting):
    fields: Annotated[list[FieldToFill], Field(min_length=1, max_length=protocol.ACT_FIELDS), BeforeValidator(_list)]
    submit: Switch = False

    def action(self) -> protocol.Action:
        fields = [protocol.FieldValue(ref=field.ref, value=field.value) for field in self.fields]
        return protocol.SetAction(fields=fields, submits=self.submit)


class Type(Acting):
    """Keystroke by keystroke, where the page listens to keys."""

    text: Annotated[Words, Field(min_length=1, max_length=5_000)]
    ref: Ref | None = None

    def action(self) -> protocol.Action:
        return protocol.TypeAction(text=self.text, ref=self.ref)


class Select(Acting):
    ref: Ref
    options: Annotated[list[Words], Field(min_length=1, max_length=50), BeforeValidator(_list)]

    def action(self) -> protocol.Action:
        value = self.options[0] if len(self.options) == 1 else self.options
        return protocol.SetAction(fields=[protocol.FieldValue(ref=self.ref, value=value)])


class Check(Acting):
    ref: Ref
    on: Switch = True

    def action(self) -> protocol.Action:
        return protocol.SetAction(fields=[protocol.FieldValue(ref=self.ref, value=self.on)])


_KEY_NAMES = {
    "return": "Enter",
    "esc": "Escape",
    "del": "Delete",
    "ctrl": "Control",
    "cmd": "Meta",
    "command": "Meta",
    "option": "Alt",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "pgup": "PageUp",
    "pgdn": "PageDown",
    "spacebar": "Space",
}


def _keys(value: object) -> object:
    """Read `ctrl-a`, `Control + A` and `return` as the names of keys."""
    if isinstance(value, list):
        value = "+".join(map(str, value))
    if not isinstance(value, str) or len(value) > 60:
        return value
    parts = [part for part in re.split(r"\s*\+\s*|(?<=\w)-(?=\w)", value.strip()) if part]
    names = [_KEY_NAMES.get(part.lower(), part if len(part) == 1 else part[0].upper() + part[1:]) for part in parts]
    return "+".join(names)


class Press(Acting):
    keys: Annotated[
        str,
        BeforeValidator(_keys),
        StringConstraints(pattern=r"^((Control|Shift|Alt|Meta)\+){0,4}[A-Za-z0-9]{1,20}$"),
        Field(description="Such as Enter or Control+A."),
    ]
    times: Annotated[int, Field(ge=1, le=10)] = 1

    def action(self) -> protocol.Action:
        return protocol.PressAction(keys=self.keys, times=self.times)


class Hover(Acting):
    ref: Ref

    def action(self) -> protocol.Action:
        return protocol.HoverAction(ref=self.ref)


class Scroll(Acting):
    to: Literal["down", "up", "top", "end", "ref"] = "down"
    ref: Ref | None = None

    def action(self) -> protocol.Action:
        return protocol.ScrollAction(to=self.to, ref=self.ref)


class Go(Acting):
    to: Literal["back", "forward", "reload", "ref", "path"] = "path"
    ref: Ref | None = None
    path: Annotated[str | None, Field(max_length=2_048, description="Of this site, such as /cart.")] = None

    @model_validator(mode="after")
    def _whole(self) -> "Go":
        if self.to == "ref" and self.ref is None:
            raise ValueError("go to ref needs a ref")
        if self.to == "path" and not re.match(r"/(?![/\\])", self.path or ""):
            raise ValueError("go to path needs a path of this site, which begins with one slash")
        return self

    def action(self) -> protocol.Action:
        is_path = self.to == "path"
        return protocol.GoAction(to=self.to, ref=self.ref, path=self.path if is_path else None)


class Wait(Acting):
    until: Literal["quiet", "text", "gone", "path", "ms"] = "quiet"
    value: Annotated[Words, Field(max_length=200, description="The text or path to wait for.")] = ""
    ms: Annotated[int, Field(ge=0, le=30_000)] = 0

    def action(self) -> protocol.Action:
        return protocol.WaitAction(until=self.until, value=self.value, ms=self.ms)


class Question(Call):
    question: Annotated[str, Field(min_length=1, description="One question, in the owner's language.")]
    options: Annotated[list[Words], BeforeValidator(_list)] = []


class TakeOver(Call):
    why: Literal["sign_in", "captcha", "payment", "other"] = "other"


def _read_outcome(value: object) -> object:
    word = str(value).strip().lower()
    return {"true": "done", "success": "done", "completed": "done", "false": "failed", "failure": "failed"}.get(
        word, value
    )


class Done(Call):
    outcome: Annotated[Literal["done", "partial", "failed"], BeforeValidator(_read_outcome)]
    summary: Annotated[Words, Field(description="What was done, in one or two sentences.")]
    evidence: Annotated[
        list[Words], BeforeValidator(_list), Field(description="Up to three quotes of the page that show it.")
    ] = []
