"""Record where the owner is signed in: one row for each session, with its browser."""

import re
import time

from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from devices.models.sign_in import SEEN_EVERY_S, SignIn

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
_last_noted: dict[str, float] = {}


def record_sign_in(request: HttpRequest, how: str) -> None:
    """Record a new session, and remove expired ones."""
    if request.session.session_key is None:
        request.session.save()
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
    return count


def is_good(session_key: str | None) -> bool:
    return (
        bool(session_key) and Session.objects.filter(session_key=session_key, expire_date__gt=timezone.now()).exists()
    )


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
