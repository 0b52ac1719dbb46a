"""Penny and her extension are released together, under one version: they fit when its first two numbers are the
same.
"""

import re

from django.conf import settings

from devices import protocol

NUMBERS = re.compile(r"(\d+)\.(\d+)(?!\d)")
EXTENSION = "penny-extension "


def misfit(client: str) -> protocol.Misfit | None:
    """Return how the extension that `Device.client` names differs from this Penny. Other programs have versions of
    their own, and fit.
    """
    if not client.startswith(EXTENSION):
        return None
    theirs, ours = _numbers(client.removeprefix(EXTENSION)), _numbers(settings.VERSION)
    if theirs is None or ours is None or theirs == ours:
        return None
    return protocol.Misfit(extension="older" if theirs < ours else "newer", version=settings.VERSION)


def _numbers(version: str) -> tuple[int, int] | None:
    found = NUMBERS.match(version)
    return (int(found[1]), int(found[2])) if found else None
