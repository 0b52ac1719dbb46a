"""What a caller may do, by the kind of its device: the one table."""

from dataclasses import dataclass

from agents.commands.registry import COMMANDS, Act, Answer, Order
from devices.models import Device


@dataclass(frozen=True)
class Authority:
    """What the messages of one kind of device may do besides asking questions.

    `commands`: the names of the commands, None for all. `consents`: a yes or no answers an open question.
    """

    commands: frozenset[str] | None
    consents: bool

    def may_run(self, name: str) -> bool:
        return self.commands is None or name in self.commands


OWNER = Authority(commands=None, consents=True)
# Whatever a command or a question shows is sent to Signal whole, or not at all (agents/outbox/compose.py).
SIGNAL = OWNER
# A token may lie in a file or in another program: who holds it asks, and changes nothing.
TOKEN = Authority(commands=frozenset({"help", "status", "draw"}), consents=False)
NOBODY = Authority(commands=frozenset(), consents=False)
TABLE = {
    Device.Kind.WEB: OWNER,
    Device.Kind.BROWSER: OWNER,
    Device.Kind.API: OWNER,  # paired with a code, and it proves its key at each connection
    Device.Kind.SIGNAL: SIGNAL,
    Device.Kind.PUSH: NOBODY,
    Device.Kind.APPRISE: NOBODY,
}


def authority_of(device: Device) -> Authority:
    return TOKEN if device.has_only_a_token else TABLE[Device.Kind(device.kind)]


def refuse(authority: Authority, name: str) -> Act:
    usable = " or ".join(f"`/{command}`" for command in sorted(authority.commands or ()) if command in COMMANDS)
    text = f"`/{name}` works in your browser and on Signal. A program with a token may ask, and run {usable}."

    def answer(order: Order) -> Answer:
        return Answer(text)

    return answer
