from django.contrib.auth.models import User
from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class OwnerRequest(HttpRequest):
    """A request of the signed-in owner, as the middleware leaves it."""

    user: User
    htmx: HtmxDetails
