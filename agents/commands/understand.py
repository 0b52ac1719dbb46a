"""Tell commands and answers from questions to Penny, for messages of every channel.

Each module in MODULES registers its commands when it is imported.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.contrib.auth.models import User

from agents.commands import act, consent, delete, draw, preferences, profile, questions, schedule, search, stop
from agents.commands import help as commands_help
from agents.commands.authority import Authority, authority_of, refuse
from agents.commands.registry import COMMANDS, Understood, parse_phrase, parse_slash_command
from devices.models import Device

MODULES = (commands_help, stop, profile, preferences, schedule, search, delete, draw, questions, act)


def any_is_command(owner: User, device: Device, texts: Sequence[str], now: datetime) -> bool:
    """Whether any of these messages is no question. None of them is a reply to another message."""
    return any(parse_command(owner, device, text, None, now) for text in texts)


def parse_command(
    owner: User, device: Device, text: str, parent_id: UUID | None, now: datetime, thread: UUID | None = None
) -> Understood | None:
    """Return the meaning of a message that is no question for Penny, None for a question.

    It is a command or phrase, a yes or no to a question of Penny's, or anything at all while everything is stopped.
    `thread`: where it is written. What the device may not do is refused as a command, and is a question in any
    other form.
    """
    authority = authority_of(device)
    return (
        _slash_command(authority, text)
        or (consent.answer_now(owner, text, parent_id, thread, now) if authority.consents else None)
        or _phrase(authority, text)
        or stop.refuse_while_stopped(now)
    )


def _slash_command(authority: Authority, text: str) -> Understood | None:
    if (parsed := parse_slash_command(text)) is None:
        return None
    name, command = parsed
    return command if name not in COMMANDS or authority.may_run(name) else Understood(refuse(authority, name), "")


def _phrase(authority: Authority, text: str) -> Understood | None:
    if (parsed := parse_phrase(text)) is None:
        return None
    name, command = parsed
    return command if authority.may_run(name) else None
