"""What was said before a question, where it comes with it: in a temporary chat, or from a program.

The device keeps a temporary chat and sends it with the next question.

The server forgets it with the turn. Each exchange is signed over words and labels, so that a device cannot pass off
text of a page as Penny's own.
"""

from collections.abc import Sequence
from typing import NamedTuple

from django.core import signing

from agents.answers.conversation.handed_over import without_addresses
from agents.answers.conversation.history import Entry
from agents.zones.inputs import Untrusted
from devices import protocol
from devices.models import Message
from thoughts.text.labels import foreign

SALT = "penny.temporary"
QUESTION_CHARACTERS, ANSWER_CHARACTERS = 2_000, 6_000


class SealBroken(ValueError):
    """An exchange whose signature is not valid."""

    def __init__(self) -> None:
        super().__init__(
            "What was said before in this temporary chat cannot be used any more. Remove it there, and ask again."
        )


class Exchange(NamedTuple):
    """A question and its answer, with the labels of the answer."""

    question: str
    answer: str
    origin: list[str]


def seal_exchange(answer: Message) -> str | None:
    """Return the signed exchange for the device to keep.

    None for a message that answers nothing, and for an exchange that is too long.
    """
    if answer.kind != Message.Kind.CHAT or answer.parent is None:
        return None
    exchange = Exchange(answer.parent.text[:QUESTION_CHARACTERS], answer.text[:ANSWER_CHARACTERS], answer.origin)
    seal = signing.dumps(exchange, salt=SALT, compress=True)
    return seal if len(seal) <= protocol.SEALED_CHARACTERS else None


def open_seals(seals: Sequence[str] | None) -> list[Exchange]:
    """Return the exchanges, oldest first. Raises SealBroken."""
    try:
        return [Exchange(*signing.loads(seal, salt=SALT)) for seal in seals or ()]
    except signing.BadSignature:
        raise SealBroken from None


def history_entries(exchanges: Sequence[Exchange], first: int) -> list[Entry]:
    """Return the exchanges as history, numbered from `first`."""
    pairs = (
        (
            Entry(number, Message.Direction.IN, Message.Kind.CHAT, exchange.question, ["owner"]),
            Entry(number, Message.Direction.OUT, Message.Kind.CHAT, exchange.answer, exchange.origin),
        )
        for number, exchange in enumerate(exchanges, first)
    )
    return [entry for pair in pairs for entry in pair if entry.text]


def answers_by_handle(exchanges: Sequence[Exchange], first: int) -> dict[str, Untrusted]:
    return {
        f"a{number}": Untrusted(without_addresses(exchange.answer), frozenset(exchange.origin))
        for number, exchange in enumerate(exchanges, first)
        if foreign(exchange.origin)
    }
