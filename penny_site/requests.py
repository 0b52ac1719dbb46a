from django.contrib.auth.models import User
from django.http import HttpRequest
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
    """Whether one of Penny's pages, or the owner's own browser, led to a request: browsers say when it was another site's page."""
    return request.headers.get("Sec-Fetch-Site", "none") in ("same-origin", "none")


def here_or_feed(there: str) -> str:
    """Return the address that a form or a link says comes next, if it is one of this site, and else the feed's."""
    return there if url_has_allowed_host_and_scheme(there, allowed_hosts=None) else reverse("feed")
