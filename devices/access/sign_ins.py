"""Record where the owner is signed in: one row for each session, with its browser."""

import re
import time
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from devices import events
from devices.models.sign_in import SEEN_EVERY_S, SignIn
from devices.owner import machine_clock

# The first match counts: Edge and Opera also claim to be Chrome, and Chrome claims to be Safari.
BROWSERS = [
    ("Edge", "Edg"),
    ("Opera", "OPR"),
    ("Firefox", "Firefox"),
    ("Chrome", "Chrome"),
    ("Chrome", "CriOS"),
    ("Safari", "Safari"),
]
SYSTEMS = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X"),
    ("Linux", "Linux"),
]
BATCH = 500
YOUNG = timedelta(minutes=10)
_last_noted: dict[str, float] = {}


def record_sign_in(request: HttpRequest, how: str) -> None:
    """Record a new session, and remove rows of ended ones."""
    if request.session.session_key is None:
        request.session.save()
    if machine_clock.is_right(timezone.now()):
        SignIn.objects.exclude(pk__in=SignIn.objects.standing().values("pk")).delete()
    fields = {"browser": browser_in(request.headers.get("User-Agent", "")), "address": address_of(request), "how": how}
    SignIn.objects.update_or_create(session_key=request.session.session_key, defaults=fields)


def record_use(session_key: str | None) -> None:
    """Record that a session is used, every 10 minutes at most: pages should not all write."""
    now = time.monotonic()
    if session_key and now - _last_noted.get(session_key, -SEEN_EVERY_S) >= SEEN_EVERY_S:
        _last_noted[session_key] = now
        SignIn.objects.filter(session_key=session_key).update(seen_at=timezone.now())


def end_others(session_key: str | None) -> int:
    """Sign out everywhere else; return how many sessions ended.

    Includes sessions without a row.
    """
    count, _ = Session.objects.exclude(session_key=session_key).delete()
    SignIn.objects.exclude(session_key=session_key).delete()
    close_sockets()
    return count


def end(entry: SignIn) -> None:
    """Sign out there: its pages ask to sign in, its sockets close."""
    Session.objects.filter(session_key=entry.session_key).delete()
    entry.delete()
    close_sockets()


def close_sockets() -> None:
    """Let each socket of a page look at once whether its session is over. A lost wake-up costs 2 s."""
    transaction.on_commit(lambda: events.send({"type": "session.ended"}, events.PAGE_GROUP))


def is_good(session_key: str | None) -> bool:
    """Whether a session lets its holder in: it has not expired, and the password is the same."""
    row = Session.objects.filter(session_key=session_key, expire_date__gt=timezone.now()).first()
    return row is not None and _signs_in(row)


def clear_ended() -> int:
    """Delete sessions that let nobody in; return how many.

    A young one may belong to a sign-in that is under way: its row stands before it names the owner.
    """
    now = timezone.now()
    Session.objects.filter(expire_date__lte=now).delete()
    old = Session.objects.filter(expire_date__lte=now + timedelta(seconds=settings.SESSION_COOKIE_AGE) - YOUNG)
    ended = [row.pk for row in old.iterator(BATCH) if not _signs_in(row)]
    for start in range(0, len(ended), BATCH):
        Session.objects.filter(pk__in=ended[start : start + BATCH]).delete()
    SignIn.objects.exclude(pk__in=SignIn.objects.standing().values("pk")).delete()
    return len(ended)


def _signs_in(row: Session) -> bool:
    values = row.get_decoded()
    user = User.objects.filter(pk=str(values.get(SESSION_KEY, "0")), is_active=True).first()
    return user is not None and constant_time_compare(str(values.get(HASH_SESSION_KEY)), user.get_session_auth_hash())


def follow_session(before: str | None, after: str | None) -> None:
    """Follow a session to its new key, as after a change of password."""
    SignIn.objects.filter(session_key=before).update(session_key=after)


def browser_in(user_agent: str) -> str:
    """Return "Firefox on Linux", as far as the program names itself."""
    browser = next((name for name, mark in BROWSERS if mark in user_agent), "")
    system = next((name for name, mark in SYSTEMS if mark in user_agent), "")
    program = re.match(r"[\w.-]{1,30}", user_agent)
    return " on ".join(filter(None, [browser or (program[0] if program else "A program"), system]))


def address_of(request: HttpRequest) -> str | None:
    return request.META.get("REMOTE_ADDR") or None
