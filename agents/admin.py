"""The admin of schedules, runs, days, prices and digests."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce, NullIf
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from agents.memory import admin as memory  # noqa: F401  its classes are of this app too
from agents.models import MICROS, Day, Digest, Price, Run, Schedule, Step, money
from agents.runs.day_budget import unpriced
from agents.schedules.forms import ScheduleForm
from agents.schedules.rule_words import Repeat
from agents.schedules.start import starts_at
from agents.skills import admin as skills  # noqa: F401  its classes are of this app too
from devices.owner import clock
from penny_site.admin_pages.lists import Button, ListAdmin
from penny_site.admin_pages.read_only import ReadOnlyAdmin, ReadOnlyInline, fold_json, join_labels

COUNTED = timedelta(days=30)  # the runs that the list of runs sums up


@admin.register(Schedule)
class ScheduleAdmin(ListAdmin):
    """What runs by itself, with the form and the buttons of the site's page."""

    title = "What Penny does by herself"
    add_label = "Add a routine"
    is_undoable = True
    form = ScheduleForm
    list_display = ["name", "repeats", "next_time", "last_run_at", "last_outcome"]
    list_filter = ["kind", "enabled", "in_quiet_hours"]
    search_fields = ["name", "task", "preference__text"]
    fields = (*ScheduleForm.Meta.fields,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Schedule]:
        last = Run.objects.filter(schedule=OuterRef("pk")).order_by("-created_at")
        outcome = Subquery(last.annotate(said=Coalesce(NullIf("outcome", Value("")), "state")).values("said")[:1])
        rows: QuerySet[Schedule] = super().get_queryset(request)
        return rows.filter(deleted_at=None).annotate(outcome=outcome)

    def view_on_site(self, schedule: Schedule) -> str:
        return reverse("schedule", args=[schedule.pk])

    def buttons(self, row: Schedule) -> list[Button]:
        pause = ("Pause", "schedule_pause") if row.enabled else ("Resume", "schedule_resume")
        actions = (("Run now", "schedule_run"), pause, ("Delete", "schedule_delete"))
        return [Button(label, reverse(page, args=[row.pk])) for label, page in actions]

    @admin.display(description="repeats", ordering="rrule")
    def repeats(self, schedule: Schedule) -> str:
        return str(Repeat.of(schedule.rrule)) or "once"

    @admin.display(description="next", ordering="next_run_at")
    def next_time(self, schedule: Schedule) -> str:
        now = timezone.now()
        at = starts_at(schedule, now) if schedule.enabled else None
        return clock.time_in_words(at, now) if at else "over" if schedule.enabled else "paused"

    @admin.display(description="result", empty_value="not run yet")
    def last_outcome(self, schedule: Schedule) -> str | None:
        return getattr(schedule, "outcome", None)

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        return {"kind": Schedule.Kind.THINKING}

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Schedule:
        schedule: Schedule = form.save()
        return schedule

    def save_model(self, request: HttpRequest, obj: Schedule, form: Any, change: bool) -> None:
        """Do nothing: the form has saved the row."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: nothing hangs on the form."""

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        form: ScheduleForm = context["adminform"].form
        context |= {"form": form, "schedule": kwargs.get("obj"), "times": form.next_times(timezone.now())}
        return super().render_change_form(request, context, **kwargs)


class StepInline(ReadOnlyInline):
    model = Step
    fields = [
        "started_at",
        "kind",
        "zone",
        "name",
        "state",
        "error_code",
        "from_where",
        "took",
        "tokens",
        "asked",
        "answered",
    ]

    @admin.display(description="labels")
    def from_where(self, step: Step) -> str:
        return join_labels(step.origin)

    @admin.display(description="took")
    def took(self, step: Step) -> str:
        return f"{(step.ended_at - step.started_at).total_seconds():.1f} s" if step.ended_at else "-"

    @admin.display(description="tokens in, out")
    def tokens(self, step: Step) -> str:
        return f"{step.input_tokens}, {step.output_tokens}"

    @admin.display(description="request")
    def asked(self, step: Step) -> str | SafeString:
        return fold_json(step.request)

    @admin.display(description="result")
    def answered(self, step: Step) -> str | SafeString:
        return fold_json(step.result)


