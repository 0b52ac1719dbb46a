"""Keep the state of a sign-in that has begun in a signed cookie: a stranger leaves no row behind.

One sign-in at a time begins in a browser.
"""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import signed_cookies
from django.http import HttpRequest, HttpResponse

LIFETIME_S = 600


class Challenge(signed_cookies.SessionStore):
    def get_session_cookie_age(self) -> int:
        return LIFETIME_S


def cookie_name() -> str:
    return f"{settings.SESSION_COOKIE_NAME}_begun"


def has_challenge(request: HttpRequest) -> bool:
    return cookie_name() in request.COOKIES


def read_challenge(request: HttpRequest) -> Challenge:
    """Return the state in the cookie, empty if that is missing, altered or too old."""
    return Challenge(request.COOKIES.get(cookie_name()))


def write_challenge(response: HttpResponse, challenge: Challenge) -> None:
    challenge.save()
    response.set_cookie(
        cookie_name(),
        challenge.session_key or "",
        max_age=LIFETIME_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",  # a service for signing in leads back from its own site
    )


def forget_challenge(response: HttpResponse) -> None:
    response.delete_cookie(cookie_name())


def with_challenge_for_session(
    request: HttpRequest, challenge: Challenge, act: Callable[[], Any]
) -> tuple[Any, Challenge]:
    """Act while the challenge stands for `request.session`; return the result and the new state.

    allauth keeps its state in a session, and saves that session by itself.
    """
    session, request.session = request.session, challenge
    try:
        result = act()
        state = request.session
        assert isinstance(state, Challenge)
        return result, state
    finally:
        request.session = session
