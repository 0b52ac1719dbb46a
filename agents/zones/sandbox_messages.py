import hashlib
from typing import Annotated, Literal

from pydantic import Field

from agents.zones.reader_answers import DOMAINS_MAX, Code, Reading, Strict


class ReadingRequest(Strict):
    """What the sandbox is told: one untrusted item and the question. `choose`: how many entries of a list to pick; 0
    for a page.

    `candidates`: whether to name what somebody may like who likes what the question is about. `visited`: the text is
    titles of pages that the owner visited, one in a line, for candidates alone; they are from `domain` and `others`.
    `wants_offer`: read what the page sells, in the `currency` that is asked for, if any. `facts`: what the page at
    `url` says about itself, as JSON text that nobody has looked at yet. `skill`: approved instructions for pages of
    that site, `skill_name` which. `picture`: what is looked at instead of a text, in base64.
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

    @property
    def origin(self) -> frozenset[str]:
        return frozenset({self.domain, *self.others})

    @property
    def entries(self) -> int:
        """Return how many entries there are to choose from."""
        return self.text.count("\n") + 1 if self.choose else 0

    def digest(self) -> str:
        """Return what stands for this request in the reply to it."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


class ReadingReply(Strict):
    """What the sandbox answers: a reading, or the code of what went wrong; never a page's text as if it were a reading.

    `request`: the digest of what was asked. `outcomes`: what came of each attempt, a code.
    """

    request: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    reading: Reading | None = None
    error_code: Code = ""
    outcomes: Annotated[list[Code], Field(max_length=4)] = Field(default_factory=list)
    input_tokens: Annotated[int, Field(ge=0, le=10**9)] = 0
    output_tokens: Annotated[int, Field(ge=0, le=10**9)] = 0


class SentRecord(Strict):
    """One request that left the sandbox for a model, as it was recorded before it left (agents/llm/client.py, Sent)."""

    zone: Literal["reader"]
    labels: Annotated[list[Annotated[str, Field(max_length=260)]], Field(max_length=DOMAINS_MAX + 1)]
    model: Annotated[str, Field(max_length=200)]
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    size_bytes: Annotated[int, Field(ge=0, le=10**9)]


def sent_key(reply_key: str) -> str:
    """Return the list in the sandbox's Redis that holds the SentRecords of one task."""
    return reply_key.replace("reply:", "sent:", 1)


class ImageReply(Strict):
    """What the sandbox answers to a picture: a WebP in base64 with its size, or the code of what went wrong."""

    image: str = ""
    width: Annotated[int, Field(ge=0, le=4096)] = 0
    height: Annotated[int, Field(ge=0, le=4096)] = 0
    error_code: Code = ""


class Confinement(Strict):
    """What the system closed to the sandbox's process, and what its owner should know about it, in a sentence or
    two.
    """

    files: bool
    network: bool
    note: Annotated[str, Field(max_length=300)] = ""
