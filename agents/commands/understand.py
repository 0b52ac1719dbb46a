"""Tell commands and answers from questions to Penny, for messages of every channel.

Each module in MODULES registers its commands when it is imported.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from agents.commands import consent, draw, preferences, profile, questions, schedule, search, stop
from agents.commands import help as commands_help
from agents.commands.registry import Meant, spoken, written

MODULES = (commands_help, stop, profile, preferences, schedule, search, draw, questions)


def is_any_meant(owner: User, texts: Sequence[str], now: datetime) -> bool:
    """Whether any of these messages is no question. None of them is a reply to another message."""
    has_command = any(written(text) or consent.given(owner, text, None, now) or spoken(text) for text in texts)
    return has_command or stop.refused(now) is not None


def meant(owner: User, text: str, parent_id: UUID | None, now: datetime) -> Meant | None:
    """Return the meaning of a message that is no question for Penny, None for a question.

    It is a command or phrase, a yes or no to a question of Penny's, or anything at all while everything is stopped.
    """
    return written(text) or consent.given(owner, text, parent_id, now) or spoken(text) or stop.refused(now)
