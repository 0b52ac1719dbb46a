"""What goes out over a line of somebody else's (Signal, push, other outlets), and what came in over one: rows, so that
nothing is lost.
"""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from itertools import takewhile
from typing import TYPE_CHECKING, ClassVar

from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone

if TYPE_CHECKING:
    from devices.models.devices import Device

SIGNS_KEPT = 50
ASKED_KEPT = 50  # questions to one device that an answer may still come to
UNREGISTERED, UNTRUSTED = "unregistered", "untrusted"
REFUSALS = (UNREGISTERED, UNTRUSTED, "limited")  # what sending alone finds out, of the problems that a line may have
LISTENS = timedelta(seconds=15)
LEASE = timedelta(seconds=90)  # renewed as long as it is being sent: whose lease ran out was killed


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def open(self) -> "DeliveryQuerySet":
        return self.filter(state=Delivery.State.QUEUED)

    def unsettled(self) -> "DeliveryQuerySet":
        """Those that wait, and those that nobody knows the outcome of."""
        return self.filter(state__in=[Delivery.State.QUEUED, Delivery.State.UNKNOWN])

    def unfailed(self) -> "DeliveryQuerySet":
        return self.exclude(state=Delivery.State.FAILED)

    def asking(self, device: "Device", called: str) -> "Delivery | None":
        """Return the question that the line calls so, if it was one."""
        asked = self.filter(device=device, prompt__isnull=False).order_by("-id")[:ASKED_KEPT]
        return next((delivery for delivery in asked if called in delivery.sent), None)

    def last_asked(self, device: "Device") -> "list[Delivery]":
        """Return the questions with which what was sent to a device ends, the newest first."""
        sent = self.filter(device=device, state=Delivery.State.ACCEPTED, replaces=None).exclude(sent=[])
        return list(takewhile(lambda delivery: delivery.prompt is not None, sent.order_by("-id")[:ASKED_KEPT]))

    def not_held(self, held: Collection[str]) -> "DeliveryQuerySet":
        """Leave out what nobody asked for and waits for another time; `held`: what goes out despite no more than
        this.
        """
        waits = Q(state=Delivery.State.QUEUED, is_proactive=True, despite__in=held)
        return self.exclude(waits) if held else self

    def note_held(self, held: Collection[str]) -> None:
        """Note that what waits for the owner to hear her again is not tried meanwhile: that may be days."""
        tried = self.open().filter(is_proactive=True, despite__in=held, lease_until=None).exclude(trying_since=None)
        if tried.exists():  # what writes waits for who else does, also where there is nothing to write
            tried.update(trying_since=None)

    def in_the_way(self, now: datetime) -> "DeliveryQuerySet":
        """Return those that hold up what follows them."""
        return self.filter(
            Q(state=Delivery.State.QUEUED) | Q(state=Delivery.State.UNKNOWN, tried_at__gt=now - Delivery.PROOF_WAIT)
        )

    def heads(self, now: datetime, held: Collection[str] = ()) -> "DeliveryQuerySet":
        """Return what may be sent now: of each device the oldest that waits, so that what is said in order arrives in
        order.

        One whose outcome is not known holds up what follows for a while: its proof may still come. What is held holds
        up nothing.
        """
        before = (
            Delivery.objects.unsettled()
            .not_held(held)
            .filter(device=models.OuterRef("device"), id__lt=models.OuterRef("id"))
        )
        blocked = before.in_the_way(now)
        due = (
            self.unsettled().open().not_held(held).filter(Q(not_before=None) | Q(not_before__lte=now), lease_until=None)
        )
        return due.filter(~models.Exists(blocked), device__revoked_at=None)


