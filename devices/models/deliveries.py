"""Deliveries to external channels (Signal, push, other outlets), and entries from them."""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

from devices.models.host_counts import HostCount

if TYPE_CHECKING:
    from devices.models.devices import Device

SIGNS_KEPT = 50
ASKED_KEPT = 50  # questions to one device that can still be answered
UNREGISTERED, UNTRUSTED = "unregistered", "untrusted"
REFUSALS = (UNREGISTERED, UNTRUSTED, "limited")  # problems that only sending finds
LISTENS = timedelta(seconds=15)
LEASE = timedelta(seconds=90)  # renewed while sending: an expired lease means a killed process


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def open(self) -> "DeliveryQuerySet":
        return self.filter(state=Delivery.State.QUEUED)

    def unsettled(self) -> "DeliveryQuerySet":
        """Return queued and unknown deliveries."""
        return self.filter(state__in=[Delivery.State.QUEUED, Delivery.State.UNKNOWN])

    def unfailed(self) -> "DeliveryQuerySet":
        return self.exclude(state=Delivery.State.FAILED)

    def asking(self, device: "Device", part_id: str) -> "Delivery | None":
        """Return the question with this id on the channel, None if it was no question."""
        questions = self.filter(device=device, prompt__isnull=False).order_by("-id")[:ASKED_KEPT]
        return next((delivery for delivery in questions if part_id in delivery.sent), None)

    def last_asked(self, device: "Device") -> "list[Delivery]":
        """Return the questions at the end of what was sent to a device, newest first."""
        deliveries = self.filter(device=device, state=Delivery.State.ACCEPTED, replaces=None).exclude(sent=[])
        return list(takewhile(lambda delivery: delivery.prompt is not None, deliveries.order_by("-id")[:ASKED_KEPT]))

    def not_held(self, despites: Collection[str]) -> "DeliveryQuerySet":
        """Leave out queued proactive deliveries whose `despite` is one of these.

        One of which a part went out is ended first: nothing else comes between its parts.
        """
        waits = Q(state=Delivery.State.QUEUED, is_proactive=True, despite__in=despites, sent=[])
        return self.exclude(waits) if despites else self

    def note_held(self, despites: Collection[str]) -> None:
        """Reset the attempts of deliveries held while Penny is muted, which may last days."""
        deliveries = (
            self.open().filter(is_proactive=True, despite__in=despites, lease_until=None).exclude(trying_since=None)
        )
        if deliveries.exists():  # an UPDATE waits for other writers even if it changes nothing
            deliveries.update(trying_since=None)

    def in_the_way(self, now: datetime) -> "DeliveryQuerySet":
        """Return the deliveries that hold up the ones behind them."""
        return self.filter(
            Q(state=Delivery.State.QUEUED) | Q(state=Delivery.State.UNKNOWN, tried_at__gt=now - Delivery.PROOF_WAIT)
        )

    def heads(self, now: datetime, despites: Collection[str] = ()) -> "DeliveryQuerySet":
        """Return the oldest sendable delivery of each device, which keeps the order.

        An unknown delivery holds up the next ones for PROOF_WAIT. A held one holds up nothing.
        """
        before = (
            Delivery.objects.unsettled()
            .not_held(despites)
            .filter(device=models.OuterRef("device"), id__lt=models.OuterRef("id"))
        )
        blockers = before.in_the_way(now)
        due = (
            self.unsettled()
            .open()
            .not_held(despites)
            .filter(Q(not_before=None) | Q(not_before__lte=now), lease_until=None)
        )
        return due.filter(~models.Exists(blockers), device__revoked_at=None)


