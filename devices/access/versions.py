"""Check that an extension fits this Penny: the first two numbers of both versions are equal.

Both are released together.
"""

import re

from django.conf import settings

from devices import protocol

NUMBERS = re.compile(r"(\d+)\.(\d+)(?!\d)")
EXTENSION = "penny-extension "


def misfit(client: str) -> protocol.Misfit | None:
    """Return how the extension that `Device.client` names differs from this Penny, or None.

    Other programs have versions of their own, and fit.
    """
    if not client.startswith(EXTENSION):
        return None
    theirs, ours = _first_numbers(client.removeprefix(EXTENSION)), _first_numbers(settings.VERSION)
    if theirs is None or ours is None or theirs == ours:
        return None
    return protocol.Misfit(extension="older" if theirs < ours else "newer", version=settings.VERSION)


def _first_numbers(version: str) -> tuple[int, int] | None:
    match = NUMBERS.match(version)
    return (int(match[1]), int(match[2])) if match else None
