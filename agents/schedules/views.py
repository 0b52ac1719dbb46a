"""Pages of schedules, their history, the questions of background work, and digests."""

from datetime import datetime

from constance import config
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count, Min, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.models import Run, Schedule, validate_rrule
from agents.runs import day_budget
from agents.schedules import start
from agents.schedules.forms import ScheduleForm
from agents.schedules.overview import history, last_digests, scheduled_rows
from devices.disk import DiskFull
from devices.owner import clock
from penny_site.requests import OwnerRequest
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
    return Run.objects.filter(Q(message=None) | Q(message__owner=request.user))


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
    context = {
        "form": form,
        "schedule": current,
        "times": _times(form, timezone.now()),
        "runs": history(current) if current else [],
    }
    return render(request, "agents/schedule.html", context)


@require_safe
def schedule_times(request: OwnerRequest) -> HttpResponse:
    """Answer htmx with the next start times of a form as it stands.

    The task is not sent, because addresses are logged.
    """
    form = ScheduleForm(request.GET)
    return render(request, "agents/_times.html", {"form": form, "times": _times(form, timezone.now())})


def _times(form: ScheduleForm, now: datetime) -> list[datetime]:
    if form.is_bound:
        rule, in_quiet_hours = form.entered_rule(), "in_quiet_hours" in form.data
    else:
        rule, in_quiet_hours = (
            form.instance.rrule if form.instance.pk else form.first_rule,
            form.instance.in_quiet_hours,
        )
    try:
        validate_rrule(rule)
    except ValidationError:
        return []
    return start.next_times(Schedule(rrule=rule, in_quiet_hours=in_quiet_hours), now)


@require_POST
def schedule_run(request: OwnerRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Schedule.objects.kept(), pk=pk)
    try:
        run = start.run_now(row)
    except DiskFull as error:
        messages.error(request, str(error))
        return redirect("schedules")
    messages.success(request, run.outcome or f"“{row}” has started. What comes of it is in its history.")
    return redirect("schedule" if run.state in Run.OPEN else "schedules", *([pk] if run.state in Run.OPEN else []))


@require_safe
def digests(request: OwnerRequest) -> HttpResponse:
    return render(request, "agents/digests.html", {"digests": last_digests()})