class Delivery(models.Model):
    """A message on its way to one device over a line of somebody else's. The states are what is known, and no more.

    `parts`: what is sent, one after the other, composed once; `sent`: what the line called each part that it took.
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        ACCEPTED = "accepted", "accepted by the line"
        FAILED = "failed"
        UNKNOWN = "unknown", "unknown: the line did not say"

    class Despite(models.TextChoices):
        """What something that nobody asked for just now does not wait for the end of."""

        NOTHING = "", "nothing"
        QUIET = "quiet", "quiet hours"
        MUTE = "mute", "quiet hours and being muted"

    # For so long what follows waits for a proof that an unknown one arrived, or that it did not.
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
        ordering = ["-id"]
        verbose_name_plural = "deliveries"
        indexes = [
            # What waits, and what nobody knows the outcome of, oldest first. SQLite would use none with a condition on
            # the state.
            models.Index(fields=["device", "state", "id"], name="open_deliveries"),
            models.Index(fields=["state", "id"], name="deliveries_by_state"),
            # An emoji or a reply over the line answers the question that a message there asked.
            models.Index(fields=["device", "id"], name="asking_deliveries", condition=Q(prompt__isnull=False)),
            # A question is over, wherever it was asked.
            models.Index(fields=["prompt"], name="questions_over_lines", condition=Q(prompt__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.reason}: {self.get_state_display()}"

    def sign_shown(self) -> str:
        """Return the sign that stands on it, or will when all that is queued went out; empty for none."""
        return (
            Delivery.objects.unfailed().filter(marks=self).order_by("-id").values_list("sign", flat=True).first() or ""
        )

    def claim(self, now: datetime, parts: list[str] | None = None) -> bool:
        """Take it, with its parts where these are known now, so that no other process sends it; False where another one
        did.
        """
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
        """Have it be in the hands of this process, before it is stored."""
        self.attempts, self.lease_until, self.tried_at, self.parts = (
            self.attempts + 1,
            now + LEASE,
            now,
            parts or self.parts,
        )
        self.trying_since = self.trying_since or now

    def renew(self, now: datetime) -> bool:
        """Go on having it for sending; False where it was taken from who has it."""
        mine = Delivery.objects.filter(pk=self.pk, state=self.State.QUEUED, attempts=self.attempts)
        return bool(mine.update(lease_until=now + LEASE))

    def waits_behind_others(self, now: datetime) -> bool:
        """Whether something is queued for its device already, though it may only be held. Asked before it is stored."""
        return Delivery.objects.in_the_way(now).filter(device=self.device_id).exists()

    def is_late(self, now: datetime) -> bool:
        """Whether it has waited for its line for too long. The time in which it was held, by being muted, does not
        count.
        """
        since = self.trying_since if self.is_proactive else self.created_at
        return since is not None and since < now - self.LATEST

    def went_out(self) -> bool:
        """Whether it was sent, is being sent just now, or may have been."""
        return bool(self.sent) or self.state != self.State.QUEUED or self.lease_until is not None

    def put_off(self, until: datetime, why: str) -> None:
        self._settle(self.State.QUEUED, not_before=until, error=why[:300])

    def settle(self, state: str, why: str = "", **fields: object) -> None:
        self._settle(state, error=why[:300], **fields)

    def _settle(self, state: str, **fields: object) -> None:
        """Only who holds the lease writes what came of it."""
        mine = Delivery.objects.filter(pk=self.pk, state=self.State.QUEUED, attempts=self.attempts)
        if mine.update(state=state, lease_until=None, **fields):
            self.state = state


class Interruption(models.Model):
    """The owner was told of something that they had not asked for, and why. `device`: the one that it was sent to,
    where there was one.
    """

    message = models.OneToOneField("devices.Message", on_delete=models.CASCADE, related_name="interruption")
    device = models.ForeignKey("devices.Device", null=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=300)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.reason


class LineEntry(models.Model):
    """One thing that was said over a line, by who said it and when: nothing else names it there. Stored before anything
    is done with it.

    `envelope`: as it came, until it is taken; `message`: what it is in the conversation.
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
            # What came and was not taken yet, in its order.
            models.Index(fields=["line", "id"], name="entries_to_take", condition=Q(envelope__isnull=False)),
            # What a message was changed to.
            models.Index(fields=["line", "edits"], name="edits_of_entries", condition=Q(edits__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.line} {self.timestamp}"

    @classmethod
    def versions(cls, line: str, device: "Device", timestamp: int) -> set[int]:
        """Return the moments of all versions of a message, whichever of them is named."""
        found, new = set[int](), {timestamp}
        while new:
            found |= new
            rows = cls.objects.filter(Q(timestamp__in=new) | Q(edits__in=new), line=line, device=device).values_list(
                "timestamp", "edits"
            )
            new = {at for row in rows for at in row if at is not None} - found
        return found


class LineState(models.Model):
    """How a line stands. `problem`: a code, empty where all is well; `said`: what that means and what to do."""

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

    def note_refusal(self, problem: str, said: str) -> None:
        """Note what sending found out; it stands until something is accepted."""
        since = {} if problem == self.problem else {"problem_since": timezone.now()}
        type(self).objects.filter(pk=self.pk).update(problem=problem, said=said, **since)

    def note_accepted(self, now: datetime) -> None:
        mine = type(self).objects.filter(pk=self.pk)
        mine.update(accepted_at=now)
        mine.filter(problem__in=REFUSALS).update(problem="", said="", problem_since=None)

    @classmethod
    @transaction.atomic
    def note_sign(cls, line: str, begun: int, ended: int | None) -> None:
        """Note when a sign began to be put or taken, or when that was over, in milliseconds since 1970. It is confirmed
        as a message is.
        """
        state = cls.objects.select_for_update().get_or_create(line=line)[0]
        others = [sign for sign in state.signs if sign != [begun, None]]
        cls.objects.filter(pk=line).update(signs=[*others, [begun, ended]][-SIGNS_KEPT:])

    @classmethod
    def of(cls, line: str) -> "LineState":
        return cls.objects.get_or_create(line=line)[0]

    def refuse(self) -> None:
        """Count what a stranger sent."""
        type(self).objects.filter(pk=self.pk).update(refused=models.F("refused") + 1)

    def count_unread(self) -> None:
        type(self).objects.filter(pk=self.pk).update(unread=models.F("unread") + 1)

    def hold(self, listener: uuid.UUID, now: datetime) -> bool:
        """Be the one who listens, or go on being it; False while another process is."""
        free = Q(listener=listener) | Q(listener_until=None) | Q(listener_until__lt=now)
        mine = type(self).objects.filter(free, pk=self.pk)
        return bool(mine.update(listener=listener, listener_until=now + LISTENS))

    def let_go(self, listener: uuid.UUID) -> None:
        type(self).objects.filter(pk=self.pk, listener=listener).update(listener_until=None)
