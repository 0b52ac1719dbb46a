"""Devices, and the codes that pair them."""

import uuid
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from devices import protocol

STALE_AFTER = timedelta(seconds=45)
HISTORY_TOOL = "get_history"
# The tools of an errand: only where the owner lets the browser act on pages.
ACTING_TOOLS = frozenset(protocol.PAGE_CALLS)


def program_with_token(prefix: str = "") -> Q:
    """Return what selects the rows whose device, under `prefix`, is a program that has only a token."""
    return Q(**{f"{prefix}kind": "api", f"{prefix}public_key": b""})


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
        """Return the connected devices that can run a browser tool and may, last used first."""
        rows = self.connected().filter(tool_use=True).order_by(F("used_at").desc(nulls_last=True), "-seen_at")
        return [device for device in rows if tool in device.runnable and tool not in device.tools_off]

    def runnable_tools(self) -> set[str]:
        """Return the tools of the connected devices. A switched-off tool is among them: its refusal says why."""
        return {
            name
            for device in self.connected().filter(tool_use=True).only("tools", "shares_history", "act_use")
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

    class Keeping(models.TextChoices):
        """Which pages a browser keeps by itself. The owner alone changes it, in that browser or on its page."""

        OFF = "off", "none"
        SITES = "sites", "of sites that you chose"
        ALL = "all", "of every site but those left out"

    PAIRED = (Kind.BROWSER, Kind.API)
    WEB_LABEL = "Web page"

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
    act_use = models.BooleanField("may act on pages", default=False)
    in_act_mode = models.BooleanField(
        "in Act mode", default=False, editable=False, help_text="Of a channel that cannot say it with each message."
    )
    tools_off = models.JSONField(
        "tools that you switched off", default=list, blank=True, editable=False, help_text="Beside its own switches."
    )
    shares_history = models.BooleanField("shares its history", default=False, editable=False)
    keeping = models.CharField(
        "keeps pages by itself", max_length=5, choices=Keeping, default=Keeping.OFF, editable=False
    )
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
        verbose_name = "device"
        verbose_name_plural = "browsers, phones and programs"
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
        """The tools that it has and may run; those of history and of acting only if the owner switched that on."""
        left_out = (set() if self.shares_history else {HISTORY_TOOL}) | (set() if self.act_use else ACTING_TOOLS)
        return [name for name in self.tools if name not in left_out]

    @property
    def service(self) -> str:
        """The service that carries messages to it: a host, or a name. An outlet's address may hold secrets."""
        if self.kind == self.Kind.PUSH:
            return urlsplit(self.address).hostname or ""
        return self.address.partition(":")[0] if self.kind == self.Kind.APPRISE else "Signal"

    @property
    def has_only_a_token(self) -> bool:
        """`program_with_token` says the same of a row."""
        return self.kind == self.Kind.API and not self.public_key

    @property
    def is_connected(self) -> bool:
        fresh = self.seen_at is not None and self.seen_at >= timezone.now() - STALE_AFTER
        return self.connection is not None and fresh and self.revoked_at is None

    def info(self) -> protocol.DeviceInfo:
        values = {name: getattr(self, name) for name in ("id", "label", "tool_use", "keeping")}
        return protocol.DeviceInfo.model_validate(values)


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
