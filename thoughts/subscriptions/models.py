"""Table of subscriptions: programs that may read the feed with a token."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone

UNDO_FOR = timedelta(hours=1)
USED_EVERY = timedelta(minutes=1)


def digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class SubscriptionQuerySet(models.QuerySet["Subscription"]):
    def open(self, name: str) -> tuple["Subscription", str]:
        """Create a subscription; return it with its token, which is stored only as a digest."""
        token = secrets.token_urlsafe(32)
        return self.create(name=name, digest=digest(token)), token

    def waiting(self) -> "SubscriptionQuerySet":
        """Return the subscriptions that wait since a restore."""
        return self.standing().filter(waits=True)

    def standing(self) -> "SubscriptionQuerySet":
        return self.filter(revoked_at=None)

    def redeem(self, token: str, now: datetime) -> bool:
        """Whether a token is valid; records its use."""
        good = self.standing().filter(digest=digest(token), waits=False)
        good.filter(Q(used_at=None) | Q(used_at__lt=now - USED_EVERY)).update(used_at=now)
        return good.exists()


class Subscription(models.Model):
    """The right of one program to read the feed and nothing else. A revoked row is deleted once its undo is over."""

    name = models.CharField(max_length=60, help_text="Which program reads it, in your words.")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField("last read", null=True, editable=False)
    revoked_at = models.DateTimeField(null=True, editable=False)
    waits = models.BooleanField(
        default=False, editable=False, help_text="Since a restore, until you switch it on again."
    )

    objects = SubscriptionQuerySet.as_manager()

    class Meta:
        verbose_name = "feed address"
        verbose_name_plural = "feed addresses"
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return self.name

    def set_revoked(self, moment: datetime | None) -> None:
        """Revoke it, or undo that. Rows that were revoked over an hour ago go for good."""
        now = timezone.now()
        Subscription.objects.filter(revoked_at__lt=now - UNDO_FOR).delete()
        Subscription.objects.filter(pk=self.pk).update(revoked_at=moment)
