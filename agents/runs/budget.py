"""Bound what one run may use: steps, tokens, pages and seconds.

Every model request and tool call passes `Budget.spending`. day_budget.py has the bounds of all background runs
together.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db.models import F
from django.db.models.functions import Coalesce

from agents.llm.messages import CHARACTERS_MAX
from agents.models import Run
from agents.runs.budget_spent import BudgetSpent, Use

if TYPE_CHECKING:
    from agents.runs.day_budget import DayBudget

CHARACTERS_PER_TOKEN = 4  # about that of English text; for endpoints that do not count tokens
# The allowance for a last answer after the budget is used up.
LAST_STEPS, LAST_TOKENS, LAST_S = 2, 30_000, 60


@dataclass
class Budget:
    """The limits of a run and its use, earlier attempts included.

    `spent`: the first limit that was reached. `underway`: estimated tokens of requests without an answer yet. `day`:
    the day budget that background runs share.
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
    _limits: set[asyncio.Timeout] = field(default_factory=set)

    @classmethod
    def of(cls, run: Run, caller: str, numbers: Mapping[str, Any]) -> "Budget":
        """Return the budget of an attempt that starts now, less what earlier attempts used."""
        kind = "TURN" if caller in ("planner", "program", "wording") else "THINKING"
        steps, tokens, pages, seconds = (
            int(numbers[f"{kind}_{name}_MAX"]) for name in ("STEPS", "TOKENS", "PAGES", "SECONDS")
        )
        ends_at = time.monotonic() + seconds - run.spent_seconds
        return cls(steps, tokens, pages, seconds, ends_at, run.spent_steps, run.spent_tokens, run.spent_pages)

    @asynccontextmanager
    async def spending(self, pages: int = 0, tokens: int = 0) -> AsyncIterator[None]:
        """Use one step, `pages`, and the time inside, which ends with the budget.

        Raises BudgetSpent.

        `tokens`: an estimate that counts if this process dies before the request is answered.
        """
        self._take(pages)
        self.underway += tokens
        try:
            async with asyncio.timeout(self.ends_at - time.monotonic()) as limit:
                self._limits.add(limit)
                yield
        except TimeoutError:
            if limit.expired():
                raise self.stop("seconds", self.seconds_max) from None
            raise
        finally:
            self._limits.discard(limit)
            self.underway -= tokens

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """Leave the time inside out: other limits hold there, or the owner is asked."""
        start_s = time.monotonic()
        for limit in self._limits:
            limit.reschedule(None)
        try:
            yield
        finally:
            self.ends_at += time.monotonic() - start_s
            left_s = self.ends_at - time.monotonic()
            for limit in self._limits:
                limit.reschedule(asyncio.get_running_loop().time() + left_s)

    def check_day(self, pages: int, *, asks_model: bool) -> None:
        """Check the day budget, within the transaction that stores the step. Raises BudgetSpent."""
        if self.day is None:
            return
        try:
            self.day.check(pages, asks_model=asks_model)
        except BudgetSpent as spent:
            self.pages -= pages  # the call is not made
            self.spent = self.spent or spent
            raise

    def used(self) -> dict[str, Any]:
        """Return the fields of a run that say what it used, without its money."""
        return {"spent_steps": self.steps, "spent_tokens": self.tokens + self.underway, "spent_pages": self.pages}

    def store(self, run: Run) -> None:
        spent = self.used()
        if self.day is not None:  # the row of the day first, as in `check_day`: one lock order, no deadlock
            micros = self.day.count(self.tokens + self.underway, self.pages, self.uses)
            self.uses = []
            spent |= {} if micros is None else {"spent_micros": Coalesce(F("spent_micros"), 0) + micros}
        Run.objects.filter(pk=run.pk, attempt=run.attempt).update(**spent)

    def add_tokens(self, total: int, *texts: str) -> None:
        self.tokens += total or estimate(*texts)

    def add_use(self, model: str, tokens_in: int, tokens_out: int, prompt: str, reply: str) -> None:
        """Add one request for the price table, estimated where the endpoint did not count."""
        self.uses.append(Use(model, tokens_in or estimate(prompt), tokens_out or estimate(reply)))

    @property
    def characters_left(self) -> int:
        return min(CHARACTERS_MAX, max(1, self.tokens_max - self.tokens) * CHARACTERS_PER_TOKEN)

    def stop(self, name: str, most: int) -> BudgetSpent:
        """Record a reached limit; return the first one that was reached."""
        self.spent = self.spent or BudgetSpent(name, most)
        return self.spent

    def leave_last_words(self) -> None:
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
    return sum(map(len, texts)) // CHARACTERS_PER_TOKEN
