"""API tokens: a program speaks for the owner over HTTP, as a device of its own.

The API exists only while a token is valid.
"""

import secrets

from devices.models.sign_in import ApiToken

PREFIX = "penny-"  # makes a leaked token recognisable


def new_token(label: str) -> tuple[ApiToken, str]:
    """Create a device with a token; return its row and the token, which is not stored."""
    from devices.models import Device, digest

    token = PREFIX + secrets.token_urlsafe(32)
    device = Device.objects.create(label=label[:64], kind=Device.Kind.API, tool_use=False)
    return ApiToken.objects.create(device=device, digest=digest(token)), token


def is_open() -> bool:
    """Return whether the API exists: one token is valid."""
    return ApiToken.objects.good().exists()
