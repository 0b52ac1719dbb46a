"""Ways to sign in: sessions, passkeys, links, and tokens of programs."""

import hashlib
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.contrib.sessions.models import Session
from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from devices.models.devices import Device


USED_EVERY = timedelta(minutes=1)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def good(self) -> "ApiTokenQuerySet":
        return self.filter(device__revoked_at=None)

    def redeem(self, token: str, now: datetime) -> "Device | None":
        """Return the device of a token and record the use; None if the token is invalid."""
        row = self.good().filter(digest=digest(token)).select_related("device").first()
        if row is None:
            return None
        if row.used_at is None or row.used_at < now - USED_EVERY:
            self.filter(pk=row.pk).update(used_at=now)
        return row.device


class ApiToken(models.Model):
    """One program's right to talk with Penny as the owner: no pages, settings or admin."""

    device = models.OneToOneField("devices.Device", on_delete=models.CASCADE, related_name="token")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField("last used", null=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.device)


SEEN_EVERY_S = 600.0


class SignInQuerySet(models.QuerySet["SignIn"]):
    def standing(self) -> "SignInQuerySet":
        """Return the sign-ins whose session is valid."""
        good = Session.objects.filter(expire_date__gt=timezone.now())
        return self.filter(session_key__in=good.values("session_key"))


class SignIn(models.Model):
    """One session of the owner's."""

    session_key = models.CharField(max_length=40, unique=True)
    browser = models.CharField(max_length=60)
    address = models.GenericIPAddressField(null=True)
    how = models.CharField(max_length=8)
    created_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    objects = SignInQuerySet.as_manager()

    class Meta:
        ordering = ["-seen_at"]

    def __str__(self) -> str:
        return self.browser


NAME_CHARACTERS = 60


class Passkey(models.Model):
    """The public half of one passkey."""

    credential_id = models.CharField(max_length=1400, unique=True, editable=False, help_text="In hexadecimal.")
    data = models.BinaryField(editable=False, help_text="Attested credential data, as WebAuthn says.")
    sign_count = models.BigIntegerField(default=0, editable=False)
    name = models.CharField(max_length=NAME_CHARACTERS)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField("last used", null=True, editable=False)

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name


def digest(secret: str) -> str:
    """Return the SHA-256 of a secret that is long or short-lived, so it needs no slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()


class SignInLink(models.Model):
    """A link that signs the owner in once."""

    LIFETIME = timedelta(hours=12)

    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
