"""Tokens with which a program speaks for the owner over HTTP. Each is a device's; the API is there only while one is
good.
"""

import secrets
from typing import TYPE_CHECKING

from devices.models.sign_in import ApiToken

if TYPE_CHECKING:
    pass

PREFIX = "penny-"  # so that one that was lost somewhere is known for what it is


def new_token(label: str) -> tuple[ApiToken, str]:
    """Make a device with a token, and return it with the token itself, which is stored nowhere."""
    from devices.models import Device, digest

    token = PREFIX + secrets.token_urlsafe(32)
    device = Device.objects.create(label=label[:64], kind=Device.Kind.API, tool_use=False)
    return ApiToken.objects.create(device=device, digest=digest(token)), token


def is_open() -> bool:
    """Whether there is an API at all."""
    return ApiToken.objects.good().exists()
