"""Devices and how they came in, what the owner granted, and the one conversation."""

import hashlib
import uuid
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from devices import protocol
from devices.web.hosts import grant_host
from thoughts.models import Page, Supported, Thought, only_owner
from thoughts.text.labels import foreign

STALE_AFTER = timedelta(seconds=45)
HISTORY_TOOL = "get_history"


def digest(secret: str) -> str:
    """Return the SHA-256 of a secret that is long or short-lived enough to be stored so."""
    return hashlib.sha256(secret.encode()).hexdigest()


class DeviceQuerySet(models.QuerySet["Device"]):
    def active(self) -> "DeviceQuerySet":
        return self.filter(revoked_at=None)

    def paired(self) -> "DeviceQuerySet":
        """Return the browsers and programs that came in with a code."""
        return self.active().filter(kind__in=Device.PAIRED)

    def connected(self, now: datetime | None = None) -> "DeviceQuerySet":
        return self.active().filter(connection__isnull=False, seen_at__gte=(now or timezone.now()) - STALE_AFTER)

    def capable(self, tool: str) -> list["Device"]:
        """Return the connected devices that can run a browser tool now, the one last used by the owner first."""
        rows = self.connected().filter(tool_use=True).order_by(F("used_at").desc(nulls_last=True), "-seen_at")
        return [device for device in rows if tool in device.runnable]

    def runnable_tools(self) -> set[str]:
        """Return the names of the tools that some connected device can run now."""
        return {name for device in self.connected().filter(tool_use=True).only("tools", "shares_history") for name in device.runnable}


def idlest(devices: list["Device"], idle: timedelta, now: datetime) -> "Device":
    """Return the one for background work: of those that the owner does not use just now the one that has been on the longest.

    `devices`: not empty, the one last used first.
    """
    resting = [device for device in devices if device.used_at is None or now - device.used_at > idle]
    return min(resting, key=lambda device: device.on_since or now) if resting else devices[-1]


class Device(models.Model):
    """A connection point of the owner's: a paired browser or program, the web page, or what is reached over somebody else's line."""

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
    address = models.TextField(blank=True, editable=False, help_text="Where a line of somebody else's finds it: a number or an address.")
    secrets = models.JSONField(default=dict, blank=True, editable=False, help_text="What only the line may know besides.")
    tools = models.JSONField(default=list)
    tool_use = models.BooleanField("may run tools", default=True)
    shares_history = models.BooleanField("shares its history", default=False, editable=False)
    connection = models.CharField(max_length=64, null=True, editable=False)
    created_at = models.DateTimeField("paired", auto_now_add=True)
    seen_at = models.DateTimeField("last seen", null=True, editable=False)
    on_since = models.DateTimeField("on since", null=True, editable=False, help_text="Short breaks aside.")
    used_at = models.DateTimeField("last used by you", null=True, editable=False)
    revoked_at = models.DateTimeField("revoked", null=True, blank=True, editable=False)

    objects = DeviceQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint("kind", condition=Q(kind="web"), name="one_web_page"),
            models.UniqueConstraint("kind", "address", condition=~Q(address="") & Q(revoked_at=None), name="one_device_of_an_address"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def runnable(self) -> list[str]:
        """The tools that it has and may run: the one for its history only where the owner shares that."""
        return [name for name in self.tools if name != HISTORY_TOOL or self.shares_history]

    @property
    def is_connected(self) -> bool:
        fresh = self.seen_at is not None and self.seen_at >= timezone.now() - STALE_AFTER
        return self.connection is not None and fresh and self.revoked_at is None

    def info(self) -> protocol.DeviceInfo:
        return protocol.DeviceInfo(id=self.id, label=self.label, tool_use=self.tool_use)


class PairingCode(models.Model):
    """A code of 8 digits that pairs one device: one open at a time, single use, two minutes, five wrong answers."""

    LIFETIME = timedelta(minutes=2)
    WRONG_ANSWERS = 5

    digest = models.CharField(max_length=64)
    label = models.CharField(max_length=64, blank=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    wrong_answers = models.PositiveSmallIntegerField(default=0)


class SignInLink(models.Model):
    """A link that signs the owner in once."""

    LIFETIME = timedelta(hours=12)

    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)


class GrantQuerySet(models.QuerySet["Grant"]):
    def current(self, now: datetime | None = None) -> "GrantQuerySet":
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now or timezone.now()))


