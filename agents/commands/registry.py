"""What the owner may command: each with its name, what is written behind it, and what it does.
agents/commands/understand.py lists all.
"""

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
SAID_MAX = 48  # characters of a message that is a command in plain words


class Misused(Exception):
    """A command that cannot be obeyed as it was written; the text says what to write instead."""


@dataclass(frozen=True)
class Order:
    """A command as it was given. `message`: where it stands, stored already; `run`: its run; `words`: what follows its
    name.
    """

    owner: User
    device: Device
    message: Message
    run: Run
    words: str
    now: datetime


def _nothing(message: Message) -> None:
    """Most answers are only said."""


@dataclass(frozen=True)
class Answer:
    """What is said: Markdown, the addresses that it may link, its labels. `stored` hears of the message that says
    it.
    """

    text: str
    links: list[str] = field(default_factory=list)
    origin: list[str] = field(default_factory=lambda: sorted(HOUSE))
    thought: Thought | None = None
    stored: Callable[[Message], None] = _nothing


# None: the worker answers, as it answers a turn.
Act = Callable[[Order], Answer | None]


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Command:
    """`usage`: what follows the name, empty for nothing; `does`: one sentence; `examples`: what may follow, for help.

    `keeps`: it changes what Penny keeps, which a temporary chat must not. `asked`: what a planner calls where the owner
    asks for it in words of their own: tools, `show` and `propose` with what. `said`: whole messages that mean it as
    they stand, also without a model and while everything is stopped; they do while it `counts`.
    """

    name: str
    usage: str
    does: str
    act: Act
    examples: tuple[str, ...] = ()
    keeps: bool = False
    asked: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    counts: Callable[[], bool] = _always

    @property
    def line(self) -> str:
        return f"/{self.name} {self.usage}".strip()


@dataclass(frozen=True)
class Meant:
    """What a message means where it is no question to Penny. `kind`: of the message itself."""

    act: Act
    words: str
    kind: str = Message.Kind.COMMAND
    keeps: bool = False

    def obey(self, order: Order) -> Answer | None:
        """Do it. One that was written wrongly is answered by how to write it."""
        if self.keeps and order.message.is_temporary:
            return Answer(TOOL["temporary_chat"])
        try:
            return self.act(order)
        except Misused as error:
            return Answer(str(error))


COMMANDS: dict[str, Command] = {}


def register(*commands: Command) -> None:
    COMMANDS.update({command.name: command for command in commands})


def written(text: str) -> Meant | None:
    """Return what a text commands that begins with a slash and a word: a path or a fraction does not."""
    found = _NAMED.fullmatch(text.strip())
    if found is None:
        return None
    name, words = found[1].lower(), (found[2] or "").strip()
    command = COMMANDS.get(name)
    return Meant(command.act, words, keeps=command.keeps) if command else Meant(_unknown(name), words)


def spoken(text: str) -> Meant | None:
    """Return what a whole message commands in plain words that are known to the letter."""
    command = _said(text)
    return Meant(command.act, "", keeps=command.keeps) if command and command.counts() else None


def name_of(text: str) -> str:
    """Return the name of the command that a message is, written or in plain words; empty where it is none."""
    if found := _NAMED.fullmatch(text.strip()):
        return found[1].lower()
    command = _said(text)
    return command.name if command else ""


def shown_by(what: str) -> Command:
    """Return the command whose answer is what the tool `show` shows."""
    return next(command for command in COMMANDS.values() if f"show {what}" in command.asked)


def _said(text: str) -> Command | None:
    if len(text) > SAID_MAX:
        return None
    words = " ".join(text.lower().split()).rstrip(" .!?")
    return next((command for command in COMMANDS.values() if words in command.said), None)


def _unknown(name: str) -> Act:
    near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.6)
    guess = f" Did you mean `/{near[0]}`?" if near else ""

    def answer(order: Order) -> Answer:
        return Answer(f"I know no command `/{name}`.{guess} `/help` lists them all.")

    return answer


def completions(begun: str) -> Sequence[Command]:
    """Return the commands whose names go on from what was typed, `/re` or `re`."""
    begin = begun.strip().lower().removeprefix("/")
    return [command for name, command in sorted(COMMANDS.items()) if name.startswith(begin)]
