from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from agents.models import Run, Step
from agents.runs.budget import Budget
from agents.runs.day_budget import DayBudget
from agents.runs.handles import Handles
from agents.zones.inputs import SkillText
from devices import protocol
from devices.models import Ask

# A trial looks at one page for the page of a skill.
Caller = Literal[
    "planner", "thinking", "watch", "task", "trial"
]  # a task has the zones of a turn, and no conversation around it


Content = dict[str, Any]


class ToolRefused(Exception):
    """A call that was not made, or made in vain. `code` is all that a planner learns of it; `host` is for the owner."""

    def __init__(self, code: str, host: str = "") -> None:
        super().__init__(code)
        self.code, self.host = code, host


class Parked(Exception):
    """A background run has to wait for the owner's answer; it gives its slot back until then."""

    code = "waiting"

    def __init__(self, ask: Ask) -> None:
        super().__init__(ask.text)
        self.ask = ask


async def no_status(_: str) -> None:
    """Show nothing in the conversation: a background run shows its state on its own page."""


def no_start_hook() -> None:
    """Do nothing when a background run sends its first request: no other run waits for that."""


@dataclass
class Trial:
    """Selectors that the owner wants to see at work on one page, and the page once it was looked at. It is neither
    stored nor read.
    """

    selectors: list[protocol.Selector]
    page: protocol.Page | None = None


@dataclass
class Context:
    """One run as its tools see it. `say` shows the owner what is being done; `numbers` are the settings as they were at
    its start.

    `on_start` is called when the first request of the run is about to be sent, and may be called again.
    """

    run: Run
    caller: Caller
    handles: Handles
    question: str
    use_model: bool
    numbers: dict[str, Any]
    say: Callable[[str], Awaitable[None]] = no_status
    on_start: Callable[[], None] = no_start_hook
    budget: Budget = field(init=False)
    skills: list[SkillText] = field(default_factory=list)  # that the planner may ask for, or has asked for
    trial: Trial | None = None
    declined: dict[str, str] = field(
        default_factory=dict
    )  # hosts of a plan that the owner did not allow, and the code of why not
    acts: Counter[str] = field(default_factory=Counter)  # how often this attempt has made each call that acts
    last: Step | None = None  # that is over and not written: what is written next takes it along

    def __post_init__(self) -> None:
        self.budget = Budget.of(self.run, self.caller, self.numbers)
        if self.run.is_background:
            self.budget.day = DayBudget.of(self.run, self.numbers)

    @property
    def zone(self) -> str:
        """The zone that calls are recorded under: a task is planned like a turn."""
        return "planner" if self.caller == "task" else self.caller

    @property
    def is_temporary(self) -> bool:
        return self.run.message is not None and self.run.message.is_temporary
