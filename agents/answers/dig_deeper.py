"""Digging deeper into a thought: the pages that it came from are read again, and what they lead to with them."""

from thoughts.models import Thought

_ASKED = "Dig deeper into"
_REST = "read the pages that it came from again, follow what they link to, and tell me what else there is."


def asked(thought: Thought) -> str:
    """Return what the owner asks with one press. It names the preference that the thought came from: a planner learns
    no more of it.
    """
    return f"{_ASKED} this, about “{thought.seed_text}”: {_REST}" if thought.seed_text else f"{_ASKED} this: {_REST}"


def is_asked(question: str) -> bool:
    return question.startswith(_ASKED)
