"""Tokens with which a program speaks for the owner over HTTP. Each is a device's; the API is there only while one is good."""

import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from devices.models import Device

USED_EVERY = timedelta(minutes=1)
PREFIX = "penny-"  # so that one that was lost somewhere is known for what it is


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def good(self) -> "ApiTokenQuerySet":
        return self.filter(device__revoked_at=None)

    def redeem(self, token: str, now: datetime) -> "Device | None":
        """Return the device that a token is of, and note that it was used; None for any other text."""
        from devices.models import digest

        found = self.good().filter(digest=digest(token)).select_related("device").first()
        if found is None:
            return None
        if found.used_at is None or found.used_at < now - USED_EVERY:
            self.filter(pk=found.pk).update(used_at=now)
        return found.device


class ApiToken(models.Model):
    """One program's right to talk with Penny as the owner does, and nothing else: no pages, no settings, no admin."""

    device = models.OneToOneField("devices.Device", on_delete=models.CASCADE, related_name="token")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField("last used", null=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.device)


def new_token(label: str) -> tuple[ApiToken, str]:
    """Make a device with a token, and return it with the token itself, which is stored nowhere."""
    from devices.models import Device, digest

    token = PREFIX + secrets.token_urlsafe(32)
    device = Device.objects.create(label=label[:64], kind=Device.Kind.API, tool_use=False)
    return ApiToken.objects.create(device=device, digest=digest(token)), token


def is_open() -> bool:
    """Whether there is an API at all."""
    return ApiToken.objects.good().exists()
