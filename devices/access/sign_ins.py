"""Where the owner is signed in: each session with the browser that it is of, to be looked at and ended."""

import re
import time

from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone

from devices.models.sign_in import SEEN_EVERY_S, SignIn

# What programs call themselves, the first that fits: Edge and Opera say that they are Chrome, and Chrome that it is
# Safari.
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
_seen: dict[str, float] = {}


def note(request: HttpRequest, how: str) -> None:
    """Keep where a session was begun just now; what is over goes."""
    if request.session.session_key is None:
        request.session.save()
    SignIn.objects.exclude(pk__in=SignIn.objects.standing().values("pk")).delete()
    made = {"browser": browser_in(request.headers.get("User-Agent", "")), "address": address_of(request), "how": how}
    SignIn.objects.update_or_create(session_key=request.session.session_key, defaults=made)


def note_seen(session_key: str | None) -> None:
    """Keep that a session is used, now and then: not each page should write."""
    now = time.monotonic()
    if session_key and now - _seen.get(session_key, -SEEN_EVERY_S) >= SEEN_EVERY_S:
        _seen[session_key] = now
        SignIn.objects.filter(session_key=session_key).update(seen_at=timezone.now())


def end_others(session_key: str | None) -> int:
    """Sign out everywhere but here; return of how many places. Also sessions of which nobody kept where they are."""
    ended, _ = Session.objects.exclude(session_key=session_key).delete()
    SignIn.objects.exclude(session_key=session_key).delete()
    return ended


def is_good(session_key: str | None) -> bool:
    """Whether a session still stands."""
    return (
        bool(session_key) and Session.objects.filter(session_key=session_key, expire_date__gt=timezone.now()).exists()
    )


def moved(before: str | None, after: str | None) -> None:
    """A session got another name: so it does when the password changes."""
    SignIn.objects.filter(session_key=before).update(session_key=after)


def browser_in(user_agent: str) -> str:
    """Return "Firefox on Linux", as far as a program says what it is."""
    browser = next((name for name, mark in BROWSERS if mark in user_agent), "")
    system = next((name for name, mark in SYSTEMS if mark in user_agent), "")
    program = re.match(r"[\w.-]{1,30}", user_agent)
    return " on ".join(filter(None, [browser or (program[0] if program else "A program"), system]))


def address_of(request: HttpRequest) -> str | None:
    return request.META.get("REMOTE_ADDR") or None
