"""The trust zones: who may see what. A request to a model is made here and nowhere else.

Private and untrusted text are different types. A builder that is given the wrong one does not type-check, and raises at
run time. Knows no Django, so that the sandbox builds its own zone with it.
"""

import re
from dataclasses import dataclass

from agents.llm.messages import TYPED
from agents.llm.messages import ZoneViolation as ZoneViolation
from agents.zones.reader_answers import Reading

OWNER = frozenset({"owner"})
_SKILL_NAME = re.compile(r"[a-z0-9-]{1,64}")


@dataclass(frozen=True)
class Private:
    """The owner's words, or Penny's own."""

    text: str

    def __post_init__(self) -> None:
        require(str, self.text)


@dataclass(frozen=True)
class Untrusted:
    """Text that came from the web, or was derived from it; `origin` names the domains."""

    text: str
    origin: frozenset[str]

    def __post_init__(self) -> None:
        require(str, self.text, *self.origin)


@dataclass(frozen=True)
class UntrustedPicture:
    """A picture of something of the web, encoded as a JPEG by ourselves; `origin` names the domains."""

    jpeg: bytes
    origin: frozenset[str]

    def __post_init__(self) -> None:
        require(bytes, self.jpeg)
        require(str, *self.origin)


@dataclass(frozen=True)
class Source:
    """A reading with the handle that stands for its page."""

    handle: str
    domain: str
    reading: Reading

    def __post_init__(self) -> None:
        require_text(TYPED["handle"], self.handle)
        require_text(TYPED["domain"], self.domain)
        require(Reading, self.reading)


@dataclass(frozen=True)
class SkillText:
    """What the owner approved of a skill: its name and description, and its instructions where they were asked for."""

    name: str
    description: Private
    instructions: Private | None = None

    def __post_init__(self) -> None:
        require_text(_SKILL_NAME, self.name)
        require(Private, self.description, *([self.instructions] if self.instructions else []))


@dataclass(frozen=True)
class Past:
    """An earlier entry of the conversation. An answer that came from pages has no text here, only its handle and
    domains.

    The owner's words about a thought have both: their own text, and the thought's handle and domains.
    """

    role: str
    words: Private | None
    handle: str = ""
    domains: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        require_text(TYPED["handle"], *([self.handle] if self.handle or not self.words else []))
        require_text(TYPED["domain"], *self.domains)
        require(Private, *([self.words] if self.words else []))


def require(kind: type | tuple[type, ...], *values: object) -> None:
    for value in values:
        if not isinstance(value, kind):
            wanted = getattr(kind, "__name__", "the steps of this run")
            raise ZoneViolation(f"this zone takes {wanted}, not {type(value).__name__}")


def require_text(form: re.Pattern[str], *values: object) -> None:
    for value in values:
        if not isinstance(value, str) or not form.fullmatch(value):
            raise ZoneViolation("a name that a planner or a writer sees is a handle or a domain")
