"""Bring back what was put years ahead while the clock was wrong: retries, leases, questions, muting, access."""

from datetime import datetime, timedelta

from django.db.models import F

from agents.models import LEASE, Run
from devices.models import Ask, Delivery, Grant, Muting, PairingCode, SignInLink
from devices.owner import muting

# Longer than anything waits for the end of a day and of the quiet hours after it.
LATEST = timedelta(days=3)
SLACK = timedelta(minutes=1)


def bring_back(now: datetime) -> None:
    """Do it once the clock is right again. What is not far ahead stays as it is."""
    Run.objects.filter(not_before__gt=now + LATEST).update(not_before=now)
    Run.objects.filter(lease_until__gt=now + 10 * LEASE).update(lease_until=now)
    Delivery.objects.open().filter(not_before__gt=now + LATEST).update(not_before=now)
    Delivery.objects.open().filter(lease_until__gt=now + Delivery.LATEST).update(lease_until=now)
    Ask.objects.filter(held_until__gt=now + LATEST).update(held_until=now)
    Ask.objects.open().filter(is_background=False, expires_at__gt=now + LATEST).update(expires_at=now)
    for row in Muting.objects.filter(set_at__gt=now + SLACK).exclude(until=muting.UNTIL_TOLD):
        Muting.objects.filter(pk=row.pk).update(until=now + (row.until - row.set_at), set_at=now)
    # Access that was given for a while counts from now; what lets somebody in once is closed.
    Grant.objects.filter(created_at__gt=now + SLACK, expires_at__gt=now).update(
        expires_at=now + (F("expires_at") - F("created_at")), created_at=now
    )
    PairingCode.objects.filter(expires_at__gt=now + PairingCode.LIFETIME + SLACK).delete()
    SignInLink.objects.filter(expires_at__gt=now + SignInLink.LIFETIME + SLACK).delete()
