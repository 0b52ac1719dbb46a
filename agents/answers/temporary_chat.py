"""What was said in a temporary chat, for its next question: the device that asked keeps it, sealed, and gives it back.
Here it is not kept.

The seal is the server's signature over words and labels: a device cannot say that Penny's own words are what came from
a page.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.core import signing

from agents.answers.handed_over import without_addresses
from agents.answers.history import Entry
from agents.zones.inputs import Untrusted
from devices import protocol
from devices.models import Message
from thoughts.text.labels import foreign

SALT = "penny.temporary"
QUESTION_CHARACTERS, ANSWER_CHARACTERS = 2_000, 6_000


class SealBroken(ValueError):
    """What a device gave back is not what it was given."""

    def __init__(self) -> None:
        super().__init__(
            "What was said before in this temporary chat cannot be used any more. Remove it there, and ask again."
        )


class Exchange(NamedTuple):
    """A question and its answer, with the answer's labels."""

    question: str
    answer: str
    origin: list[str]


def sealed(answer: Message) -> str | None:
    """Return what a device gives back of a temporary question and its answer; None where it was not answered, or is too
    long for that."""
    if answer.kind != Message.Kind.CHAT or answer.parent is None:
        return None
    said = Exchange(answer.parent.text[:QUESTION_CHARACTERS], answer.text[:ANSWER_CHARACTERS], answer.origin)
    seal = signing.dumps(said, salt=SALT, compress=True)
    return seal if len(seal) <= protocol.SEALED_CHARACTERS else None


def opened(seals: Sequence[str] | None) -> list[Exchange]:
    """Return what was said, oldest first. Raises SealBroken."""
    try:
        return [Exchange(*signing.loads(seal, salt=SALT)) for seal in seals or ()]
    except signing.BadSignature:
        raise SealBroken from None


def entries(said: Sequence[Exchange]) -> list[Entry]:
    """Return it as the conversation before the question; the answers are numbered from 1, in this chat alone."""
    pairs = (
        (
            Entry(number, Message.Direction.IN, Message.Kind.CHAT, each.question, ["owner"]),
            Entry(number, Message.Direction.OUT, Message.Kind.CHAT, each.answer, each.origin),
        )
        for number, each in enumerate(said, 1)
    )
    return [entry for pair in pairs for entry in pair]


def answers(said: Sequence[Exchange]) -> dict[str, Untrusted]:
    """Return the answers that came from pages, by handle, as the writer may have them."""
    return {
        f"a{number}": Untrusted(without_addresses(each.answer), frozenset(each.origin))
        for number, each in enumerate(said, 1)
        if foreign(each.origin)
    }
