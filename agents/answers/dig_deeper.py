""" "Dig deeper" into a thought: read its pages again, and the pages that they link to."""

from thoughts.models import Thought

_ASKED = "Dig deeper into"
_REST = "read the pages that it came from again, follow what they link to, and tell me what else there is."


def question_about(thought: Thought) -> str:
    """Return the question that one press of the button sends.

    It names the preference behind the thought: the planner learns nothing else of the thought.
    """
    return f"{_ASKED} this, about “{thought.seed_text}”: {_REST}" if thought.seed_text else f"{_ASKED} this: {_REST}"


def is_dig_question(question: str) -> bool:
    return question.startswith(_ASKED)