class Delivery(models.Model):
    """A message on its way to one device over an external channel.

    `parts`: the content, composed once. `sent`: the channel's id of each part that it accepted.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        ACCEPTED = "accepted", "accepted by the line"
        FAILED = "failed"
        UNKNOWN = "unknown", "unknown: the line did not say"

    class Despite(models.TextChoices):
        """What a proactive delivery does not wait for."""

        NOTHING = "", "nothing"
        QUIET = "quiet", "quiet hours"
        MUTE = "mute", "quiet hours and being muted"

    # How long an unknown delivery holds up the next ones; a receipt may resolve it meanwhile.
    PROOF_WAIT: ClassVar = timedelta(seconds=30)
    LATEST: ClassVar = timedelta(hours=24)

    device = models.ForeignKey("devices.Device", on_delete=models.CASCADE, related_name="deliveries")
    message = models.ForeignKey("devices.Message", null=True, on_delete=models.CASCADE, related_name="deliveries")
    key = models.CharField(max_length=120, unique=True, help_text="The same for the same thing: it is queued once.")
    reason = models.CharField(max_length=300, help_text="Why it is sent.")
    is_proactive = models.BooleanField(default=False, help_text="Nobody asked for it just now.")
    despite = models.CharField(
        max_length=5, choices=Despite, default=Despite.NOTHING, blank=True, help_text="It goes out in these."
    )
    text = models.TextField(
        blank=True, help_text="What is sent where there is no message: a question, a notice about the line itself."
    )
    prompt = models.UUIDField(null=True, editable=False, help_text="The question that it asks, as devices call it.")
    replaces = models.ForeignKey(
        "self", null=True, editable=False, on_delete=models.SET_NULL, related_name="+", help_text="What it edits."
    )
    withdraws = models.JSONField(
        default=list, editable=False, help_text="What is taken back, by what the line called it."
    )
    marks = models.ForeignKey(
        "self",
        null=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="+",
        help_text="What a sign is put on.",
    )
    sign = models.CharField(
        max_length=8, blank=True, editable=False, help_text="Which one; empty: the one that stands is taken away."
    )
    parts = models.JSONField(null=True, editable=False)
    sent = models.JSONField(default=list, editable=False)
    state = models.CharField(max_length=8, choices=State, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=300, blank=True)
    not_before = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    tried_at = models.DateTimeField(null=True)
    trying_since = models.DateTimeField(
        null=True, editable=False, help_text="Since it was tried, and the owner muted nothing."
    )
    accepted_at = models.DateTimeField(null=True)
    arrived_at = models.DateTimeField(null=True, help_text="When the owner's device said that it is there.")
    read_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        verbose_name = "sent message"
        ordering = ["-id"]
        indexes = [
            # Finds queued and unknown deliveries, oldest first. SQLite ignores an index with a condition on state.
            models.Index(fields=["device", "state", "id"], name="open_deliveries"),
            models.Index(fields=["state", "id"], name="deliveries_by_state"),
            # Finds the question that an emoji or a reply answers.
            models.Index(fields=["device", "id"], name="asking_deliveries", condition=Q(prompt__isnull=False)),
            # Finds the deliveries of a question that is over.
            models.Index(fields=["prompt"], name="questions_over_lines", condition=Q(prompt__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.get_state_display()}"

    def sign_shown(self) -> str:
        """Return the reaction on it once everything queued has gone out; empty for none."""
        return (
            Delivery.objects.unfailed().filter(marks=self).order_by("-id").values_list("sign", flat=True).first() or ""
        )

    def claim(self, now: datetime, parts: list[str] | None = None) -> bool:
        """Claim it for this process, with its parts if known; False if another process did."""
        mine = Delivery.objects.filter(pk=self.pk, state=self.State.QUEUED, lease_until=None)
        self.take(now, parts)
        fields = {
            "attempts": self.attempts,
            "lease_until": self.lease_until,
            "tried_at": now,
            "trying_since": self.trying_since,
        }
        return bool(mine.update(**fields, parts=self.parts))

    def take(self, now: datetime, parts: list[str] | None) -> None:
        """Set the claim on an instance that is not stored yet."""
        self.attempts, self.lease_until, self.tried_at, self.parts = (
            self.attempts + 1,
            now + LEASE,
            now,
            parts or self.parts,
        )
        self.trying_since = self.trying_since or now

    def renew(self, now: datetime) -> bool:
        """Extend the lease; False if another process has claimed it."""
        mine = Delivery.objects.filter(pk=self.pk, state=self.State.QUEUED, attempts=self.attempts)
        return bool(mine.update(lease_until=now + LEASE))

    def waits_behind_others(self, now: datetime) -> bool:
        """Return whether its device has unsent deliveries, held ones too. Call before storing it."""
        return Delivery.objects.in_the_way(now).filter(device=self.device_id).exists()

    def is_late(self, now: datetime) -> bool:
        """Return whether it waited too long for its channel; time held by muting does not count."""
        since = self.trying_since if self.is_proactive else self.created_at
        return since is not None and since < now - self.LATEST

    def went_out(self) -> bool:
        """Return whether it was sent, is being sent, or may have been sent."""
        return bool(self.sent) or self.state != self.State.QUEUED or self.lease_until is not None

    def put_off(self, until: datetime, why: str) -> None:
        self._settle(self.State.QUEUED, not_before=until, error=why[:300])

    def settle(self, state: str, why: str = "", **fields: object) -> None:
        self._settle(state, error=why[:300], **fields)

    def _settle(self, state: str, **fields: object) -> None:
        """Store the outcome, unless another attempt holds the lease."""
        mine = Delivery.objects.filter(pk=self.pk, state=self.State.QUEUED, attempts=self.attempts)
        with transaction.atomic():
            if not mine.update(state=state, lease_until=None, **fields):
                return
            if state in (self.State.ACCEPTED, self.State.UNKNOWN):
                HostCount.objects.add(HostCount.Way.MESSAGE, self.device.service)
        self.state = state


class Interruption(models.Model):
    """A proactive message, and why it was sent. `device`: where it went, if anywhere."""

    message = models.OneToOneField("devices.Message", on_delete=models.CASCADE, related_name="interruption")
    device = models.ForeignKey("devices.Device", null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.reason


class LineEntry(models.Model):
    """One message on a line, identified by author and timestamp. Stored before it is processed.

    `envelope`: the raw frame until it is processed. `message`: its row in the conversation.
    """

    line = models.CharField(max_length=8)
    author = models.CharField(max_length=64)
    timestamp = models.BigIntegerField(help_text="Milliseconds since 1970, as the author's device has it.")
    device = models.ForeignKey("devices.Device", null=True, on_delete=models.CASCADE, related_name="+")
    message = models.ForeignKey("devices.Message", null=True, on_delete=models.SET_NULL, related_name="line_entries")
    edits = models.BigIntegerField(
        null=True, help_text="Of a message that its author changed: the moment of the earlier version."
    )
    envelope = models.JSONField(null=True)
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint("line", "author", "timestamp", name="one_entry_of_a_moment")]
        indexes = [
            # Finds the entries to process, in order.
            models.Index(fields=["line", "id"], name="entries_to_take", condition=Q(envelope__isnull=False)),
            # Finds the edits of a message.
            models.Index(fields=["line", "edits"], name="edits_of_entries", condition=Q(edits__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.line} {self.timestamp}"

    @classmethod
    def versions(cls, line: str, device: "Device", timestamp: int) -> set[int]:
        """Return the timestamps of all versions of a message, given any of them."""
        versions, new = set[int](), {timestamp}
        while new:
            versions |= new
            rows = cls.objects.filter(Q(timestamp__in=new) | Q(edits__in=new), line=line, device=device).values_list(
                "timestamp", "edits"
            )
            new = {at for row in rows for at in row if at is not None} - versions
        return versions


class LineState(models.Model):
    """The state of a line. `problem`: a code, empty if all is well; `said`: its explanation."""

    line = models.CharField(max_length=8, primary_key=True)
    problem = models.CharField(max_length=24, blank=True)
    said = models.CharField(max_length=400, blank=True)
    problem_since = models.DateTimeField(null=True)
    told = models.BooleanField(default=False, help_text="Whether the owner was told of the problem that there is.")
    told_at = models.DateTimeField(null=True)
    version = models.CharField(max_length=32, blank=True)
    account = models.CharField(max_length=64, blank=True, help_text="What Penny is called there.")
    heard_at = models.DateTimeField(null=True, help_text="When anything came in.")
    listening_since = models.DateTimeField(null=True, help_text="Since when nothing can have been missed.")
    checked_at = models.DateTimeField(null=True, help_text="When somebody last looked whether it is alive.")
    accepted_at = models.DateTimeField(null=True, help_text="When the line last took something.")
    refused = models.PositiveIntegerField(default=0, help_text="Messages of strangers, which nobody was told of.")
    unread = models.PositiveIntegerField(default=0, help_text="What came in and was not as the line describes it.")
    reconnects = models.PositiveIntegerField(default=0)
    listener = models.UUIDField(null=True)
    listener_until = models.DateTimeField(null=True)
    receipts = models.JSONField(
        default=list, help_text="Moments that the owner's device has, and nothing that was sent has yet."
    )
    signs = models.JSONField(
        default=list,
        help_text="From when until when each of the newest signs was put or taken: the line names no moment.",
    )

    def __str__(self) -> str:
        return self.problem or "well"

    def note_refusal(self, problem: str, text: str) -> None:
        """Store a problem that sending found; it lasts until something is accepted."""
        since = {} if problem == self.problem else {"problem_since": timezone.now()}
        type(self).objects.filter(pk=self.pk).update(problem=problem, said=text, **since)

    def note_accepted(self, now: datetime) -> None:
        mine = type(self).objects.filter(pk=self.pk)
        mine.update(accepted_at=now)
        mine.filter(problem__in=REFUSALS).update(problem="", said="", problem_since=None)

    @classmethod
    @transaction.atomic
    def note_sign(cls, line: str, start_ms: int, end_ms: int | None) -> None:
        """Record when sending a reaction began, or ended (milliseconds since 1970).

        A reaction is confirmed like a message.
        """
        state = cls.objects.select_for_update().get_or_create(line=line)[0]
        others = [sign for sign in state.signs if sign != [start_ms, None]]
        cls.objects.filter(pk=line).update(signs=[*others, [start_ms, end_ms]][-SIGNS_KEPT:])

    @classmethod
    def of(cls, line: str) -> "LineState":
        return cls.objects.get_or_create(line=line)[0]

    def refuse(self) -> None:
        """Count a message of a stranger."""
        type(self).objects.filter(pk=self.pk).update(refused=models.F("refused") + 1)

    def count_unread(self) -> None:
        type(self).objects.filter(pk=self.pk).update(unread=models.F("unread") + 1)

    def hold(self, listener: uuid.UUID, now: datetime) -> bool:
        """Become or stay the listener; False while another process is."""
        free = Q(listener=listener) | Q(listener_until=None) | Q(listener_until__lt=now)
        mine = type(self).objects.filter(free, pk=self.pk)
        return bool(mine.update(listener=listener, listener_until=now + LISTENS))

    def let_go(self, listener: uuid.UUID) -> None:
        type(self).objects.filter(pk=self.pk, listener=listener).update(listener_until=None)