class Grant(models.Model):
    """What the owner said about a host and its subdomains, for one capability."""

    class Capability(models.TextChoices):
        READ = "read"
        ACT = "act"

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
        ordering = ["host", "capability"]
        constraints = [
            models.UniqueConstraint("host", "capability", condition=Q(run_id=None), name="one_lasting_grant"),
            models.UniqueConstraint("host", "capability", "run_id", name="one_grant_for_a_run"),
        ]

    def __str__(self) -> str:
        return f"{self.host}: {self.capability} {self.state}"

    def info(self) -> protocol.GrantInfo:
        return protocol.GrantInfo.model_validate(
            {name: getattr(self, name) for name in ("host", "capability", "state", "scope", "session", "expires_at", "used_at")}
        )


class AskQuerySet(models.QuerySet["Ask"]):
    def open(self) -> "AskQuerySet":
        return self.filter(state=Ask.State.OPEN)

    def shown(self, now: datetime) -> "AskQuerySet":
        """Those whose time is not over, and that are not held until the owner can be asked."""
        return self.filter(prompt_until__gt=now, held_until=None)

    def of_prompts(self, prompts: Iterable[uuid.UUID]) -> "AskQuerySet":
        """The asks that devices show as one of these."""
        wanted = list(prompts)
        return self.filter(Q(pk__in=wanted) | Q(shared_prompt__in=wanted))


