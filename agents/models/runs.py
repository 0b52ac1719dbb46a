"""Runs and steps: states, leases, and the claim under which one worker executes a run."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from agents.models.budgets import money
from devices.db import one_at_a_time, redoable
from devices.models import Device, Message
from devices.owner import stop
from thoughts.models import ImportedFile, Page, Preference, Thought, Watch
from thoughts.recurrence import validate_rrule as validate_rrule

LEASE = timedelta(seconds=6)
RENEW_S = 2.0
ATTEMPTS_MAX = 5
# The delay before the second, third, … attempt of an interrupted run. The first repeat starts at once.
BACKOFF_S = (0, 1, 4, 10)
WORKER_SLOTS = 32
BACKGROUND_SLOTS = WORKER_SLOTS // 2


class RunQuerySet(models.QuerySet["Run"]):
    @redoable()
    def claim(self, run_ids: Sequence[uuid.UUID], now: datetime) -> "list[Run]":
        """Claim the queued runs under a lease, background runs only while slots are free.

        Runs that wait together are claimed in one transaction: twenty cost hardly more than one.
        """
        candidates = self.filter(pk__in=run_ids, state=Run.State.QUEUED).due(now)
        due_runs = list(
            candidates.select_for_update(skip_locked=True, of=("self",))
            .select_related("message__device")
            .order_by("created_at")
        )
        background = [run for run in due_runs if run.is_background]
        if background:
            one_at_a_time("background slots")
        left_out = background[0 if stop.is_stopped() else self._background_slots(now) :] if background else []
        runs = [run for run in due_runs if run not in left_out]
        self.filter(pk__in=[run.pk for run in runs], state=Run.State.QUEUED).update(
            state=Run.State.RUNNING, lease_until=now + LEASE, attempt=F("attempt") + 1, started_at=now, updated_at=now
        )
        for run in runs:
            run.take(now)
        if again := [run.pk for run in runs if run.attempt > 1]:
            Step.objects.filter(run__in=again).give_up(now)
        return runs

    def _background_slots(self, now: datetime) -> int:
        background = self.filter(state=Run.State.RUNNING, lease_until__gt=now).exclude(kind__in=Run.FOR_THE_OWNER)
        return max(BACKGROUND_SLOTS - background.count(), 0)

    def due(self, now: datetime) -> "RunQuerySet":
        return self.filter(Q(not_before=None) | Q(not_before__lte=now))

    def waiting_for_model(self) -> "RunQuerySet":
        """Return the runs that wait until a busy model is asked again."""
        return self.filter(state=Run.State.QUEUED, model_waits__gt=0, error_code="").exclude(not_before=None)

    def abandoned(self, now: datetime) -> "RunQuerySet":
        return self.filter(state=Run.State.RUNNING, lease_until__lt=now)


class Run(models.Model):
    """One piece of agent work.

    `attempt` fences it: only the attempt that holds the lease may write a result.
    """

    class Kind(models.TextChoices):
        TURN = "turn", "answering"
        THINKING = "thinking"
        WATCH = "watch", "looking at a watch"
        LEARNING = "learning", "learning what you like"
        IMPORT = "import", "looking through a file of yours"
        HISTORY = "history", "looking through your browsing"
        TASK = "task", "carrying out a task"
        DIGEST = "digest"
        TRIAL = "trial", "trying a skill"
        VAULT = "vault", "keeping pages"
        WORDING = "wording", "finding words"
        HANDS = "hands", "looking around for you"

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        PARKED = "parked", "waiting for your answer"
        DONE = "done"
        DISCARDED = "discarded", "found nothing to keep"
        FAILED = "failed"
        CANCELLED = "cancelled"

    OPEN = (State.QUEUED, State.RUNNING, State.PARKED)
    FOR_THE_OWNER = (Kind.TURN, Kind.WORDING)  # somebody waits for them: background work gives way

    NO_ANSWER = "no_answer"  # the error code of a question that the owner did not answer

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=Kind)
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    turn_id = models.UUIDField(null=True, blank=True)
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.CASCADE, related_name="runs")
    preference = models.ForeignKey(Preference, null=True, blank=True, on_delete=models.SET_NULL)
    thought = models.ForeignKey(Thought, null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    page = models.ForeignKey(
        Page, null=True, blank=True, on_delete=models.SET_NULL, help_text="The page that was shared with the message."
    )
    schedule = models.ForeignKey("Schedule", null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    watch = models.ForeignKey(Watch, null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    imported = models.ForeignKey(ImportedFile, null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    errand = models.ForeignKey("Errand", null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    task = models.TextField(blank=True, help_text="The owner's words that it carries out.")
    answer = models.ForeignKey(
        Message,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="answered_runs",
        help_text="What a task or a digest said.",
    )
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    not_before = models.DateTimeField("next attempt", null=True, blank=True, editable=False)
    model_busy_since = models.DateTimeField(null=True, blank=True, editable=False)
    model_waits = models.PositiveSmallIntegerField(default=0, editable=False)
    partial = models.JSONField(
        default=dict, blank=True, editable=False, help_text="What was written so far, as of the last heartbeat."
    )
    earlier = models.JSONField(
        default=list, blank=True, editable=False, help_text="What was said before in a temporary chat."
    )
    cancel_requested_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=64, blank=True)
    outcome = models.CharField(max_length=500, blank=True, help_text="What came of it, in a sentence.")
    is_extractive = models.BooleanField("without a model", default=False)
    explores = models.BooleanField(
        "exploration", default=False, help_text="Its preference was not the one that had waited longest."
    )
    # Used by all attempts together. `spent_seconds` leaves the current attempt out.
    spent_steps = models.PositiveIntegerField(default=0)
    spent_tokens = models.PositiveIntegerField(default=0)
    spent_pages = models.PositiveIntegerField(default=0)
    spent_seconds = models.FloatField(default=0)
    spent_micros = models.BigIntegerField(
        "money",
        null=True,
        blank=True,
        editable=False,
        help_text="In millionths. Empty where the price table knew none of its models.",
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        indexes = [
            # The tick: runs that are not finished, and runs whose lease expired.
            models.Index(
                fields=["state", "lease_until"],
                name="open_runs",
                condition=Q(state__in=["queued", "running", "parked"]),
            ),
            # The history of a schedule, and its last run in lists.
            models.Index(fields=["schedule", "-created_at"], name="runs_of_schedule"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} {self.created_at:%Y-%m-%d %H:%M}"

    @property
    def is_background(self) -> bool:
        return self.kind not in (*self.FOR_THE_OWNER, self.Kind.HANDS)  # it may last for hours: none gives way to it

    @property
    def asked(self) -> str:
        """What it is about, in the owner's words where there are any."""
        if self.kind == self.Kind.LEARNING:
            return "what you wrote"
        if self.kind == self.Kind.IMPORT:
            return "what you like, by a file of yours"
        if self.kind == self.Kind.VAULT:
            return "a page that you keep" if self.task else "what you kept elsewhere"
        if self.message:
            return self.message.text
        if self.kind == self.Kind.DIGEST:
            return "the digest"
        return self.task or (self.watch.own_name if self.watch else str(self.preference or "something new"))

    @property
    def interrupted_attempts(self) -> int:
        """How many attempts count against ATTEMPTS_MAX: not those that met a busy model."""
        return self.attempt - self.model_waits

    @property
    def waits_for_model(self) -> bool:
        is_later = self.state == self.State.QUEUED and self.not_before is not None
        return is_later and self.model_waits > 0 and not self.error_code

    @property
    def can_start_again(self) -> bool:
        """Whether its model failed it, and the same can be asked for once more."""
        is_repeatable = self.kind in (self.Kind.TASK, self.Kind.THINKING, self.Kind.WATCH)
        return is_repeatable and self.state == self.State.FAILED and self.error_code.startswith("model_")

    @property
    def missed_answer(self) -> bool:
        """Whether it ended while a question of it had no answer."""
        return self.state == self.State.DONE and self.error_code == self.NO_ANSWER

    @property
    def money(self) -> str:
        return money(self.spent_micros)

    @property
    def took(self) -> timedelta:
        return timedelta(
            seconds=self.seconds_spent_until(self.ended_at) if self.started_at and self.ended_at else self.spent_seconds
        )

    def seconds_spent_until(self, moment: datetime) -> float:
        """Return the duration of all attempts, this one up to `moment`. Waiting does not count."""
        assert self.started_at is not None
        return self.spent_seconds + max((moment - self.started_at).total_seconds(), 0)

    def take(self, now: datetime) -> None:
        """Set the fields of the next attempt, held by this process. The caller saves the row."""
        self.state, self.lease_until, self.attempt, self.started_at = (
            self.State.RUNNING,
            now + LEASE,
            self.attempt + 1,
            now,
        )

    def end(
        self, state: State, *, outcome: str = "", error_code: str = "", thought: Thought | None = None, **fields: object
    ) -> bool:
        """Write the result if this attempt still holds the run; return whether it did.

        `fields`: more columns to write with it.
        """
        mine = type(self).objects.filter(pk=self.pk, state=self.State.RUNNING, attempt=self.attempt)
        now = timezone.now()
        count = mine.update(
            state=state,
            outcome=outcome[:500],
            error_code=error_code,
            thought=thought,
            ended_at=now,
            lease_until=None,
            updated_at=now,
            partial={},
            **fields,
        )
        if count:
            self.state, self.outcome, self.error_code, self.ended_at = state, outcome[:500], error_code, now
        return bool(count)


