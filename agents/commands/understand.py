"""Commands: the same on every channel, obeyed at once by code, question and answer in the one conversation.

Whatever takes a message from the owner asks `meant` first; every module listed here registers its commands.
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
    """Whether any of some messages means something by itself; none of them replies to another."""
    said = any(written(text) or consent.given(owner, text, None, now) or spoken(text) for text in texts)
    return said or stop.refused(now) is not None


def meant(owner: User, text: str, parent_id: UUID | None, now: datetime) -> Meant | None:
    """Return what a message of the owner's means where it is no question for Penny to think about, None where it is
    one.

    That is a command, also in plain words, a yes or no to what was just asked, or anything at all while everything is
    stopped.
    """
    return written(text) or consent.given(owner, text, parent_id, now) or spoken(text) or stop.refused(now)
