"""Settings that do not fit together stop the start. Django's own checks are of the code, which does not change on an
owner's machine.
"""

import zoneinfo
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

OF_SETTINGS = "penny_settings"


@register(OF_SETTINGS)
def secret_key_is_long(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if len(settings.SECRET_KEY) < 32:
        return [
            Error(
                "The secret key is shorter than 32 characters.",
                hint="Remove PENNY_SECRET_KEY, or set a longer one.",
                id="penny.E001",
            )
        ]
    return []


@register(OF_SETTINGS)
def timezone_default_exists(app_configs: Any, **_: Any) -> list[CheckMessage]:
    name = str(settings.CONSTANCE_CONFIG["TIMEZONE"][0])
    if name not in zoneinfo.available_timezones():
        return [
            Error(f"This machine's timezone {name} is unknown.", hint="Set TZ, or install tzdata.", id="penny.E002")
        ]
    return []
