from datetime import datetime
from typing import cast, get_args
from uuid import UUID

from constance import config
from django.contrib import messages
from django.core.exceptions import BadRequest, ValidationError
from django.db.models import Count, Min, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.models import Run, Schedule, validate_rrule
from agents.runs import day_budget
from agents.schedules import start
from agents.schedules.forms import ScheduleForm
from agents.schedules.overview import digests_shown, history, scheduled, waiting
from devices.access.handshake import web_device
from devices.disk import DiskFull
from devices.grants import ask_texts, asks
from devices.models import Grant
from devices.owner import clock
from penny_site.requests import OwnerRequest, done
from thoughts.models import Watch

ANSWERED = {"allow": "Allowed", "block": "Blocked", "deny": "Denied", "dismiss": "Not now"}


def mine(request: OwnerRequest) -> QuerySet[Run]:
    return Run.objects.filter(Q(message=None) | Q(message__owner=request.user))


@require_safe
def all_schedules(request: OwnerRequest) -> HttpResponse:
    now = timezone.now()
    context = {"rows": scheduled(now), "now": now, "quiet_until": clock.quiet_until(now), "waiting": waiting(now)}
    context["watched"] = Watch.objects.active().aggregate(count=Count("pk"), next_at=Min("next_check_at"))
    return render(
        request, "agents/schedules.html", context | {"unpriced": day_budget.unpriced() if config.DAY_MONEY_MAX else []}
    )


def schedule(request: OwnerRequest, pk: int) -> HttpResponse:
    """Show a schedule with its history, and change it."""
    found = get_object_or_404(Schedule.objects.kept(), pk=pk)
    return _form(request, ScheduleForm(request.POST or None, instance=found), found)


def new_schedule(request: OwnerRequest) -> HttpResponse:
    return _form(
        request,
        ScheduleForm(request.POST or None, initial={"kind": request.GET.get("kind") or Schedule.Kind.TASK}),
        None,
    )


def _form(request: OwnerRequest, form: ScheduleForm, found: Schedule | None) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        saved = form.save()
        messages.success(request, f"“{saved}” is {'kept' if found else 'added'}.")
        return redirect("schedules")
    shown = (
        Schedule.objects.get(pk=found.pk) if found else None
    )  # as it is kept: an invalid form has changed the other one
    context = {
        "form": form,
        "schedule": shown,
        "times": _times(form, timezone.now()),
        "runs": history(shown) if shown else [],
    }
    return render(request, "agents/schedule.html", context)


@require_safe
def schedule_times(request: OwnerRequest) -> HttpResponse:
    """Answer htmx with when a schedule would start next, as its form stands. What it would do is not sent: addresses
    are logged.
    """
    form = ScheduleForm(request.GET)
    return render(request, "agents/_times.html", {"form": form, "times": _times(form, timezone.now())})


def _times(form: ScheduleForm, now: datetime) -> list[datetime]:
    """Return the next times by what the form says; none where it says nothing that can be counted."""
    if form.is_bound:
        rule, in_quiet_hours = form.rule_said(), "in_quiet_hours" in form.data
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
    found = get_object_or_404(Schedule.objects.kept(), pk=pk)
    try:
        started = start.run_now(found)
    except DiskFull as error:
        messages.error(request, str(error))
        return redirect("schedules")
    messages.success(request, started.outcome or f"“{found}” has started. What comes of it is in its history.")
    return redirect(
        "schedule" if started.state in Run.OPEN else "schedules", *([pk] if started.state in Run.OPEN else [])
    )


@require_POST
def schedule_pause(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Schedule.objects.kept(), pk=pk)
    start.set_enabled(found, False)
    return done(request, f"“{found}” is paused.", reverse("schedule_resume", args=[pk]), home="schedules")


@require_POST
def schedule_resume(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Schedule.objects.kept(), pk=pk)
    start.set_enabled(found, True)
    return done(request, f"“{found}” is on again.", reverse("schedule_pause", args=[pk]), home="schedules")


@require_POST
def schedule_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Schedule.objects.kept(), pk=pk)
    found.set_deleted(timezone.now())
    return done(request, f"“{found}” is deleted.", reverse("schedule_restore", args=[pk]), home="schedules")


@require_POST
def schedule_restore(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Schedule, pk=pk)
    found.set_deleted(None)
    return done(request, f"“{found}” is back.", reverse("schedule_delete", args=[pk]), home="schedules")


@require_POST
def ask_answer(request: OwnerRequest, prompt: UUID) -> HttpResponse:
    """Answer a question that background work waits with, for as long as that waits."""
    decision, _, scope = request.POST.get("decision", "").partition("-")
    if decision not in get_args(ask_texts.Decision) or scope not in ("", *Grant.Scope.values):
        raise BadRequest("That is no answer.")
    try:
        answered = asks.answer(prompt, cast(ask_texts.Decision, decision), web_device(), scope=scope or None)
        messages.success(request, f"{ANSWERED[decision]} {answered.host}".strip() + ".")
    except asks.AskOver as over:
        messages.error(request, str(over))
    return redirect("schedules")


@require_safe
def digests(request: OwnerRequest) -> HttpResponse:
    return render(request, "agents/digests.html", {"digests": digests_shown()})
