"""The one person whom Penny works for, and the links that sign them in."""

import secrets

from constance import config
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from devices.models import SignInLink, digest
from devices.owner import machine_clock


def the_owner() -> User:
    """Return the owner, created without a password on first use."""
    owner, is_new = User.objects.get_or_create(username="owner", defaults={"is_staff": True, "is_superuser": True})
    if is_new:
        owner.set_unusable_password()
        owner.save()
    return owner


def owner_name() -> str:
    return str(config.OWNER_NAME) or "Owner"


def new_sign_in_link() -> str:
    """Return a URL that signs the owner in once, within 12 hours. Only its digest is stored."""
    token = secrets.token_urlsafe(32)
    now = timezone.now()
    if machine_clock.is_right(now):
        SignInLink.objects.filter(expires_at__lt=now).delete()
    SignInLink.objects.create(digest=digest(token), expires_at=now + SignInLink.LIFETIME)
    # `reverse` would load every view of Penny, for 0.25 s of CPU at each start.
    return f"{settings.PUBLIC_URL}{settings.BASE_PATH}/sign-in/{token}/"


def redeem(token: str) -> User | None:
    """Use up a sign-in link; return the owner, None if the link is invalid."""
    now = timezone.now()
    # A link that would last longer is of a clock that jumped back since: its twelve hours are over.
    latest = now + SignInLink.LIFETIME + machine_clock.BACK_MOST
    good = SignInLink.objects.filter(digest=digest(token), used_at=None, expires_at__gt=now, expires_at__lte=latest)
    return the_owner() if good.update(used_at=now) else None
