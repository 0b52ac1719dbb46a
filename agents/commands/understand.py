"""Tell commands and answers from questions to Penny, for messages of every channel.

Each module in MODULES registers its commands when it is imported.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from agents.commands import consent, draw, preferences, profile, questions, schedule, search, stop
from agents.commands import help as commands_help
from agents.commands.registry import Understood, parse_phrase, parse_slash_command

MODULES = (commands_help, stop, profile, preferences, schedule, search, draw, questions)


def any_is_command(owner: User, texts: Sequence[str], now: datetime) -> bool:
    """Whether any of these messages is no question. None of them is a reply to another message."""
    has_command = any(
        parse_slash_command(text) or consent.answer_now(owner, text, None, now) or parse_phrase(text) for text in texts
    )
    return has_command or stop.refuse_while_stopped(now) is not None


def parse_command(owner: User, text: str, parent_id: UUID | None, now: datetime) -> Understood | None:
    """Return the meaning of a message that is no question for Penny, None for a question.

    It is a command or phrase, a yes or no to a question of Penny's, or anything at all while everything is stopped.
    """
    return (
        parse_slash_command(text)
        or consent.answer_now(owner, text, parent_id, now)
        or parse_phrase(text)
        or stop.refuse_while_stopped(now)
    )
