"""The limits of one errand, over all runs that work on it. The clock stands still while the owner is asked."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agents.models import Errand, Run
from agents.runs.budget import Budget

HANDS_STEPS, HANDS_SECONDS = 2_000, 4 * 3_600  # of a person at the terminal, who asks no model
PAGES_MAX = 10_000  # an act is no page that is opened to be read


@dataclass
class ErrandLimits(Budget):
    """The limits and the use of an errand. It is stored with the errand, not with the run."""

    errand: Errand | None = None

    @classmethod
    def of_errand(cls, errand: Errand, numbers: Mapping[str, Any]) -> "ErrandLimits":
        steps, tokens, seconds = (int(numbers[f"ACT_{name}_MAX"]) for name in ("STEPS", "TOKENS", "SECONDS"))
        return cls(
            steps,
            tokens,
            PAGES_MAX,
            seconds,
            time.monotonic() + seconds - errand.spent_seconds,
            errand.spent_steps,
            errand.spent_tokens,
            errand=errand,
        )

    @classmethod
    def of_hands(cls, errand: Errand) -> "ErrandLimits":
        ends_at = time.monotonic() + HANDS_SECONDS
        return cls(HANDS_STEPS, 1, PAGES_MAX, HANDS_SECONDS, ends_at, errand=errand)

    @property
    def seconds(self) -> float:
        return max(0.0, self.seconds_max - (self.ends_at - time.monotonic()))

    def store(self, run: Run) -> None:
        assert self.errand is not None
        values = {
            "spent_steps": self.steps,
            "spent_tokens": self.tokens + self.underway,
            "spent_seconds": self.seconds,
        }
        Errand.objects.filter(pk=self.errand.pk).update(**values)
        for name, value in values.items():
            setattr(self.errand, name, value)
