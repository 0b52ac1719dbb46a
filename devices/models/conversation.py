"""The conversation: its counter, its messages, their files and claims."""

import uuid
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from devices import protocol
from devices.models.devices import Device
from devices.models.threads import Thread
from devices.web.hosts import grant_host
from thoughts.models import Page, Supported, Thought, only_owner
from thoughts.models.removable import RemovableQuerySet
from thoughts.models.search_words import SearchWordsField
from thoughts.text.labels import foreign

# In an answer that is not whole. The clients put a button there.
GO_ON = "Write “go on”, and I go on.)"


class Conversation(models.Model):
    """The counter of the conversation. Its row lock keeps `seq` gapless and in commit order."""

    owner = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    last_seq = models.BigIntegerField(default=0)
    learned_seq = models.BigIntegerField(
        default=0, help_text="Until here the owner's messages were read for what they like."
    )


class KeptMessages(models.Manager["Message"]):
    """The conversation without temporary and deleted messages; `Message.all_rows` includes these."""

    def get_queryset(self) -> "models.QuerySet[Message]":
        return super().get_queryset().filter(seq__gt=0, deleted_at=None)


class Message(models.Model):
    """One entry of the conversation, from any device. `html` is sanitised when it is stored.

    A negative `seq` marks a temporary message, outside the conversation and deleted soon
    (agents/worker/forget_temporary.py).
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
    thread = models.ForeignKey(
        Thread, null=True, blank=True, on_delete=models.CASCADE, db_column="thread", db_index=False
    )
    device = models.ForeignKey(Device, null=True, on_delete=models.SET_NULL)
    device_label = models.CharField(max_length=64)
    direction = models.CharField(max_length=3, choices=Direction)
    kind = models.CharField(max_length=12, choices=Kind, default=Kind.CHAT)
    text = models.TextField()
    html = models.TextField()
    words = SearchWordsField(of=("text",))
    turn_id = models.UUIDField(null=True, blank=True)
    may_act = models.BooleanField("Penny may act", default=False, help_text="On pages, for this message.")
    tab_host = models.CharField("in front of you", max_length=260, blank=True, editable=False)
    thought = models.ForeignKey(Thought, null=True, blank=True, on_delete=models.SET_NULL)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL)
    origin = models.JSONField(default=only_owner)
    page = models.JSONField(null=True, blank=True)
    sources = models.ManyToManyField(
        Page, related_name="messages", help_text="The pages that it links: they are kept as long as it is."
    )
    is_extractive = models.BooleanField("made without a model", default=False)
    reaction = models.SmallIntegerField(
        null=True, blank=True, help_text="What stands of the thought after it: 1, -1, 0 for none."
    )
    attachments = models.JSONField(null=True, blank=True, help_text="What is shown of the files that came with it.")
    receipt = models.JSONField(null=True, blank=True, editable=False, help_text="Of an answer: what it took.")
    late_asks = models.JSONField(
        null=True, blank=True, editable=False, help_text="Of an answer: what nobody answered, and may be answered late."
    )
    created_at = models.DateTimeField(default=timezone.now)
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = KeptMessages()
    all_rows = RemovableQuerySet["Message"].as_manager()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint("owner", "seq", name="seq_is_unique"),
            models.UniqueConstraint("owner", "turn_id", "direction", name="one_question_and_one_answer"),
        ]
        indexes = [
            # A page of a thread, newest first.
            models.Index(fields=["thread", "seq"], name="messages_of_thread", condition=models.Q(thread__isnull=False)),
            # What the hourly sweep removes for good, and what an undo brings back.
            models.Index(fields=["deleted_at"], name="deleted_messages", condition=models.Q(deleted_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.seq}: {self.text[:60]}"

    @property
    def brings_thought(self) -> bool:
        """Whether it told the owner of a thought, which can be reacted to."""
        return (
            self.direction == self.Direction.OUT and self.kind == self.Kind.NOTIFICATION and self.thought_id is not None
        )

    @property
    def is_temporary(self) -> bool:
        return self.seq < 0

    @property
    def goes_on(self) -> bool:
        """Whether it is an answer that is not whole, with which Penny goes on when the owner says so."""
        return self.direction == self.Direction.OUT and self.kind == self.Kind.CHAT and GO_ON in self.text

    @property
    def is_from_pages(self) -> bool:
        return bool(foreign(self.origin))

    @property
    def sites(self) -> list[str]:
        """The domains whose words are in the text."""
        return foreign(self.origin)

    @property
    def page_link(self) -> str:
        """The http(s) address of the page that the message is about, or empty."""
        url = str(self.page["url"]) if self.page else ""
        return url if url.startswith(("http://", "https://")) else ""

    @property
    def page_host(self) -> str:
        return grant_host(self.page["url"]) if self.page else ""

    @property
    def unseen_before(self) -> datetime | None:
        """Of an answer: what was said before that moment was not seen for it."""
        moment = (self.receipt or {}).get("unseen_before")
        return datetime.fromisoformat(moment) if moment else None

    def frame(self) -> protocol.Message:
        fields: dict[str, Any] = {name: getattr(self, name) for name in _FRAME_FIELDS} | {"thread": self.thread_id}
        if self.goes_on:
            fields |= {"goes_on": True}
        if self.is_temporary:
            fields |= {"seq": 0, "temporary": True}
        return protocol.Message.model_validate(fields)


_FRAME_FIELDS = (
    "id", "seq", "device_label", "device_id", "direction", "kind", "text", "html", "created_at", "turn_id",
    "thought_id",
    "parent_id", "origin", "page", "reaction", "attachments", "receipt",
    "late_asks",
)  # fmt: skip


class MessageFile(models.Model):
    """A file that the owner sent with a message, unchanged: its content is untrusted.

    Of a picture `sha256` names the original file, and `shown` is what Penny serves.
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
            # Finds the file behind the address of a picture.
            models.Index(fields=["sha256"], name="shown_files", condition=~models.Q(sha256="")),
        ]

    def __str__(self) -> str:
        return self.name


class MessageClaim(Supported):
    """A claim of an answer, by the number (from 1) with which the answer cites it."""

    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="claims")
    number = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint("message", "number", name="one_claim_of_a_number")]

    @classmethod
    def of(
        cls, message: Message, number: int, page: int, text: str, quote: str, start: int, end: int
    ) -> "MessageClaim":
        return cls(message=message, number=number, page_id=page, text=text, quote=quote, start=start, end=end)