class Ask(models.Model):
    """A question to the owner that a run waits for. The first answer wins; to a turn, none in time means *not now*."""

    class Kind(models.TextChoices):
        GRANT = "grant"
        APPROVAL = "approval"

    class State(models.TextChoices):
        OPEN = "open"
        ALLOWED = "allowed"
        BLOCKED = "blocked"
        DISMISSED = "dismissed", "not now"
        EXPIRED = "expired", "no answer"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.GRANT)
    run_id = models.UUIDField()
    shared_prompt = models.UUIDField(null=True, editable=False, help_text="The ask that devices show for this one too; empty: itself.")
    is_background = models.BooleanField(default=False)
    host = models.CharField(max_length=260, blank=True)
    capability = models.CharField(max_length=8, choices=Grant.Capability, default=Grant.Capability.READ)
    text = models.CharField(max_length=500)
    act = models.CharField(max_length=64, blank=True, editable=False, help_text="The mark of what an approval allows.")
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    answered_by = models.ForeignKey(Device, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    prompt_until = models.DateTimeField(help_text="Until then devices show it.")
    held_until = models.DateTimeField(null=True, editable=False, help_text="Until then no line is told of it: the owner sleeps.")
    expires_at = models.DateTimeField()

    objects = AskQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(
                "run_id", "host", "capability", condition=Q(state="open", kind="grant"), name="one_open_ask_for_a_host"
            ),
            models.UniqueConstraint("run_id", "act", condition=Q(state="open") & ~Q(act=""), name="one_open_approval_for_an_act"),
        ]
        indexes = [
            # An answer names the prompt.
            models.Index(fields=["shared_prompt"], name="open_prompts", condition=Q(state="open")),
            # What arose in quiet hours, when they are over.
            models.Index(fields=["held_until"], name="held_questions", condition=Q(held_until__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def prompt(self) -> uuid.UUID:
        """What devices call it: runs that ask for the same host share one prompt."""
        return self.shared_prompt or self.id


class BrowserCall(models.Model):
    """One tool call on one device, from when it was sent until its one answer."""

    class State(models.TextChoices):
        PENDING = "pending"
        DONE = "done"
        FAILED = "failed"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="calls")
    connection = models.CharField(max_length=64)
    run_id = models.UUIDField()
    tool = models.CharField(max_length=64)
    arguments = models.JSONField()
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    error_code = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    deadline_at = models.DateTimeField()

    class Meta:
        indexes = [
            # A device that disconnects fails its pending calls.
            models.Index(fields=["connection"], name="pending_calls", condition=Q(state="pending")),
            # What is too old to be kept.
            models.Index(fields=["created_at"], name="old_calls"),
        ]


class Stop(models.Model):
    """The owner stopped everything, until they say that it may go on."""

    device_label = models.CharField(max_length=64)
    stopped_at = models.DateTimeField()
    resumed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-stopped_at"]
        indexes = [
            # Each call looks whether one stands.
            models.Index(fields=["stopped_at"], name="standing_stop", condition=Q(resumed_at=None))
        ]

    def __str__(self) -> str:
        return f"{self.stopped_at:%Y-%m-%d %H:%M}, from {self.device_label}"


class Conversation(models.Model):
    """The counter of the one conversation; its row lock gives `seq` neither gaps nor a commit out of order."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    last_seq = models.BigIntegerField(default=0)
    learned_seq = models.BigIntegerField(default=0, help_text="Until here the owner's messages were read for what they like.")
    profile_asked_at = models.DateTimeField(null=True, help_text="When the owner was asked, once, how to call them.")


class KeptMessages(models.Manager["Message"]):
    """The conversation. A temporary question and its answer are in none: whoever means them too says `Message.all_rows`."""

    def get_queryset(self) -> "models.QuerySet[Message]":
        return super().get_queryset().filter(seq__gt=0)


class Message(models.Model):
    """One entry of the conversation, whatever device it came from. `html` is sanitised once, when it is stored.

    Below zero `seq` is no place in the conversation: the message is temporary, and forgotten soon (agents/worker/forget_temporary.py).
    """

    class Direction(models.TextChoices):
        IN = "in", "from you"
        OUT = "out", "from Penny"

    class Kind(models.TextChoices):
        CHAT = "chat"
        NOTIFICATION = "notification"
        REACTION = "reaction"
        COMMAND = "command"
        CANCELLED = "cancelled"
        FAILURE = "failure"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    seq = models.BigIntegerField()
    thread = models.UUIDField(null=True, blank=True)
    device = models.ForeignKey(Device, null=True, on_delete=models.SET_NULL)
    device_label = models.CharField(max_length=64)
    direction = models.CharField(max_length=3, choices=Direction)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.CHAT)
    text = models.TextField()
    html = models.TextField()
    turn_id = models.UUIDField(null=True, blank=True)
    thought = models.ForeignKey(Thought, null=True, blank=True, on_delete=models.SET_NULL)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL)
    origin = models.JSONField(default=only_owner)
    page = models.JSONField(null=True, blank=True)
    sources = models.ManyToManyField(Page, related_name="messages", help_text="The pages that it links: they are kept as long as it is.")
    is_extractive = models.BooleanField("made without a model", default=False)
    reaction = models.SmallIntegerField(null=True, blank=True, help_text="What stands of the thought after it: 1, -1, 0 for none.")
    attachments = models.JSONField(null=True, blank=True, help_text="What is shown of the files that came with it.")
    created_at = models.DateTimeField(default=timezone.now)

    objects = KeptMessages()
    all_rows = models.Manager()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint("owner", "seq", name="seq_is_unique"),
            models.UniqueConstraint("owner", "turn_id", "direction", name="one_question_and_one_answer"),
        ]

    def __str__(self) -> str:
        return f"{self.seq}: {self.text[:60]}"

    @property
    def brings_thought(self) -> bool:
        """Whether it told the owner of a thought, which can be reacted to."""
        return self.direction == self.Direction.OUT and self.kind == self.Kind.NOTIFICATION and self.thought_id is not None

    @property
    def is_temporary(self) -> bool:
        return self.seq < 0

    @property
    def is_from_pages(self) -> bool:
        return bool(foreign(self.origin))

    @property
    def sites(self) -> list[str]:
        """The domains whose words are in the text."""
        return foreign(self.origin)

    @property
    def page_link(self) -> str:
        """The address of the page that the message is about, if it can be followed, or nothing."""
        url = str(self.page["url"]) if self.page else ""
        return url if url.startswith(("http://", "https://")) else ""

    @property
    def page_host(self) -> str:
        """The host of the page that the message is about, or nothing."""
        return grant_host(self.page["url"]) if self.page else ""

    def frame(self) -> protocol.Message:
        fields: dict[str, Any] = {name: getattr(self, name) for name in _FRAME_FIELDS}
        if self.is_temporary:
            fields |= {"seq": 0, "temporary": True}
        return protocol.Message.model_validate(fields)


_FRAME_FIELDS = (
    "id", "seq", "thread", "device_label", "device_id", "direction", "kind", "text", "html", "created_at", "turn_id", "thought_id",
    "parent_id", "origin", "page", "reaction", "attachments",
)  # fmt: skip


class MessageFile(models.Model):
    """A file that the owner sent along with a message, as it came: whatever it holds is untrusted.

    Of a picture `sha256` names the file that came, and `shown` is what is served of it.
    """

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=64)
    mime = models.CharField(max_length=64)
    data = models.BinaryField()
    sha256 = models.CharField(max_length=64, blank=True)
    shown = models.BinaryField(null=True, help_text="WebP, encoded in the sandbox.")

    class Meta:
        ordering = ["id"]
        indexes = [
            # What stands behind the address of a picture.
            models.Index(fields=["sha256"], name="shown_files", condition=~models.Q(sha256="")),
        ]

    def __str__(self) -> str:
        return self.name


class MessageClaim(Supported):
    """A claim of an answer in the conversation, by the number (from 1) under which the answer names it."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="claims")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint("message", "number", name="one_claim_of_a_number")]

    @classmethod
    def of(cls, message: Message, number: int, page: int, text: str, quote: str, start: int, end: int) -> "MessageClaim":
        return cls(message=message, number=number, page_id=page, text=text, quote=quote, start=start, end=end)
