"""Grants, the asks that lead to them, and the stop of everything."""

import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

from devices import protocol
from devices.models.devices import Device

_SLACK = timedelta(minutes=1)  # by which a clock may be put right


class GrantQuerySet(models.QuerySet["Grant"]):
    def current(self, now: datetime | None = None) -> "GrantQuerySet":
        """Return what counts now. What is allowed longer than anything is was given on a clock that jumped back."""
        now = now or timezone.now()
        is_short = Q(scope=Grant.Scope.HOUR, expires_at__lte=now + Grant.HOUR + _SLACK)
        is_bounded = is_short | Q(expires_at__lte=now + Grant.LONGEST + _SLACK) & ~Q(scope=Grant.Scope.HOUR)
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now) & (is_bounded | Q(state=Grant.State.BLOCKED)))


class Grant(models.Model):
    """What the owner said about a host and its subdomains, for one capability."""

    class Capability(models.TextChoices):
        READ = "read"
        ACT = "act"
        KEEP = "keep"  # pages, by themselves; no run can ask for it

    class State(models.TextChoices):
        ALLOWED = "allowed"
        BLOCKED = "blocked"

    class Scope(models.TextChoices):
        ONCE = "once"
        RUN = "run", "this run"
        HOUR = "hour", "an hour"
        ALWAYS = "always"

    class Session(models.TextChoices):
        OWNER = "owner", "your signed-in session"
        CLEAN = "clean", "a clean session"

    HOUR, LONGEST = timedelta(hours=1), timedelta(hours=24)  # of what expires

    host = models.CharField(max_length=260, help_text="A host such as example.com; it covers its subdomains.")
    capability = models.CharField(max_length=8, choices=Capability, default=Capability.READ)
    state = models.CharField(max_length=8, choices=State, default=State.ALLOWED)
    scope = models.CharField(max_length=8, choices=Scope, default=Scope.ALWAYS)
    session = models.CharField(max_length=8, choices=Session, default=Session.OWNER)
    run_id = models.UUIDField("only for the run", null=True, blank=True, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField("last used", null=True, blank=True, editable=False)

    objects = GrantQuerySet.as_manager()

    class Meta:
        verbose_name = "site"
        ordering = ["host", "capability"]
        constraints = [
            models.UniqueConstraint("host", "capability", condition=Q(run_id=None), name="one_lasting_grant"),
            models.UniqueConstraint("host", "capability", "run_id", name="one_grant_for_a_run"),
        ]

    def __str__(self) -> str:
        return self.host

    def info(self) -> protocol.GrantInfo:
        return protocol.GrantInfo.model_validate(
            {
                name: getattr(self, name)
                for name in ("host", "capability", "state", "scope", "session", "expires_at", "used_at")
            }
        )


class AskQuerySet(models.QuerySet["Ask"]):
    def open(self) -> "AskQuerySet":
        return self.filter(state=Ask.State.OPEN)

    def of_background(self, now: datetime) -> "AskQuerySet":
        """Return the asks that background work waits for."""
        return self.open().filter(is_background=True, expires_at__gt=now)

    def shown(self, now: datetime) -> "AskQuerySet":
        """Return the asks that devices show now: not expired, not held."""
        return self.filter(prompt_until__gt=now, held_until=None)

    def late(self, now: datetime) -> "AskQuerySet":
        """Return the asks of turns about reading sites that nobody answered, but the owner may still answer."""
        of_sites = Q(kind=Ask.Kind.GRANT, capability=Grant.Capability.READ) | ~Q(hosts=[])
        return self.filter(
            of_sites, state=Ask.State.EXPIRED, is_background=False, expires_at__gt=now - Ask.LATE_FOR
        ).order_by("created_at")

    def of_prompts(self, prompts: Iterable[uuid.UUID]) -> "AskQuerySet":
        prompt_ids = list(prompts)
        return self.filter(Q(pk__in=prompt_ids) | Q(shared_prompt__in=prompt_ids))


class Ask(models.Model):
    """A question to the owner that a run waits for. The first answer wins.

    For a turn, no answer in time means *not now*.
    """

    class Kind(models.TextChoices):
        GRANT = "grant"
        APPROVAL = "approval"
        QUESTION = "question"

    class State(models.TextChoices):
        OPEN = "open"
        ALLOWED = "allowed"
        BLOCKED = "blocked"
        DISMISSED = "dismissed", "not now"
        EXPIRED = "expired", "no answer"

    LATE_FOR = timedelta(days=1)
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.GRANT)
    run_id = models.UUIDField()
    shared_prompt = models.UUIDField(
        null=True, editable=False, help_text="The ask that devices show for this one too; empty: itself."
    )
    is_background = models.BooleanField(default=False)
    host = models.CharField(max_length=260, blank=True)
    hosts = models.JSONField(default=list, editable=False, help_text="Of a question about several sites: these.")
    capability = models.CharField(max_length=8, choices=Grant.Capability, default=Grant.Capability.READ)
    text = models.TextField()
    details = models.JSONField(null=True, editable=False, help_text="What an act on a page would send.")
    options = models.JSONField(default=list, editable=False, help_text="Answers to choose from.")
    answer = models.CharField(max_length=500, blank=True, editable=False, help_text="In the owner's words.")
    act = models.CharField(max_length=64, blank=True, editable=False, help_text="The mark of what an approval allows.")
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    answered_by = models.ForeignKey(Device, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    prompt_until = models.DateTimeField(help_text="Until then devices show it.")
    held_until = models.DateTimeField(
        null=True, editable=False, help_text="Until then no line is told of it: the owner sleeps."
    )
    expires_at = models.DateTimeField()

    objects = AskQuerySet.as_manager()

    class Meta:
        verbose_name = "question"
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                "run_id", "host", "capability", condition=Q(state="open", kind="grant"), name="one_open_ask_for_a_host"
            ),
            models.UniqueConstraint(
                "run_id", "act", condition=Q(state="open") & ~Q(act=""), name="one_open_approval_for_an_act"
            ),
        ]
        indexes = [
            # Finds the asks of a prompt that was answered.
            models.Index(fields=["shared_prompt"], name="open_prompts", condition=Q(state="open")),
            # Finds held asks when quiet hours end.
            models.Index(fields=["held_until"], name="held_questions", condition=Q(held_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def prompt(self) -> uuid.UUID:
        """The id on the devices: runs that ask for the same host share one prompt."""
        return self.shared_prompt or self.id

    @property
    def sites(self) -> list[str]:
        """The hosts that a yes allows."""
        return self.hosts or [self.host]


class Stop(models.Model):
    """The owner stopped everything, until they resume."""

    device_label = models.CharField(max_length=64)
    stopped_at = models.DateTimeField()
    resumed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-stopped_at"]
        indexes = [
            # Every call checks for an active stop.
            models.Index(fields=["stopped_at"], name="standing_stop", condition=Q(resumed_at=None))
        ]

    def __str__(self) -> str:
        return f"{self.stopped_at:%Y-%m-%d %H:%M}, from {self.device_label}"

    @property
    def place(self) -> str:
        """The device, as a sentence names it."""
        return "Penny's page" if self.device_label == Device.WEB_LABEL else self.device_label
