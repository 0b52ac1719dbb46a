"""Views that pause, resume, delete and restore a row of a list, each with its undo."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from penny_site.requests import OwnerRequest, redirect_with_undo

UNDO = {"pause": "resume", "resume": "pause", "delete": "restore", "restore": "delete"}


@dataclass(frozen=True)
class RowViews:
    """The four views of a model's rows.

    The rows need `set_paused` and `set_deleted`, their manager `kept`.

    `prefix` begins the names of the URLs, as in `watch_pause`. `texts` holds the message of each action; `{}` is the
    name of the row. `home` is the URL name of the list.
    """

    model: type[Any]
    prefix: str
    home: str
    texts: Mapping[str, str]

    def urls(self, route: str) -> list[URLPattern]:
        return [
            path(f"{route}{action}/", require_POST(partial(self._act, action)), name=f"{self.prefix}_{action}")
            for action in UNDO
        ]

    def _act(self, action: str, request: OwnerRequest, **key: object) -> HttpResponse:
        rows = self.model.objects.all() if action == "restore" else self.model.objects.kept()
        row = get_object_or_404(rows, **key)
        if action in ("pause", "resume"):
            row.set_paused(action == "pause")
        else:
            row.set_deleted(timezone.now() if action == "delete" else None)
        text = self.texts[action].format(getattr(row, "short_name", row))
        return redirect_with_undo(request, text, reverse(f"{self.prefix}_{UNDO[action]}", kwargs=key), home=self.home)
