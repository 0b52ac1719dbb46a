"""The page Permissions › Record: what left this machine, by host and by day."""

import csv
from dataclasses import dataclass
from datetime import date, timedelta

from constance import config
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from devices.models import HostCount
from devices.record.sums import sums
from devices.record.week import read_week
from penny_site.requests import OwnerRequest

SPANS = (7, 30, 365)
HOSTS_SHOWN = 100


@require_safe
def record(request: OwnerRequest) -> HttpResponse:
    span = _span(request)
    rows = list(span.rows)
    hosts = sorted(sums(rows, "host"), key=lambda one: (-one.total, str(one.name)))
    context = {
        "span": span,
        "kept_days": config.KEEP_RECORD_DAYS,
        "spans": SPANS,
        "total": next(iter(sums(rows, "")), None),
        "page": Paginator(hosts, HOSTS_SHOWN).get_page(request.GET.get("page")),
        "by_day": sums(rows, "day"),
    }
    return render(request, "devices/record.html", context)


@require_safe
def export_record(request: OwnerRequest) -> HttpResponse:
    """Send the counts as CSV. A host holds no sign with which a table's formula begins."""
    disposition = 'attachment; filename="penny-record.csv"'
    response = HttpResponse(content_type="text/csv; charset=utf-8", headers={"Content-Disposition": disposition})
    lines = csv.writer(response)
    lines.writerow(["day", "what", "host", "count"])
    for row in _span(request).rows:
        lines.writerow([row.day.isoformat(), row.way, row.host.lstrip("-"), row.count])
    return response


@dataclass(frozen=True)
class Span:
    """The days that the page is about. `week`: the Sunday of a week that is over, None for the days up to today."""

    days: int
    last: date
    week: date | None = None

    @property
    def first(self) -> date:
        return self.last - timedelta(days=self.days - 1)

    @property
    def query(self) -> str:
        return f"week={self.week.isoformat()}" if self.week else f"days={self.days}"

    @property
    def rows(self) -> QuerySet[HostCount]:
        return HostCount.objects.filter(day__range=(self.first, self.last)).order_by("-day", "host", "way")


def _span(request: OwnerRequest) -> Span:
    week, days = read_week(request.GET.get("week", "")), request.GET.get("days", "")
    if week:
        return Span(7, week + timedelta(days=6), week)
    return Span(next((span for span in SPANS if str(span) == days), SPANS[0]), timezone.localdate())
