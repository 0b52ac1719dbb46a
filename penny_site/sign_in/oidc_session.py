"""How Penny reaches the service that signs the owner in."""

from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from requests import PreparedRequest, RequestException, Response, Session

from devices.channels.reach import only_public_or_typed

TIMEOUT_S = 15


class ServiceSession(Session):
    """Reach the service: no private address that the owner did not enter, no redirect to another host."""

    def send(self, request: PreparedRequest, **kwargs: Any) -> Response:
        kwargs.setdefault("timeout", TIMEOUT_S)
        with only_public_or_typed(urlsplit(settings.OIDC_URL).hostname):
            return super().send(request, **kwargs)

    def get_redirect_target(self, resp: Response) -> str | None:
        target = super().get_redirect_target(resp)
        if target is not None and urlsplit(urljoin(resp.url, target))[:2] != urlsplit(resp.url)[:2]:
            raise RedirectRefused("The service leads to another host.")
        return target


class RedirectRefused(RequestException):
    """The service redirected Penny to another host."""
