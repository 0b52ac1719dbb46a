"""Bound what all background runs use in a day: tokens or money, pages, time, interruptions.

Checked before each model request and each browser call, beside the budget of the run (agents/runs/budget.py).
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from constance.utils import get_values
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from agents.model_choice.in_use import models_in_use
from agents.models import MICROS, Day, Price, Run
from agents.runs.budget_spent import BudgetSpent, Use
from devices.models import Interruption
from devices.owner import clock
from thoughts.models import Preference

COINS_MOST = 5


class DaySpent(BudgetSpent):
    def __init__(self, name: str, most: str, until: datetime, now: datetime) -> None:
        when = clock.time_in_words(until, now)
        words = (
            f"Paused until {when}: today's {most} for background work are used up. You can raise that in the settings."
        )
        Exception.__init__(self, words)
        self.code, self.until = f"day_{name}", until


@dataclass(frozen=True)
class Limits:
    """The owner's limits for one day.

    `micros`: 0 if money is no limit. `low_share`: at most this share left counts as low.
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

    def spent(self, day: Day, pages: int, *, asks_model: bool, now: datetime) -> DaySpent | None:
        """Return the limit that a call with so many pages, or a model request, would exceed."""
        lacks: tuple[str, str] | None = None
        if day.seconds >= self.seconds:
            lacks = "minutes", f"{self.seconds // 60:,} minutes"
        elif pages and day.pages + pages > self.pages:
            lacks = "pages", f"{self.pages:,} pages"
        elif asks_model and day.tokens >= self.tokens:
            lacks = "tokens", f"{self.tokens:,} tokens"
        elif asks_model and self.micros and day.micros >= self.micros:
            lacks = "money", f"{self.micros / MICROS:,.2f} of money"
        return DaySpent(*lacks, clock.next_day(now), now) if lacks else None

    def is_low(self, day: Day) -> bool:
        shares = [day.tokens / self.tokens, day.pages / self.pages, day.seconds / self.seconds]
        shares += [day.micros / self.micros] if self.micros else []
        return max(shares) >= 1 - self.low_share


@dataclass
class DayBudget:
    """The day budget of one attempt, and what of the attempt is counted already."""

    limits: Limits
    tokens: int
    pages: int
    counted_at: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, run: Run, numbers: Mapping[str, Any]) -> "DayBudget":
        return cls(Limits.of(numbers), run.spent_tokens, run.spent_pages)

    def check(self, pages: int, *, asks_model: bool) -> None:
        """Check within the transaction that counts the call, under a row lock. Raises DaySpent.

        Of two runs the second sees what the first used.
        """
        assert transaction.get_connection().in_atomic_block
        now = timezone.now()
        _row(now)
        day = Day.objects.select_for_update().get(day=clock.today(now))
        if spent := self.limits.spent(day, pages, asks_model=asks_model, now=now):
            raise spent

    def count(self, tokens: int, pages: int, uses: list[Use]) -> int | None:
        """Add what the run used since the last count; return the cost of `uses`.

        None: no used model has a price.
        """
        moment = time.monotonic()
        micros = _cost(uses) if uses else None
        _add(
            tokens=tokens - self.tokens, pages=pages - self.pages, seconds=moment - self.counted_at, micros=micros or 0
        )
        self.tokens, self.pages, self.counted_at = tokens, pages, moment
        return micros


def why_paused(now: datetime, *, asks_model: bool = True) -> DaySpent | None:
    """Return why no background work may start today, or None.

    `asks_model`: whether the work would use a model if one is set.
    """
    limits = Limits.of(get_values())
    return limits.spent(used_today(now), 1, asks_model=asks_model and models_in_use().main is not None, now=now)


def why_no_request(now: datetime) -> DaySpent | None:
    return Limits.of(get_values()).spent(used_today(now), 1, asks_model=True, now=now)


def is_low(now: datetime) -> bool:
    """Whether so little of the day budget is left that only the strongest preference gets it."""
    return Limits.of(get_values()).is_low(used_today(now))


