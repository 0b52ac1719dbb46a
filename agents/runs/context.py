"""One run as its tools see it, and the exceptions that end a call or park the run."""

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from agents.model_choice.in_use import Models
from agents.models import Run, Step
from agents.runs.budget import Budget
from agents.runs.day_budget import DayBudget
from agents.runs.handles import Handles
from agents.zones.inputs import SkillText
from devices.models import Ask

# "task": the zones of a turn without a conversation; "trial": one page, for the page of a skill;
# "vault": a page that is kept, again; "wording": words where the owner's cursor is; "hands": a person at the
# terminal.
# Who calls a tool. `program`: a turn that a program with a token asked for; it reads, and changes nothing of Penny's.
Caller = Literal["planner", "program", "thinking", "watch", "task", "trial", "vault", "wording", "hands"]
Content = dict[str, Any]
F = TypeVar("F")


class ToolRefused(Exception):
    """A call that was refused or failed.

    The planner learns `code` alone; `host` is for the owner.
    """

    def __init__(self, code: str, host: str = "") -> None:
        super().__init__(code)
        self.code, self.host = code, host


class Parked(Exception):
    """A run waits for the owner and gives its slot back until then. `outcome` says for what."""

    code, outcome = "waiting", "You have the page."


class ParkedAtAsk(Parked):
    """A background run waits for the owner's answer."""

    def __init__(self, ask: Ask) -> None:
        super().__init__(ask.text)
        self.ask, self.outcome = ask, f"Waits for your answer: {ask.host or ask.text}"


async def no_status(_: str) -> None:
    """Show nothing in the conversation: a background run shows its state on its own page."""


def no_start_hook() -> None:
    """Do nothing when a background run sends its first request: no other run waits for that."""


@dataclass
class Context:
    """One run as its tools see it.

    `say` shows the owner the current status. `models` and `numbers` are the models and the settings at the start.
    `on_start` is called before each of the run's model requests. What a feature adds to a run stands in a class of the
    feature, see `of`.
    """

    run: Run
    caller: Caller
    handles: Handles
    question: str
    models: Models
    numbers: dict[str, Any]
    say: Callable[[str], Awaitable[None]] = no_status
    on_start: Callable[[], None] = no_start_hook
    budget: Budget = field(init=False)
    skills: list[SkillText] = field(default_factory=list)  # offered to the planner, or loaded by it
    acts: Counter[str] = field(default_factory=Counter)  # how often this attempt made each call that acts
    is_cut: bool = False  # the model's limit ended its last answer
    refusals: list[str] = field(default_factory=list)  # the error codes of refused calls
    last: Step | None = None  # a completed step that is saved with the next write
    _of_features: dict[type, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.budget = Budget.of(self.run, self.caller, self.numbers)
        if self.run.is_background:
            self.budget.day = DayBudget.of(self.run, self.numbers)

    def of(self, kind: type[F]) -> F:
        """Return what a feature keeps while the run lasts: an instance of its class, new at the first call."""
        if kind not in self._of_features:
            self._of_features[kind] = kind()
        state: F = self._of_features[kind]
        return state

    @property
    def use_model(self) -> bool:
        return self.models.main is not None

    @property
    def zone(self) -> str:
        """Return the zone that calls are recorded under. A task, and a program's question, are planned like a turn."""
        return "planner" if self.caller in ("task", "program") else self.caller

    @property
    def may_act(self) -> bool:
        """Whether the owner lets Penny act on pages for this message."""
        return self.run.message is not None and self.run.message.may_act

    @property
    def is_temporary(self) -> bool:
        return self.run.message is not None and self.run.message.is_temporary
