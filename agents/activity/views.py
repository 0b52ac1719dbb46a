import hashlib
from datetime import date
from typing import cast, get_args
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import Case, OuterRef, QuerySet, Subquery, When
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.activity.sunday import receipt_of_week, waiting_week
from agents.models import Errand, Run
from agents.runs import busy_model, stop
from agents.schedules.overview import waiting_questions
from agents.schedules.start import start_task_again
from agents.schedules.views import mine
from agents.thinking.start import start_thinking
from agents.turns import late_asks
from agents.watches.start import start_visit
from devices.access.handshake import web_device
from devices.disk import DiskFull
from devices.grants import ask_texts, asks
from devices.grants.engines import known_name
from devices.grants.views import LASTING, decision_now
from devices.models import Ask, Delivery, Grant
from devices.owner import machine_clock
from devices.owner import stop as owner_stop
from devices.record import week as weeks
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, here_or_feed
from thoughts.models import Watch

RUNS_SHOWN, SENT_SHOWN, LAST_SHOWN, ERRANDS_SHOWN = 50, 50, 15, 6
ANSWERS = {"allow": "Allowed", "block": "Blocked", "deny": "Denied", "dismiss": "Not now"}


@require_safe
def now_page(request: OwnerRequest) -> HttpResponse:
    """Show what waits, runs and happened last. The page polls with its `mark`; 204 means no change."""
    now = timezone.now()
    running = list(_with_names(mine(request).filter(state__in=[Run.State.QUEUED, Run.State.RUNNING])))
    last = list(_with_names(mine(request).exclude(state__in=Run.OPEN))[:LAST_SHOWN])
    errands = list(_errands(mine(request))[:ERRANDS_SHOWN])
    late = late_asks.late_questions(request.user, now)
    waiting, standing, week = waiting_questions(now), owner_stop.active_stop(), waiting_week(now)
    parts = (
        [f"{run.pk}{run.state}{run.not_before}" for run in (*running, *last[:1])]
        + [f"{row.ask.pk}" for row in waiting]
        + [f"{row.ask.pk}" for row in late]
    )
    parts += [f"{errand.pk}{errand.state}{errand.line}" for errand in errands]
    doubt = machine_clock.describe_doubt(now)
    mark = hashlib.sha256(f"{parts}{standing}{week}{bool(doubt)}".encode()).hexdigest()[:16]
    if request.htmx and request.GET.get("mark") == mark:
        return HttpResponse(status=204)
    context = {
        "waiting": waiting,
        "late": late,
        "running": running,
        "errands": errands,
        "last": last,
        "stop": standing,
        "clock_doubt": doubt,
        "clock_advice": machine_clock.ADVICE,
        "receipt": receipt_of_week(week) if week else None,
        "mark": mark,
    }
    return render(request, "agents/activity/_now.html" if request.htmx else "agents/activity/now.html", context)


@require_safe
def all_runs(request: OwnerRequest) -> HttpResponse:
    page = Paginator(_with_names(mine(request)), RUNS_SHOWN).get_page(request.GET.get("page"))
    return render(request, "agents/activity/runs.html", {"page": page})


@require_safe
def sent_messages(request: OwnerRequest) -> HttpResponse:
    rows = Delivery.objects.select_related("device", "message").filter(withdraws=[], marks=None)
    rows = rows.filter(message__deleted_at=None).order_by("-id")
    page = Paginator(rows, SENT_SHOWN).get_page(request.GET.get("page"))
    return render(request, "agents/activity/sent.html", {"page": page})


def _errands(runs: QuerySet[Run]) -> QuerySet[Errand]:
    """Return what Penny did on pages, the open ones first, each with its last run."""
    last = runs.filter(errand=OuterRef("pk")).order_by("-created_at").values("pk")[:1]
    is_over = Case(When(state__in=Errand.OPEN, then=0), default=1)
    return Errand.objects.annotate(run=Subquery(last)).exclude(run=None).order_by(is_over, "-created_at")


def _with_names(runs: QuerySet[Run]) -> QuerySet[Run]:
    return runs.select_related("message", "preference", "watch", "schedule").order_by("-created_at")


