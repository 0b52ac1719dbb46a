"""What background work may use in a day, all runs together: tokens or money, pages, minutes, and interruptions of the
owner.

Beside the budget of each run (agents/runs/budget.py). It is looked at before each model request and each call of a
browser.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from constance.utils import get_values
from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from agents.models import MICROS, Day, Price, Run
from agents.runs.budget_spent import BudgetSpent, Use
from devices.owner import clock


class DaySpent(BudgetSpent):
    """Background work may not go on before the owner's next day."""

    def __init__(self, name: str, most: str, until: datetime, now: datetime) -> None:
        when = clock.in_words(until, now)
        words = (
            f"Paused until {when}: today's {most} for background work are used up. You can raise that in the settings."
        )
        Exception.__init__(self, words)
        self.code, self.until = f"day_{name}", until


@dataclass(frozen=True)
class Limits:
    """The owner's numbers for one day. `micros`: 0 where money is no limit; `low_share`: of how much is left when
    little is left.
    """

    tokens: int
    micros: int
    pages: int
    seconds: int
    interruptions: int
    low_share: float

    @classmethod
    def of(cls, numbers: Mapping[str, Any]) -> "Limits":
        return cls(
            int(numbers["DAY_TOKENS_MAX"]),
            round(float(numbers["DAY_MONEY_MAX"]) * MICROS),
            int(numbers["DAY_PAGES_MAX"]),
            int(numbers["DAY_MINUTES_MAX"]) * 60,
            int(numbers["DAY_INTERRUPTIONS_MAX"]),
            float(numbers["DAY_LOW_SHARE"]),
        )

    def spent(self, used: Day, pages: int, *, asks_model: bool, now: datetime) -> DaySpent | None:
        """Return what there is not enough of, for a call that opens so many pages or asks a model."""
        lacks: tuple[str, str] | None = None
        if used.seconds >= self.seconds:
            lacks = "minutes", f"{self.seconds // 60:,} minutes"
        elif pages and used.pages + pages > self.pages:
            lacks = "pages", f"{self.pages:,} pages"
        elif asks_model and used.tokens >= self.tokens:
            lacks = "tokens", f"{self.tokens:,} tokens"
        elif asks_model and self.micros and used.micros >= self.micros:
            lacks = "money", f"{self.micros / MICROS:,.2f} of money"
        return DaySpent(*lacks, clock.next_day(now), now) if lacks else None

    def is_low(self, used: Day) -> bool:
        shares = [used.tokens / self.tokens, used.pages / self.pages, used.seconds / self.seconds]
        shares += [used.micros / self.micros] if self.micros else []
        return max(shares) >= 1 - self.low_share


@dataclass
class DayBudget:
    """The day's budget as one attempt at a run meets it: what of the run is counted already, and since when time is."""

    limits: Limits
    tokens: int
    pages: int
    counted_at: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, run: Run, numbers: Mapping[str, Any]) -> "DayBudget":
        return cls(Limits.of(numbers), run.spent_tokens, run.spent_pages)

    def check(self, pages: int, *, asks_model: bool) -> None:
        """Within the transaction that then counts the call: of two runs the second sees what the first took. Raises
        DaySpent.
        """
        assert transaction.get_connection().in_atomic_block
        now = timezone.now()
        _row(now)
        used = Day.objects.select_for_update().get(day=clock.today(now))
        if spent := self.limits.spent(used, pages, asks_model=asks_model, now=now):
            raise spent

    def count(self, tokens: int, pages: int, uses: list[Use]) -> int | None:
        """Add what all of the run's attempts have used, less what was counted before. Return what `uses` cost, None
        where nobody knows.
        """
        moment = time.monotonic()
        micros = _cost(uses) if uses else None
        _add(
            tokens=tokens - self.tokens, pages=pages - self.pages, seconds=moment - self.counted_at, micros=micros or 0
        )
        self.tokens, self.pages, self.counted_at = tokens, pages, moment
        return micros


