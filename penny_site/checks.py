"""System checks of the settings; a failed one stops the start.

The start skips Django's own checks: these check code, which does not change on an owner's machine.
"""

import zoneinfo
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

SETTINGS_TAG = "penny_settings"


@register(SETTINGS_TAG)
def check_secret_key(app_configs: Any, **_: Any) -> list[CheckMessage]:
    if len(settings.SECRET_KEY) < 32:
        return [
            Error(
                "The secret key is shorter than 32 characters.",
                hint="Remove PENNY_SECRET_KEY, or set a longer one.",
                id="penny.E001",
            )
        ]
    return []


@register(SETTINGS_TAG)
def check_default_timezone(app_configs: Any, **_: Any) -> list[CheckMessage]:
    name = str(settings.CONSTANCE_CONFIG["TIMEZONE"][0])
    if name not in zoneinfo.available_timezones():
        return [
            Error(f"This machine's timezone {name} is unknown.", hint="Set TZ, or install tzdata.", id="penny.E002")
        ]
    return []
