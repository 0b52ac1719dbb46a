"""Count what thinking found and cost, by day and by preference, from its runs."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

from constance import config
from django.utils import timezone

from agents.models import Run, money

REASONS = 12
_QUOTED = re.compile(r"“[^”]*”")
_FIELDS = (
    "kind", "state", "outcome", "preference__text", "created_at", "started_at", "ended_at", "explores",
    "spent_tokens", "spent_micros", "spent_pages", "spent_seconds", "thought__reaction",
)  # fmt: skip


@dataclass
class Yield:
    """Result and cost of the runs of one day, or of one preference.

    `micros`: millionths of money, None without a price. `seconds`: of all attempts, without the time that they waited
    for the owner.
    """

    name: str
    runs: int = 0
    thoughts: int = 0
    liked: int = 0
    disliked: int = 0
    discarded: int = 0
    failed: int = 0
    explored: int = 0
    tokens: int = 0
    micros: int | None = None
    pages: int = 0
    seconds: float = 0

    def add(self, run: dict[str, Any]) -> None:
        self.runs += 1
        self.thoughts += run["state"] == Run.State.DONE
        self.liked += run["thought__reaction"] == 1
        self.disliked += run["thought__reaction"] == -1
        self.discarded += run["state"] == Run.State.DISCARDED
        self.failed += run["state"] == Run.State.FAILED
        self.explored += run["explores"]
        self.tokens += run["spent_tokens"]
        if run["spent_micros"] is not None:
            self.micros = (self.micros or 0) + run["spent_micros"]
        self.pages += run["spent_pages"]
        self.seconds += run["spent_seconds"] + _last_attempt_s(run)

    @property
    def share(self) -> int | None:
        """The percentage of ended runs that kept a thought; None if none has ended."""
        over = self.thoughts + self.discarded + self.failed
        return round(100 * self.thoughts / over) if over else None

    @property
    def tokens_per_thought(self) -> int | None:
        return round(self.tokens / self.thoughts) if self.thoughts else None

    @property
    def money(self) -> str:
        return money(self.micros)

    @property
    def money_per_thought(self) -> str:
        return money(round(self.micros / self.thoughts)) if self.thoughts and self.micros is not None else ""


@dataclass(frozen=True)
class Yields:
    """All runs, the newest day first, the most expensive preference first; learning apart."""

    days: int
    total: Yield
    by_day: list[Yield]
    by_preference: list[Yield]
    learning: Yield
    reasons: list[tuple[str, int]] = field(default_factory=list)


def yields(days: int) -> Yields:
    """Return the statistics of the last days, by the owner's calendar."""
    since = timezone.now() - timedelta(days=days)
    rows = list(
        Run.objects.filter(created_at__gte=since).exclude(kind=Run.Kind.TURN).values(*_FIELDS).order_by("-created_at")
    )
    thinking = [row for row in rows if row["kind"] == Run.Kind.THINKING]
    learning = [row for row in rows if row["kind"] == Run.Kind.LEARNING]
    zone = ZoneInfo(config.TIMEZONE)
    by_day = _grouped(thinking, lambda row: f"{row['created_at'].astimezone(zone):%Y-%m-%d}")
    by_preference = sorted(
        _grouped(thinking, lambda row: row["preference__text"] or "none"), key=lambda group: -group.tokens
    )
    return Yields(days, _sum("all", thinking), by_day, by_preference, _sum("learning", learning), _reasons(thinking))


def _grouped(rows: Iterable[dict[str, Any]], name_of: Callable[[dict[str, Any]], str]) -> list[Yield]:
    groups: dict[str, Yield] = {}
    for row in rows:
        name = name_of(row)
        groups.setdefault(name, Yield(name)).add(row)
    return list(groups.values())


def _sum(name: str, rows: Iterable[dict[str, Any]]) -> Yield:
    total = Yield(name)
    for row in rows:
        total.add(row)
    return total


def _reasons(rows: Iterable[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return why runs kept nothing, most frequent first; names within a reason do not count."""
    counts: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        if row["state"] in (Run.State.DISCARDED, Run.State.FAILED) and row["outcome"]:
            counts[_QUOTED.sub("“…”", row["outcome"])] += 1
    return sorted(counts.items(), key=lambda reason: -reason[1])[:REASONS]


def _last_attempt_s(run: dict[str, Any]) -> float:
    if run["started_at"] is None or run["ended_at"] is None:
        return 0.0
    return float(max((run["ended_at"] - run["started_at"]).total_seconds(), 0))
