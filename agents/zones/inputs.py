"""The types of text in requests to models, by trust.

Private and untrusted text have different types: a builder with the wrong one fails mypy, and raises at run time.
Imports no Django: the sandbox builds the reader's requests with it.
"""

import re
from dataclasses import dataclass

from agents.llm.messages import HOST, TYPED
from agents.llm.messages import ZoneViolation as ZoneViolation
from agents.zones.reader_answers import Reading
from thoughts.text.private.addresses import cut_secrets_in

OWNER = frozenset({"owner"})
_SKILL_NAME = re.compile(r"[a-z0-9-]{1,64}")


@dataclass(frozen=True)
class Private:
    """Words of the owner or of Penny, without the secrets of addresses and without keys."""

    text: str

    def __post_init__(self) -> None:
        require(str, self.text)
        object.__setattr__(self, "text", cut_secrets_in(self.text))


@dataclass(frozen=True)
class Untrusted:
    """Text from the web or derived from it, without the secrets of addresses and keys. `origin`: its domains."""

    text: str
    origin: frozenset[str]

    def __post_init__(self) -> None:
        require(str, self.text, *self.origin)
        object.__setattr__(self, "text", cut_secrets_in(self.text))


@dataclass(frozen=True)
class UntrustedPicture:
    """A picture from the web, encoded as a JPEG by the sandbox. `origin`: its domains."""

    jpeg: bytes
    origin: frozenset[str]

    def __post_init__(self) -> None:
        require(bytes, self.jpeg)
        require(str, *self.origin)


@dataclass(frozen=True)
class Source:
    handle: str
    domain: str
    reading: Reading

    def __post_init__(self) -> None:
        require_text(TYPED["handle"], self.handle)
        require_text(HOST, self.domain)
        require(Reading, self.reading)


@dataclass(frozen=True)
class SkillText:
    """The approved text of a skill: name, description, and its instructions once loaded."""

    name: str
    description: Private
    instructions: Private | None = None

    def __post_init__(self) -> None:
        require_text(_SKILL_NAME, self.name)
        require(Private, self.description, *([self.instructions] if self.instructions else []))


@dataclass(frozen=True)
class Past:
    """An earlier entry of the conversation, of the `role` user, assistant or program.

    An answer from pages has no text here, only its handle and domains. The owner's words about a thought have their
    text and the thought's handle and domains.
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
            type_name = getattr(kind, "__name__", "the steps of this run")
            raise ZoneViolation(f"this zone takes {type_name}, not {type(value).__name__}")


def require_text(form: re.Pattern[str], *values: object) -> None:
    for value in values:
        if not isinstance(value, str) or not form.fullmatch(value):
            raise ZoneViolation("a name that a planner or a writer sees is a handle or a domain")
