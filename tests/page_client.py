"""Django's test client, with the white space of pages squeezed."""

import json
import re
from html import unescape
from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from tests.pages import squeeze, visible_words


class PageClient(Client):
    def request(self, **request: Any) -> HttpResponseBase:  # type: ignore[override]
        response = super().request(**request)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = squeeze(response.content.decode()).encode()
        return response


def page_words(client: Client, address: str, **fields: Any) -> str:
    """Return the words of a page; with fields, of what htmx gets."""
    response = client.get(address, fields, headers={"HX-Request": "true"} if fields else {})
    return visible_words(response.content.decode())


def chat_data(response: Any) -> dict[str, Any]:
    """Return what the chat page tells its script."""
    [data] = re.findall(r'data-page="([^"]*)"', response.content.decode())
    return dict(json.loads(unescape(data)))
