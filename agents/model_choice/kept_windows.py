"""Keep what is known of the windows of the models in use, so that it outlives a restart.

A row is as untrusted as the server that it came from: what is no plausible number counts as not known.
"""

from datetime import timedelta
from urllib.parse import urlsplit

import structlog
from django.db import DatabaseError, transaction
from django.db.models import Q
from django.utils import timezone

from agents.llm import windows
from agents.llm.providers import Endpoint
from agents.model_choice.in_use import Models, models_in_use
from agents.model_choice.models import NAME_CHARACTERS, URL_CHARACTERS, ModelWindow

log = structlog.get_logger("penny.model")


def keep_window(endpoint: Endpoint) -> None:
    """Store what this process knows of a model's window. Rows of models that are no longer in use go.

    An address with a password is not stored. A failure is logged: the window is known all the same.
    """
    parts = urlsplit(endpoint.url)
    has_secret = parts.password is not None or bool(parts.query)
    if has_secret or len(endpoint.url) > URL_CHARACTERS or len(endpoint.name) > NAME_CHARACTERS:
        return
    state = windows.known_window(endpoint)
    found_at = timezone.now() - timedelta(seconds=state.age_s) if state.found else None
    fields = {"told": state.told, "server": state.server, "found": state.found, "found_at": found_at}
    try:
        with transaction.atomic():
            ModelWindow.objects.update_or_create(url=endpoint.url, name=endpoint.name, defaults=fields)
            forget_other_windows()
    except DatabaseError:
        log.exception("window.not_kept")


def recall_window(endpoint: Endpoint) -> None:
    """Take over into this process a limit that was found not long ago, with what the server told then; else nothing."""
    facts = stored_window(endpoint)
    windows.take_over(endpoint, facts if facts.found else windows.KnownWindow())


def recall_windows() -> None:
    for endpoint in _endpoints(models_in_use()):
        recall_window(endpoint)


def stored_window(endpoint: Endpoint) -> windows.KnownWindow:
    """Return what is stored of a model's window, as far as it can be."""
    try:
        row = ModelWindow.objects.filter(url=endpoint.url, name=endpoint.name).first()
    except DatabaseError:  # before the first start
        row = None
    if row is None:
        return windows.KnownWindow()
    age_s = (timezone.now() - row.found_at).total_seconds() if row.found_at else -1.0
    return windows.believed(windows.KnownWindow(row.told, row.server, row.found, age_s))


def forget_other_windows() -> None:
    """Delete what is stored of models that are not in use."""
    in_use = Q(pk=None)
    for endpoint in _endpoints(models_in_use()):
        in_use |= Q(url=endpoint.url, name=endpoint.name)
    ModelWindow.objects.exclude(in_use).delete()


def _endpoints(models: Models) -> set[Endpoint]:
    return {endpoint for endpoint in (models.main, models.reader, models.vision, models.act) if endpoint}
