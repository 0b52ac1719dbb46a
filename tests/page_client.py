"""Django's test client, with the white space of pages squeezed."""

from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from tests.pages import squeeze


class PageClient(Client):
    def request(self, **request: Any) -> HttpResponseBase:  # type: ignore[override]
        response = super().request(**request)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = squeeze(response.content.decode()).encode()
        return response
