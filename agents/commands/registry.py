"""What a command is, and the table of all commands (`understand.py` fills it)."""

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import User

from agents.models import Run
from agents.runs.failure_texts import TOOL
from devices.models import Device, Message
from thoughts.models import Thought
from thoughts.text.labels import HOUSE

_NAMED = re.compile(r"/([a-z]{1,24})(?:\s+(.*))?", re.DOTALL | re.IGNORECASE)
PHRASE_MAX = 48  # longer messages are never a phrase


class Misused(Exception):
    """A command that cannot be run as written. The text says what to write instead."""


@dataclass(frozen=True)
class Order:
    """A command as the owner gave it.

    `message`: the stored message that contains it. `run`: its run. `words`: the text after the name.
    """

    owner: User
    device: Device
    message: Message
    run: Run
    words: str
    now: datetime


def _nothing(message: Message) -> None:
    return None


@dataclass(frozen=True)
class Answer:
    """The answer to a command: Markdown, the addresses that it may link, its labels, the kind of its message.

    `on_stored` is called with the stored message, in the same transaction.
    """

    text: str
    links: list[str] = field(default_factory=list)
    origin: list[str] = field(default_factory=lambda: sorted(HOUSE))
    thought: Thought | None = None
    kind: str = Message.Kind.COMMAND
    on_stored: Callable[[Message], None] = _nothing


# Returns None if the worker answers.
Act = Callable[[Order], Answer | None]


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """A command.

    `usage`: what follows the name, empty for nothing. `does`: one sentence. `examples`: texts after the name, for help.
    `keeps`: it changes stored data, which a temporary chat must not. `planner_calls`: the tools that do the same
    (`show` and `propose` with their argument). `phrases`: whole messages with the same meaning. They need no model,
    also work while everything is stopped, and count only while `counts` returns True.
    """

    name: str
    usage: str
    does: str
    act: Act
    examples: tuple[str, ...] = ()
    keeps: bool = False
    planner_calls: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    counts: Callable[[], bool] = _always

    @property
    def line(self) -> str:
        return f"/{self.name} {self.usage}".strip()


@dataclass(frozen=True)
class Understood:
    """The meaning of a message that is no question. `kind`: the kind of that message."""

    act: Act
    words: str
    kind: str = Message.Kind.COMMAND
    keeps: bool = False

    def obey(self, order: Order) -> Answer | None:
        """Run it. A misused command is answered by how to write it."""
        if self.keeps and order.message.is_temporary:
            return Answer(TOOL["temporary_chat"])
        try:
            return self.act(order)
        except Misused as error:
            return Answer(str(error))


COMMANDS: dict[str, Command] = {}


def register(*commands: Command) -> None:
    COMMANDS.update({command.name: command for command in commands})


def parse_slash_command(text: str) -> tuple[str, Understood] | None:
    """Return the name and the meaning of a slash command, also of an unknown one.

    None for other texts, for example a path.
    """
    match = _NAMED.fullmatch(text.strip())
    if match is None:
        return None
    name, words = match[1].lower(), (match[2] or "").strip()
    command = COMMANDS.get(name)
    understood = Understood(command.act, words, keeps=command.keeps) if command else Understood(_unknown(name), words)
    return name, understood


def parse_phrase(text: str) -> tuple[str, Understood] | None:
    command = _command_of_phrase(text)
    return (command.name, Understood(command.act, "", keeps=command.keeps)) if command and command.counts() else None


def name_of(text: str) -> str:
    if match := _NAMED.fullmatch(text.strip()):
        return match[1].lower()
    command = _command_of_phrase(text)
    return command.name if command else ""


def command_shown_by(what: str) -> Command:
    """Return the command with the same answer as the tool `show`."""
    return next(command for command in COMMANDS.values() if f"show {what}" in command.planner_calls)


def _command_of_phrase(text: str) -> Command | None:
    if len(text) > PHRASE_MAX:
        return None
    words = " ".join(text.lower().split()).strip(" .!?“”„\"'")  # also with the marks that Penny named them in
    return next((command for command in COMMANDS.values() if words in command.phrases), None)


def _unknown(name: str) -> Act:
    near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.6)
    guess = f" Did you mean `/{near[0]}`?" if near else ""

    def answer(order: Order) -> Answer:
        return Answer(f"I know no command `/{name}`.{guess} `/help` lists them all.")

    return answer


def completions(prefix: str) -> Sequence[Command]:
    begin = prefix.strip().lower().removeprefix("/")
    return [command for name, command in sorted(COMMANDS.items()) if name.startswith(begin)]
