from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

SHOWN_ONCE = "no-store"  # as Cache-Control: what says only this is never compressed either


class HtmxRequest(HttpRequest):
    """A request after the middleware, with or without a session."""

    htmx: HtmxDetails


class OwnerRequest(HtmxRequest):
    """A request of the signed-in owner."""

    user: User


def is_api(request: HttpRequest) -> bool:
    """Whether a program's address is asked for, which answers in JSON alone."""
    return request.path_info == "/v1" or request.path_info.startswith("/v1/")


def is_from_here(request: HttpRequest) -> bool:
    """Whether the request comes from one of Penny's pages, or from no page at all.

    Browsers name another site's page in `Sec-Fetch-Site`.
    """
    return request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")


def shown_once(response: HttpResponse) -> HttpResponse:
    """Keep a page with a code, a token or an address that is shown once out of every store, and uncompressed."""
    response["Cache-Control"] = SHOWN_ONCE
    return response


def here_or_feed(there: str) -> str:
    """Return the next address of a form or link if it is on this site, otherwise the feed's."""
    return there if url_has_allowed_host_and_scheme(there, allowed_hosts=None) else reverse("feed")


def redirect_with_undo(
    request: OwnerRequest, words: str, undo_at: str = "", *, home: str, below: tuple[object, ...] = ()
) -> HttpResponse:
    messages.success(request, words, extra_tags=undo_at)
    return redirect(next_below(request, home, *below))


def next_below(request: OwnerRequest, home: str, *arguments: object) -> str:
    """Return the next address of a form if it is below the page `home` or in the admin, otherwise that page's.

    The rows of the admin post to the same views as the pages.
    """
    there, top = request.POST.get("next", ""), reverse(home, args=arguments)
    is_below = there.startswith((top, reverse("admin:index")))
    return there if is_below and url_has_allowed_host_and_scheme(there, allowed_hosts=None) else top


def with_body_of(most_bytes: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a view of a form with files: its own bound holds for the body (penny_site/processes/bodies.py)."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        view.body_bytes = most_bytes  # type: ignore[attr-defined]
        return view

    return decorate
