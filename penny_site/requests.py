from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request as the middleware leaves it, whoever sent it."""

    htmx: HtmxDetails


class OwnerRequest(HtmxRequest):
    """A request of the signed-in owner."""

    user: User


def is_from_here(request: HttpRequest) -> bool:
    """Whether one of Penny's pages, or the owner's own browser, led to a request: browsers say when it was another
    site's page.
    """
    return request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")


def here_or_feed(there: str) -> str:
    """Return the address that a form or a link says comes next, if it is one of this site, and else the feed's."""
    return there if url_has_allowed_host_and_scheme(there, allowed_hosts=None) else reverse("feed")


def done(request: OwnerRequest, words: str, undo_at: str = "", *, home: str) -> HttpResponse:
    """Say on the page that comes next what was done, with the address that undoes it."""
    messages.success(request, words, extra_tags=undo_at)
    return redirect(beneath(request, home))


def beneath(request: OwnerRequest, home: str) -> str:
    """Return the address that a form says comes next, where it lies beneath that of the page named `home`, and else
    that page's.
    """
    there, top = request.POST.get("next", ""), reverse(home)
    return there if there.startswith(top) and url_has_allowed_host_and_scheme(there, allowed_hosts=None) else top
