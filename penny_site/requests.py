from django.contrib.auth.models import User
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request as the middleware leaves it, whoever sent it."""

    htmx: HtmxDetails


class OwnerRequest(HtmxRequest):
    """A request of the signed-in owner."""

    user: User