class StepQuerySet(models.QuerySet["Step"]):
    def give_up(self, now: datetime) -> None:
        """Mark started steps of a dead attempt as interrupted: their outcome is unknown."""
        self.filter(state=Step.State.STARTED).update(state=Step.State.UNKNOWN, ended_at=now)


class Step(models.Model):
    """One model request or tool call of a run, stored before it happens and completed after."""

    class Kind(models.TextChoices):
        MODEL = "model", "model request"
        TOOL = "tool", "tool call"

    class State(models.TextChoices):
        STARTED = "started"
        DONE = "done"
        FAILED = "failed"
        UNKNOWN = "unknown", "interrupted"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    kind = models.CharField(max_length=5, choices=Kind)
    zone = models.CharField(max_length=8)
    name = models.CharField(max_length=100, help_text="The model, or the tool.")
    key = models.CharField(
        max_length=64, blank=True, editable=False, help_text="Of a call that acts: the same in each attempt."
    )
    host = models.CharField(
        max_length=255,
        null=True,
        editable=False,
        help_text="Of the model that was asked, empty for none. Steps of earlier versions have no value.",
    )
    origin = models.JSONField("labels", default=list)
    request = models.JSONField(default=dict)
    result = models.JSONField(default=dict)
    state = models.CharField(max_length=8, choices=State, default=State.STARTED)
    error_code = models.CharField(max_length=64, blank=True)
    device = models.ForeignKey(Device, null=True, blank=True, on_delete=models.SET_NULL)
    input_tokens = models.PositiveIntegerField(default=0)
    output_tokens = models.PositiveIntegerField(default=0)
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    prompt_removed_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = StepQuerySet.as_manager()

    class Meta:
        ordering = ["id"]
        indexes = [
            # Retention: steps and prompts past their time.
            models.Index(fields=["started_at"], name="old_steps"),
            models.Index(fields=["started_at"], name="old_prompts", condition=Q(kind="model", prompt_removed_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.zone}: {self.name}"