@require_POST
def put_receipt_away(request: OwnerRequest, week: str) -> HttpResponse:
    weeks.put_away(_week(week))
    messages.success(request, "The receipt is put away.", extra_tags=reverse("receipt_back", args=[week]))
    return redirect("activity")


@require_POST
def put_receipt_back(request: OwnerRequest, week: str) -> HttpResponse:
    weeks.put_back(_week(week))
    return redirect("activity")


def _week(text: str) -> date:
    week = weeks.read_week(text)
    if week is None:
        raise Http404
    return week


@require_POST
def stop_run(request: OwnerRequest, pk: UUID) -> HttpResponse:
    run = get_object_or_404(mine(request), pk=pk)
    with transaction.atomic():
        count = stop.end_runs(Run.objects.filter(pk=run.pk), timezone.now())
    messages.success(request, "Stopped." if count else "It was over already.")
    return redirect("activity")


@require_POST
def try_run_now(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Ask a busy model for a run before its time."""
    run = get_object_or_404(mine(request), pk=pk)
    messages.success(request, "Trying it now." if busy_model.try_now(run) else "It does not wait any more.")
    return redirect("activity")


@require_POST
def start_run_again(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Start what a run was for once more, after its model failed it."""
    run = get_object_or_404(mine(request), pk=pk)
    try:
        is_started = run.can_start_again and _start_again(run) is not None
        messages.success(request, "Trying it again." if is_started else "It runs already, or is no more.")
    except DiskFull as error:
        messages.error(request, str(error))
    return redirect("activity")


def _start_again(run: Run) -> Run | None:
    """Return the new run; None where the same is under way or its watch is gone. Raises DiskFull."""
    if run.kind == Run.Kind.TASK:
        return start_task_again(run)
    if run.kind == Run.Kind.THINKING:
        return start_thinking(run.preference, schedule=run.schedule)
    watch = Watch.objects.kept().filter(pk=run.watch_id).first() if run.watch_id else None
    return start_visit(watch) if watch else None


@require_POST
def stop_all(request: OwnerRequest) -> HttpResponse:
    with transaction.atomic():
        count = stop.stop_all(web_device().label, timezone.now())
    ended = f"{count} run{'' if count == 1 else 's'} ended." if count else "Nothing was running."
    messages.success(request, f"Everything is stopped. {ended}")
    return redirect("activity")


@require_POST
def resume_all(request: OwnerRequest) -> HttpResponse:
    owner_stop.resume_everything(timezone.now())
    messages.success(request, "Penny goes on. What was stopped does not come back: ask again for it.")
    return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else "activity")


@require_POST
def answer_question(request: OwnerRequest, prompt: UUID) -> HttpResponse:
    """Take an answer such as `allow-always-clean`: the decision, for how long, and with which logins."""
    decision, scope, session = (*request.POST.get("decision", "").split("-", 2), "", "")[:3]
    is_known = scope in ("", *Grant.Scope.values) and session in ("", *Grant.Session.values)
    if decision not in get_args(ask_texts.Decision) or not is_known:
        raise BadRequest("That is no answer.")
    try:
        question = Ask.objects.of_prompts([prompt]).first()
        undo_at = decision_now(question.host, question.capability) if question and scope in LASTING else ""
        ask = asks.answer_ask(
            prompt, cast(ask_texts.Decision, decision), web_device(), scope=scope or None, session=session or None
        )
        words = ": ".join(filter(None, [ANSWERS[decision], known_name(ask.host)])) + "."
        messages.success(request, words, extra_tags=undo_at)
    except asks.AskOver as over:
        messages.error(request, str(over))
    return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else "activity")


@require_POST
def answer_late_question(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Answer a question of a turn that nobody answered in time. Yes asks the message again, in its conversation."""
    decision, device = request.POST.get("decision"), web_device()
    if decision not in ("allow", "dismiss"):
        raise BadRequest("That is no answer.")
    try:
        if decision == "allow":
            late_asks.allow_late(request.user, device, pk, uuid4())
            messages.success(request, "Allowed. Penny answers your message again, where you asked.")
        else:
            late_asks.decline_late(request.user, device, pk)
            messages.success(request, "Not now.")
    except (asks.AskOver, HostInvalid, DiskFull) as refused:
        messages.error(request, str(refused))
    return redirect("activity")