@dataclass(frozen=True)
class Gauge:
    """One part of the day budget.

    `amount` and `most` have the unit of the part; `said` is the text for both.
    """

    name: str
    amount: float
    most: float
    said: str

    @property
    def percent(self) -> int:
        return min(100, round(100 * self.amount / self.most))


@dataclass(frozen=True)
class Meter:
    """What background work used today. `paused`: why and until when it is paused, or ""."""

    gauges: list[Gauge]
    paused: str

    @property
    def fullest(self) -> Gauge:
        return max(self.gauges, key=lambda gauge: gauge.percent)


def meter(now: datetime) -> Meter:
    limits, day = Limits.of(get_values()), used_today(now)
    tokens, minutes, most_minutes = max(0, day.tokens), day.seconds / 60, limits.seconds // 60
    gauges = [Gauge("Tokens", tokens, limits.tokens, f"{tokens:,} of {limits.tokens:,} tokens")]
    if limits.micros:
        spent, most = day.micros / MICROS, limits.micros / MICROS
        gauges.append(Gauge("Money", spent, most, f"{spent:,.2f} of {most:,.2f}"))
    gauges.append(Gauge("Pages", day.pages, limits.pages, f"{day.pages:,} of {limits.pages:,} pages"))
    gauges.append(Gauge("Minutes", minutes, most_minutes, f"{minutes:,.0f} of {most_minutes:,} minutes"))
    interruptions = _interruptions(day, now)
    text = f"{interruptions:,} of {limits.interruptions:,} interruptions"
    gauges.append(Gauge("Interruptions", interruptions, limits.interruptions, text))
    paused = limits.spent(day, 1, asks_model=models_in_use().main is not None, now=now)
    return Meter(gauges, str(paused or ""))


def used_today(now: datetime) -> Day:
    day = clock.today(now)
    return Day.objects.filter(day=day).first() or Day(day=day)


@dataclass(frozen=True)
class Attention:
    """How often Penny may interrupt the owner on one day, and how often she still may."""

    most: int
    left: int

    @property
    def coins(self) -> list[bool]:
        """Return one coin for each interruption, those that are left first; none where they are too many to see."""
        return [place < self.left for place in range(self.most)] if self.most <= COINS_MOST else []


def attention(now: datetime) -> Attention:
    most = Limits.of(get_values()).interruptions
    return Attention(most, max(0, most - _interruptions(used_today(now), now)))


def may_interrupt(now: datetime) -> bool:
    """Whether background work may still send or ask the owner something that can wait."""
    return attention(now).left > 0


def _interruptions(day: Day, now: datetime) -> int:
    """Return the interruptions that count. A thumb down on a find that came as one hands one back, once a day."""
    today = Interruption.objects.filter(created_at__gte=clock.next_day(now) - timedelta(days=1), created_at__lte=now)
    is_one_back = today.filter(message__thought__reaction=Preference.Valence.DISLIKE).exists()
    return max(0, day.interruptions - is_one_back)


def count_interruption() -> None:
    _add(interruptions=1)


def count_tokens(tokens: int) -> None:
    """Count tokens that background work sent to a model outside of any run."""
    _add(tokens=tokens)


def unpriced() -> list[str]:
    models = models_in_use()
    names = {str(endpoint) for endpoint in (models.main, models.reader, models.vision, models.act) if endpoint}
    return sorted(names - set(Price.objects.values_list("model", flat=True)))


def _add(**amounts: float) -> None:
    now = timezone.now()
    _row(now)
    Day.objects.filter(day=clock.today(now)).update(**{name: F(name) + value for name, value in amounts.items()})


def _row(now: datetime) -> None:
    Day.objects.get_or_create(day=clock.today(now))


def _cost(uses: list[Use]) -> int | None:
    prices = {price.model: price for price in Price.objects.filter(model__in={use.model for use in uses})}
    costs = [prices[use.model].micros(use.tokens_in, use.tokens_out) for use in uses if use.model in prices]
    return sum(costs) if costs else None
