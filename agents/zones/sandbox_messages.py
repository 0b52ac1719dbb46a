"""The messages between the worker and the sandbox."""

import hashlib
from typing import Annotated, Literal

from pydantic import Field

from agents.llm.connection import SILENCE_S
from agents.zones.reader_answers import DOMAINS_MAX, Code, Reading, Strict

ATTEMPTS_MAX = 40


class ReadingRequest(Strict):
    """One untrusted item and the question to read it for.

    - `choose`: how many entries of a list to pick; 0 for a page.
    - `candidates`: whether to name related likes.
    - `visited`: the text is titles of pages that the owner visited, one a line, from `domain` and `others`.
    - `wants_offer`: read what the page sells, preferably in `currency`.
    - `facts`: metadata of the page at `url`, as unchecked JSON text.
    - `skill`: approved notes on pages of that site; `skill_name`: their skill.
    - `picture`: a picture in base64, read instead of the text.
    - `silence_s`: how long the model may say nothing.
    - `window`: how many tokens the model takes at once; a longer text is read in parts. 0: by its provider.
    """

    title: str
    text: str
    domain: str
    question: str
    choose: int = 0
    candidates: bool = False
    visited: bool = False
    others: list[str] = Field(default_factory=list)
    wants_offer: bool = False
    currency: str = ""
    facts: str = ""
    url: str = ""
    skill: str = ""
    skill_name: str = ""
    picture: str = ""
    silence_s: float = SILENCE_S
    window: int = 0

    @property
    def origin(self) -> frozenset[str]:
        return frozenset({self.domain, *self.others})

    @property
    def entries(self) -> int:
        return self.text.count("\n") + 1 if self.choose else 0

    def digest(self) -> str:
        """Return the hash that the reply has to name: of what is asked."""
        return hashlib.sha256(self.model_dump_json(exclude={"silence_s"}).encode()).hexdigest()


class ReadingReply(Strict):
    """A reading or an error code, never raw text.

    - `request`: the digest of the request. `outcomes`: a code for each attempt.
    - `parts`: how many parts were read. `unread`: characters at the end of the text that no part held.
    - `window`: how many tokens the model takes, where it refused more; 0 where it did not.
    - `counted`, `sent`: what the server counted of a request, where that is far less than was sent, by the estimate.
    """

    request: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    reading: Reading | None = None
    error_code: Code = ""
    outcomes: Annotated[list[Code], Field(max_length=ATTEMPTS_MAX)] = Field(default_factory=list)
    parts: Annotated[int, Field(ge=0, le=100)] = 1
    unread: Annotated[int, Field(ge=0, le=10**9)] = 0
    window: Annotated[int, Field(ge=0, le=10**7)] = 0
    counted: Annotated[int, Field(ge=0, le=10**9)] = 0
    sent: Annotated[int, Field(ge=0, le=10**9)] = 0
    input_tokens: Annotated[int, Field(ge=0, le=10**9)] = 0
    output_tokens: Annotated[int, Field(ge=0, le=10**9)] = 0


class SentRecord(Strict):
    """The record of one model request of the sandbox, made before it left (agents/llm/audit.py)."""

    zone: Literal["reader"]
    labels: Annotated[list[Annotated[str, Field(max_length=260)]], Field(max_length=DOMAINS_MAX + 1)]
    model: Annotated[str, Field(max_length=200)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size_bytes: Annotated[int, Field(ge=0, le=10**9)]


def sent_key(reply_key: str) -> str:
    """Return the Redis list with the SentRecords of one task."""
    return reply_key.replace("reply:", "sent:", 1)


class ImageReply(Strict):
    """A WebP in base64 with its size, or an error code."""

    image: str = ""
    width: Annotated[int, Field(ge=0, le=4096)] = 0
    height: Annotated[int, Field(ge=0, le=4096)] = 0
    error_code: Code = ""


class FileReply(Strict):
    """The words of a file, untrusted, or an error code. `is_cut`: it has more of them."""

    text: Annotated[str, Field(max_length=1_000_000)] = ""
    is_cut: bool = False
    error_code: Code = ""


class Confinement(Strict):
    """What is closed to the sandbox's process, and a note for the owner."""

    files: bool
    network: bool
    note: Annotated[str, Field(max_length=300)] = ""


class Report(Confinement):
    """What the sandbox tells of itself: also the model that it reads with, empty for none."""

    model: Annotated[str, Field(max_length=260)] = ""
