"""Threads: names over messages of the one conversation."""

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from devices import protocol
from thoughts.models.removable import RemovableQuerySet


class ThreadQuerySet(RemovableQuerySet["Thread"]):
    pass


class Thread(models.Model):
    """A name over some messages. Messages without a thread are the main conversation.

    The id is made by the client that begins it, so that a message may be sent before the server knows its thread.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    name = models.CharField(max_length=protocol.THREAD_NAME_CHARACTERS)
    created_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(default=timezone.now, help_text="When the owner last wrote in it.")
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = ThreadQuerySet.as_manager()

    class Meta:
        ordering = ["-used_at"]

    def __str__(self) -> str:
        return self.name

    def info(self) -> protocol.ThreadInfo:
        return protocol.ThreadInfo(id=self.pk, name=self.name, used_at=self.used_at)
