"""Read back what was heard, and take it for the owner's words only after a yes."""

from dataclasses import replace
from uuid import NAMESPACE_URL, UUID, uuid5

from agents.commands import proposals
from agents.commands.registry import Answer
from thoughts.rendering import escape_markdown
from thoughts.text.cleaning import clean_text
from thoughts.text.labels import ATTACHMENT, HOUSE

ACT = "say"
CHARACTERS = 8_000  # an hour of speech has more: that is a recording, not a message


def ask_whether(turn_id: UUID, words: str) -> Answer:
    """Return the answer that reads words back. Its text is of an unknown author until the owner says yes.

    `turn_id`: that of the message which brought them.
    """
    words = clean_text(words)[:CHARACTERS]
    quotation = "\n".join(f"> {escape_markdown(line)}" for line in words.splitlines())
    arguments = {"turn_id": str(uuid5(NAMESPACE_URL, f"said:{turn_id}")), "text": words}
    answer = proposals.read_back(f"I heard:\n\n{quotation}\n\nDid you say that to me?", ACT, arguments)
    return replace(answer, origin=sorted(HOUSE | {ATTACHMENT}))
