"""Devices, and the codes that pair them."""

import uuid
from datetime import datetime, timedelta

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from devices import protocol

STALE_AFTER = timedelta(seconds=45)
HISTORY_TOOL = "get_history"


class DeviceQuerySet(models.QuerySet["Device"]):
    def active(self) -> "DeviceQuerySet":
        return self.filter(revoked_at=None)

    def waiting(self) -> "DeviceQuerySet":
        """Return the devices that wait since a restore."""
        return self.filter(waits=True)

    def paired(self) -> "DeviceQuerySet":
        return self.active().filter(kind__in=Device.PAIRED)

    def connected(self, now: datetime | None = None) -> "DeviceQuerySet":
        return self.active().filter(connection__isnull=False, seen_at__gte=(now or timezone.now()) - STALE_AFTER)

    def capable(self, tool: str) -> list["Device"]:
        """Return the connected devices that can run a browser tool, last used first."""
        rows = self.connected().filter(tool_use=True).order_by(F("used_at").desc(nulls_last=True), "-seen_at")
        return [device for device in rows if tool in device.runnable]

    def runnable_tools(self) -> set[str]:
        return {
            name
            for device in self.connected().filter(tool_use=True).only("tools", "shares_history")
            for name in device.runnable
        }


def idlest(devices: list["Device"], idle: timedelta, now: datetime) -> "Device":
    """Return the device for background work: unused for `idle`, and connected the longest.

    `devices`: not empty, last used first. If all are in use, the last one.
    """
    resting = [device for device in devices if device.used_at is None or now - device.used_at > idle]
    return min(resting, key=lambda device: device.on_since or now) if resting else devices[-1]


class Device(models.Model):
    """A connection point of the owner's: a browser, a program, the web page, or an outlet."""

    class Kind(models.TextChoices):
        BROWSER = "browser"
        API = "api", "program"
        WEB = "web", "web page"
        SIGNAL = "signal", "Signal number"
        PUSH = "push", "notifications of a browser"
        APPRISE = "apprise", "another outlet"

    PAIRED = (Kind.BROWSER, Kind.API)

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    label = models.CharField(max_length=64)
    kind = models.CharField(max_length=8, choices=Kind)
    public_key = models.BinaryField(blank=True, help_text="P-256, SPKI DER.")
    origin = models.CharField(max_length=300, blank=True, help_text="The Origin header that was pinned at pairing.")
    client = models.CharField(max_length=200, blank=True)
    address = models.TextField(
        blank=True, editable=False, help_text="Where a line of somebody else's finds it: a number or an address."
    )
    secrets = models.JSONField(
        default=dict, blank=True, editable=False, help_text="What only the line may know besides."
    )
    tools = models.JSONField(default=list)
    tool_use = models.BooleanField("may run tools", default=True)
    shares_history = models.BooleanField("shares its history", default=False, editable=False)
    connection = models.CharField(max_length=64, null=True, editable=False)
    created_at = models.DateTimeField("paired", auto_now_add=True)
    seen_at = models.DateTimeField("last seen", null=True, editable=False)
    on_since = models.DateTimeField("on since", null=True, editable=False, help_text="Short breaks aside.")
    used_at = models.DateTimeField("last used by you", null=True, editable=False)
    revoked_at = models.DateTimeField("revoked", null=True, blank=True, editable=False)
    waits = models.BooleanField(
        default=False, editable=False, help_text="Revoked by a restore, until you switch it on again."
    )

    objects = DeviceQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint("kind", condition=Q(kind="web"), name="one_web_page"),
            models.UniqueConstraint(
                "kind", "address", condition=~Q(address="") & Q(revoked_at=None), name="one_device_of_an_address"
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def runnable(self) -> list[str]:
        """The tools that it has and may run; the history tool only if the owner shares it."""
        return [name for name in self.tools if name != HISTORY_TOOL or self.shares_history]

    @property
    def has_only_a_token(self) -> bool:
        return self.kind == self.Kind.API and not self.public_key

    @property
    def is_connected(self) -> bool:
        fresh = self.seen_at is not None and self.seen_at >= timezone.now() - STALE_AFTER
        return self.connection is not None and fresh and self.revoked_at is None

    def info(self) -> protocol.DeviceInfo:
        return protocol.DeviceInfo(id=self.id, label=self.label, tool_use=self.tool_use)


class PairingCode(models.Model):
    """A code of 8 digits that pairs one device.

    One is open at a time, for two minutes, one use and five wrong answers.
    """

    LIFETIME = timedelta(minutes=2)
    WRONG_ANSWERS = 5

    digest = models.CharField(max_length=64)
    label = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    wrong_answers = models.PositiveSmallIntegerField(default=0)
