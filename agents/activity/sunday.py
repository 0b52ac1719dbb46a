"""The Sunday receipt on Activity: the last whole week in the words of a till receipt."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.db.models import Sum

from agents.models import Run
from agents.models.budgets import money
from devices.owner import clock
from devices.record import week as weeks


@dataclass(frozen=True)
class Receipt:
    """What left this machine in a week. `cost` is empty where no price is known."""

    week: date
    lines: list[weeks.Line]
    cost: str

    @property
    def last(self) -> date:
        return self.week + weeks.A_WEEK - timedelta(days=1)


def waiting_week(now: datetime) -> date | None:
    """Return the week whose receipt may be shown; None once it is put away, or where some of its counts are gone."""
    today = clock.today(now)
    week = weeks.week_over(today)
    return None if weeks.is_put_away(week) or not weeks.is_whole(week, today) else week


def receipt_of_week(week: date) -> Receipt | None:
    """Add up the week; None where nothing left this machine."""
    lines = weeks.lines_of(week)
    if not lines:
        return None
    begins, ends = (datetime.combine(day, time(), tzinfo=clock.zone()) for day in (week, week + weeks.A_WEEK))
    spent = Run.objects.filter(created_at__gte=begins, created_at__lt=ends).aggregate(micros=Sum("spent_micros"))
    return Receipt(week, lines, money(spent["micros"] or None))
