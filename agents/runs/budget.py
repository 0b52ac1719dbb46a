"""What a run may use: steps, tokens, pages and seconds. Decided here alone; every model request and tool call passes
it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db.models import F
from django.db.models.functions import Coalesce

from agents.llm.messages import CHARACTERS_MAX
from agents.models import Run
from agents.runs.budget_spent import BudgetSpent, Use

if TYPE_CHECKING:
    from agents.runs.day_budget import DayBudget

CHARACTERS_PER_TOKEN = 4  # where an endpoint does not count: about what English text has
# What a run may still use, when its budget is used up, to say what it has so far.
LAST_STEPS, LAST_TOKENS, LAST_S = 2, 30_000, 60


@dataclass
class Budget:
    """What may be used, and what was, earlier attempts at the run included. `spent` is the first thing of which there
    was not enough.

    `underway`: tokens of requests that nobody has counted yet, by the texts that were sent. `day`: what all background
    runs share.
    """

    steps_max: int
    tokens_max: int
    pages_max: int
    seconds_max: int
    ends_at: float
    steps: int = 0
    tokens: int = 0
    pages: int = 0
    underway: int = 0
    spent: BudgetSpent | None = None
    day: "DayBudget | None" = None
    uses: list[Use] = field(default_factory=list)

    @classmethod
    def of(cls, run: Run, caller: str, numbers: Mapping[str, Any]) -> "Budget":
        """Return the budget of a run whose attempt starts now: a turn's, or that of work in the background, less what
        is spent of it.
        """
        kind = "TURN" if caller == "planner" else "THINKING"
        steps, tokens, pages, seconds = (
            int(numbers[f"{kind}_{name}_MAX"]) for name in ("STEPS", "TOKENS", "PAGES", "SECONDS")
        )
        ends_at = time.monotonic() + seconds - run.spent_seconds
        return cls(steps, tokens, pages, seconds, ends_at, run.spent_steps, run.spent_tokens, run.spent_pages)

    @asynccontextmanager
    async def spending(self, pages: int = 0, tokens: int = 0) -> AsyncIterator[None]:
        """Use up one step, so many pages, and the time that is spent inside, which ends with the budget. Raises
        BudgetSpent.

        `tokens`: about what it costs if nobody ever counts it, because this process dies meanwhile.
        """
        self._take(pages)
        self.underway += tokens
        try:
            async with asyncio.timeout(self.ends_at - time.monotonic()) as limit:
                yield
        except TimeoutError:
            if limit.expired():
                raise self.stop("seconds", self.seconds_max) from None
            raise
        finally:
            self.underway -= tokens

    def check_day(self, pages: int, *, asks_model: bool) -> None:
        """Look at what is left of the day, within the transaction that stores the step. Raises BudgetSpent."""
        if self.day is None:
            return
        try:
            self.day.check(pages, asks_model=asks_model)
        except BudgetSpent as spent:
            self.pages -= pages  # the call is not made
            self.spent = self.spent or spent
            raise

    def used(self) -> dict[str, Any]:
        """Return the fields of a run that say what is used up, but for its money."""
        return {"spent_steps": self.steps, "spent_tokens": self.tokens + self.underway, "spent_pages": self.pages}

    def store(self, run: Run) -> None:
        """Write down what is used up, so that another attempt goes on from there."""
        spent = self.used()
        if (
            self.day is not None
        ):  # its row before that of the run, as `check_day` takes them: in this order nobody waits in a circle
            micros = self.day.count(self.tokens + self.underway, self.pages, self.uses)
            self.uses = []
            spent |= {} if micros is None else {"spent_micros": Coalesce(F("spent_micros"), 0) + micros}
        Run.objects.filter(pk=run.pk, attempt=run.attempt).update(**spent)

    def add_tokens(self, counted: int, *texts: str) -> None:
        """Count the tokens of one request: what the endpoint counted, else an estimate by the texts that went to and
        fro.
        """
        self.tokens += counted or estimate(*texts)

    def add_use(self, model: str, tokens_in: int, tokens_out: int, asked: str, answered: str) -> None:
        """Note for the price table what one request came to; an estimate where the endpoint did not count."""
        self.uses.append(Use(model, tokens_in or estimate(asked), tokens_out or estimate(answered)))

    @property
    def characters_left(self) -> int:
        """How much a model may write now."""
        return min(CHARACTERS_MAX, max(1, self.tokens_max - self.tokens) * CHARACTERS_PER_TOKEN)

    def stop(self, name: str, most: int) -> BudgetSpent:
        """Note what was used up, and return the first such thing."""
        self.spent = self.spent or BudgetSpent(name, most)
        return self.spent

    def leave_last_words(self) -> None:
        """Allow what it takes to say what there is so far, however little is left."""
        self.steps_max, self.tokens_max = self.steps + LAST_STEPS, self.tokens + LAST_TOKENS
        self.ends_at = time.monotonic() + LAST_S

    def _take(self, pages: int) -> None:
        if self.steps >= self.steps_max:
            raise self.stop("steps", self.steps_max)
        if self.tokens >= self.tokens_max:
            raise self.stop("tokens", self.tokens_max)
        if self.pages + pages > self.pages_max:
            raise self.stop("pages", self.pages_max)
        if time.monotonic() >= self.ends_at:
            raise self.stop("seconds", self.seconds_max)
        self.steps, self.pages = self.steps + 1, self.pages + pages


def estimate(*texts: str) -> int:
    """Return about how many tokens there are in texts."""
    return sum(map(len, texts)) // CHARACTERS_PER_TOKEN
