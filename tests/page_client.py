"""A client of Django's that reads pages without the white space of their templates."""

from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from tests.pages import squeezed


class PageClient(Client):
    def request(self, **request: Any) -> HttpResponseBase:  # type: ignore[override]
        response = super().request(**request)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = squeezed(response.content.decode()).encode()
        return response