def why_paused(now: datetime, *, asks_model: bool = True) -> DaySpent | None:
    """Return why no background work may start today, None where it may. `asks_model`: whether it asks one where one is
    set.
    """
    limits = Limits.of(get_values())
    return limits.spent(used_today(now), 1, asks_model=asks_model and settings.MODEL is not None, now=now)


def why_no_request(now: datetime) -> DaySpent | None:
    """Return why background work may ask no model today, whichever it is; None where it may."""
    return Limits.of(get_values()).spent(used_today(now), 1, asks_model=True, now=now)


def is_low(now: datetime) -> bool:
    """Whether so little is left of the day's budget that only the best should have it."""
    return Limits.of(get_values()).is_low(used_today(now))


@dataclass(frozen=True)
class Gauge:
    """One part of the day's budget. `used` and `most` are in its own unit, `said` puts them into words."""

    name: str
    used: float
    most: float
    said: str

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.used / self.most))


@dataclass(frozen=True)
class Meter:
    """What background work has used today. `paused`: why it goes on no more, and until when."""

    gauges: list[Gauge]
    paused: str

    @property
    def fullest(self) -> Gauge:
        return max(self.gauges, key=lambda gauge: gauge.percent)


def meter(now: datetime) -> Meter:
    limits, used = Limits.of(get_values()), used_today(now)
    tokens, minutes, most_minutes = max(0, used.tokens), used.seconds / 60, limits.seconds // 60
    gauges = [Gauge("Tokens", tokens, limits.tokens, f"{tokens:,} of {limits.tokens:,} tokens")]
    if limits.micros:
        spent, most = used.micros / MICROS, limits.micros / MICROS
        gauges.append(Gauge("Money", spent, most, f"{spent:,.2f} of {most:,.2f}"))
    gauges.append(Gauge("Pages", used.pages, limits.pages, f"{used.pages:,} of {limits.pages:,} pages"))
    gauges.append(Gauge("Minutes", minutes, most_minutes, f"{minutes:,.0f} of {most_minutes:,} minutes"))
    told = f"{used.interruptions:,} of {limits.interruptions:,} interruptions"
    gauges.append(Gauge("Interruptions", used.interruptions, limits.interruptions, told))
    paused = limits.spent(used, 1, asks_model=settings.MODEL is not None, now=now)
    return Meter(gauges, str(paused or ""))


def used_today(now: datetime) -> Day:
    day = clock.today(now)
    return Day.objects.filter(day=day).first() or Day(day=day)


def may_interrupt(now: datetime) -> bool:
    """Whether background work may ask or tell the owner something that can wait."""
    return used_today(now).interruptions < Limits.of(get_values()).interruptions


def count_interruption() -> None:
    """Note that the owner was told or asked something by background work."""
    _add(interruptions=1)


def count_tokens(tokens: int) -> None:
    """Note what background work sent to a model outside of any run."""
    _add(tokens=tokens)


def unpriced() -> list[str]:
    """Return the models in use that the price table does not know."""
    used = {str(endpoint) for endpoint in (settings.MODEL, settings.READER_MODEL, settings.VISION_MODEL) if endpoint}
    return sorted(used - set(Price.objects.values_list("model", flat=True)))


def _add(**used: float) -> None:
    now = timezone.now()
    _row(now)
    Day.objects.filter(day=clock.today(now)).update(**{name: F(name) + value for name, value in used.items()})


def _row(now: datetime) -> None:
    Day.objects.get_or_create(day=clock.today(now))


def _cost(uses: list[Use]) -> int | None:
    """Return what the requests cost whose models have a price; None where none has."""
    prices = {price.model: price for price in Price.objects.filter(model__in={use.model for use in uses})}
    known = [prices[use.model].micros(use.tokens_in, use.tokens_out) for use in uses if use.model in prices]
    return sum(known) if known else None
