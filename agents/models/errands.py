"""Errands: one thing to do on the pages of one site, worked on step by step, and the pages as the operator saw them."""

import uuid

from django.db import models
from django.db.models import Q

from devices.models import Device, Message

OPEN_OF_A_DEVICE = 3


class ErrandQuerySet(models.QuerySet["Errand"]):
    def open(self) -> "ErrandQuerySet":
        return self.filter(state__in=Errand.OPEN)


class Errand(models.Model):
    """What the owner wants done on one site.

    `number` counts its acts; an act is known by it and happens at most once. `code` says why it ended, or waits.
    """

    class State(models.TextChoices):
        RUNNING = "running"
        WAITING = "waiting", "waiting for you"
        PAUSED = "paused", "you have the page"
        DONE = "done"
        PARTIAL = "partial", "done in part"
        FAILED = "failed"
        CANCELLED = "cancelled", "stopped"

    OPEN = (State.RUNNING, State.WAITING, State.PAUSED)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    message = models.ForeignKey(Message, null=True, blank=True, on_delete=models.SET_NULL, related_name="errands")
    device = models.ForeignKey(Device, null=True, blank=True, on_delete=models.SET_NULL, related_name="errands")
    goal = models.TextField(help_text="In the owner's words.")
    site = models.CharField(max_length=260, help_text="The host, with what is below it.")
    url = models.TextField(blank=True, help_text="Where its tab was last. Secrets of addresses are left out.")
    tab = models.CharField(max_length=64, blank=True, editable=False)
    is_own_tab = models.BooleanField("in a tab of its own", default=False)
    number = models.PositiveIntegerField("acts", default=0)
    state = models.CharField(max_length=9, choices=State, default=State.RUNNING)
    code = models.CharField(max_length=64, blank=True)
    line = models.CharField("now", max_length=160, blank=True, help_text="What Penny does, in plain words.")
    paused_at = models.DateTimeField(null=True, blank=True, editable=False, help_text="Since then you have the page.")
    answers = models.JSONField(default=list, blank=True, help_text="What the owner answered.")
    no_digests = models.JSONField(default=list, blank=True, editable=False, help_text="What the owner said no to.")
    no_controls = models.JSONField(
        default=list, blank=True, editable=False, help_text="Controls of which nothing can be said, refused."
    )
    free_controls = models.JSONField(
        default=list, blank=True, editable=False, help_text="Controls of which nothing can be said, allowed once."
    )
    summary = models.CharField(max_length=600, blank=True, help_text="By the operator: words of the page.")
    evidence = models.JSONField(default=list, blank=True)
    spent_steps = models.PositiveIntegerField("steps", default=0)
    spent_tokens = models.PositiveIntegerField("tokens", default=0)
    spent_seconds = models.FloatField("seconds", default=0)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = ErrandQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                "device",
                "tab",
                condition=Q(state__in=["running", "waiting", "paused"]) & ~Q(tab=""),
                name="one_errand_of_a_tab",
            ),
        ]
        indexes = [models.Index(fields=["ended_at"], name="old_errands")]

    def __str__(self) -> str:
        return f"{self.goal[:60]} on {self.site}"

    @property
    def is_open(self) -> bool:
        return self.state in self.OPEN

    def count_act(self) -> int:
        """Store that one more act is about to leave; return its number."""
        self.number += 1
        Errand.objects.filter(pk=self.pk).update(number=self.number)
        return self.number

    def act_id(self, number: int) -> uuid.UUID:
        return uuid.uuid5(self.id, str(number))


class PageSnapshot(models.Model):
    """A page as an operator saw it, kept once."""

    errand = models.ForeignKey(Errand, on_delete=models.CASCADE, related_name="snapshots")
    sha256 = models.CharField(max_length=64)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint("errand", "sha256", name="one_snapshot_of_a_page")]
        indexes = [models.Index(fields=["created_at"], name="old_snapshots")]

    def __str__(self) -> str:
        return self.text[:60]
