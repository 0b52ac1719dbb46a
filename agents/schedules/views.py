"""Pages of schedules, their history, the questions of background work, and digests."""

from datetime import date

from constance import config
from django.contrib import messages
from django.db.models import Count, Min, Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.models import Run, Schedule
from agents.runs import day_budget
from agents.schedules import start, zone
from agents.schedules.forms import ScheduleForm
from agents.schedules.morning import earlier_days, morning
from agents.schedules.overview import history, scheduled_rows
from devices.disk import DiskFull
from devices.owner import clock
from penny_site.requests import OwnerRequest, next_below
from penny_site.row_views import RowViews
from thoughts.models import Watch

row_views = RowViews(
    Schedule,
    "schedule",
    "schedules",
    {
        "pause": "“{}” is paused.",
        "resume": "“{}” is on again.",
        "delete": "“{}” is deleted.",
        "restore": "“{}” is back.",
    },
)


def mine(request: OwnerRequest) -> QuerySet[Run]:
    """Return the runs of the owner, but for those that answered a deleted message."""
    return Run.objects.filter(Q(message=None) | Q(message__owner=request.user, message__deleted_at=None))


@require_safe
def all_schedules(request: OwnerRequest) -> HttpResponse:
    now = timezone.now()
    context = {
        "rows": scheduled_rows(now),
        "now": now,
        "quiet_until": clock.quiet_until(now),
    }
    context["watched"] = Watch.objects.active().aggregate(count=Count("pk"), next_at=Min("next_check_at"))
    return render(
        request, "agents/schedules.html", context | {"unpriced": day_budget.unpriced() if config.DAY_MONEY_MAX else []}
    )


def schedule(request: OwnerRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Schedule.objects.kept(), pk=pk)
    return _form(request, ScheduleForm(request.POST or None, instance=row), row)


def new_schedule(request: OwnerRequest) -> HttpResponse:
    return _form(
        request,
        ScheduleForm(request.POST or None, initial={"kind": request.GET.get("kind") or Schedule.Kind.TASK}),
        None,
    )


def _form(request: OwnerRequest, form: ScheduleForm, row: Schedule | None) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        stored_row = form.save()
        messages.success(request, f"“{stored_row}” is {'kept' if row else 'added'}.")
        return redirect("schedules")
    # Read again: an invalid form has changed `row`.
    current = Schedule.objects.get(pk=row.pk) if row else None
    now = timezone.now()
    context = {
        "form": form,
        "schedule": current,
        "moved": zone.moved_schedules(now).filter(pk=row.pk).exists() if row else False,
        "times": form.next_times(now),
        "runs": history(current) if current else [],
    }
    return render(request, "agents/schedule.html", context)


@require_safe
def schedule_times(request: OwnerRequest) -> HttpResponse:
    """Answer htmx with the next start times of a form as it stands.

    The task is not sent, because addresses are logged.
    """
    form = ScheduleForm(request.GET)
    return render(request, "agents/_times.html", {"form": form, "times": form.next_times(timezone.now())})


@require_POST
def schedule_run(request: OwnerRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Schedule.objects.kept(), pk=pk)
    try:
        run = start.run_now(row)
    except DiskFull as error:
        messages.error(request, str(error), extra_tags=error.code)
        return redirect(next_below(request, "schedules"))
    messages.success(request, run.outcome or f"“{row}” has started. What comes of it is in its history.")
    return redirect(next_below(request, "schedule", pk) if run.state in Run.OPEN else next_below(request, "schedules"))


@require_POST
def schedule_keep_moment(request: OwnerRequest, pk: int) -> HttpResponse:
    """Move what comes once back to the moment that it had before the owner's time zone changed."""
    row, now = get_object_or_404(Schedule.objects.kept(), pk=pk), timezone.now()
    if zone.keep_old_moment(row, now) and row.moved_from:
        messages.success(request, f"“{row}” comes {clock.at_time_in_words(row.moved_from, now)}.")
    else:
        messages.error(request, f"The old moment of “{row}” is over.")
    return redirect(next_below(request, "schedules"))


@require_safe
def digests(request: OwnerRequest, day: str = "") -> HttpResponse:
    """Show the newest digest, or that of a day such as 2026-06-01, as one page."""
    page = morning(timezone.now(), _date_of(day) if day else None)
    if page is None and day:
        raise Http404
    days = earlier_days(page.digest) if page else []
    return render(request, "agents/digests.html", {"page": page, "days": days})


def _date_of(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Http404 from None