def _thinking_in_numbers() -> str:
    recent_runs = Run.objects.filter(kind=Run.Kind.THINKING, created_at__gte=timezone.now() - COUNTED)
    sums = recent_runs.aggregate(
        runs=Count("pk"),
        thoughts=Count("pk", filter=Q(state=Run.State.DONE)),
        tokens=Sum("spent_tokens", default=0),
        micros=Sum("spent_micros"),
    )
    price = f" and {money(sums['micros'])} of money" if sums["micros"] is not None else ""
    return (
        f"Thinking in the last {COUNTED.days} days: {sums['thoughts']:,} find{pluralize(sums['thoughts'])} "
        f"from {sums['runs']:,} run{pluralize(sums['runs'])}, "
        f"for {sums['tokens']:,} tokens{price}"
    )


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    title = "What Penny did, run by run"
    list_display = [
        "created_at",
        "kind",
        "state",
        "about",
        "outcome",
        "spent_tokens",
        "money",
        "spent_pages",
        "is_extractive",
        "took",
    ]
    list_filter = ["kind", "state", "schedule", "explores", "is_extractive"]
    search_fields = ["outcome", "error_code", "message__text", "preference__text", "task"]
    date_hierarchy = "created_at"
    list_select_related = ["message", "preference", "watch"]
    fields = [
        "kind", "state", "outcome", "message", "task", "answer", "preference", "watch", "thought",
        "schedule",
        "is_extractive", "explores", "attempt", "spent_steps", "spent_tokens", "money", "spent_pages", "created_at",
        "started_at",
        "ended_at",
    ]  # fmt: skip
    inlines = [StepInline]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, (extra_context or {}) | {"subtitle": _thinking_in_numbers()})

    def view_on_site(self, run: Run) -> str:
        return reverse("run", args=[run.pk])

    @admin.display(description="about")
    def about(self, run: Run) -> str:
        watched = run.watch.own_name if run.watch else str(run.preference or "-")
        return (run.message.text if run.message else run.task or watched)[:60]

    @admin.display(description="money, by the price table", ordering="spent_micros")
    def money(self, run: Run) -> str:
        return run.money or "-"

    @admin.display(description="took")
    def took(self, run: Run) -> str:
        return f"{run.took.total_seconds():.1f} s" if run.ended_at and run.started_at else "-"


@admin.register(Day)
class DayAdmin(ReadOnlyAdmin):
    title = "What background work used each day"
    list_display = ["day", "tokens", "money", "pages", "minutes", "interruptions"]
    date_hierarchy = "day"
    fields = ["day", "tokens", "money", "pages", "minutes", "interruptions"]

    @admin.display(description="money, by the price table", ordering="micros")
    def money(self, day: Day) -> str:
        return f"{day.micros / MICROS:,.2f}"

    @admin.display(description="minutes", ordering="seconds")
    def minutes(self, day: Day) -> str:
        return f"{day.seconds / 60:,.1f}"


@admin.register(Price)
class PriceAdmin(ListAdmin):
    title = "What your models cost"
    add_label = "Add a price"
    list_display = ["model", "input_per_million", "output_per_million"]
    search_fields = ["model"]

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, str | list[str]]:
        return {"model": next(iter(unpriced()), "")}


@admin.register(Digest)
class DigestAdmin(ReadOnlyAdmin):
    title = "Digests Penny sent you"
    list_display = ["day", "sent_at", "listed"]
    date_hierarchy = "day"
    search_fields = ["thoughts__title"]
    fields = ["day", "sent_at", "message", "thoughts"]

    @admin.display(description="thoughts")
    def listed(self, digest: Digest) -> int:
        return digest.thoughts.count()
