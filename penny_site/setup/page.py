"""The context of the setup page: browsers, the model and the extension."""

from pathlib import Path
from typing import Any

from django.conf import settings

from devices.models import Device
from penny_site.environment import ROOT
from penny_site.health import parts as health_parts

BUILDS = {"firefox": "Firefox", "chrome": "Chrome"}
TESTABLE = ("model", "browser")


def setup_page() -> dict[str, Any]:
    return {
        "parts": {part.name: part for part in health_parts.first_steps()},
        "devices": Device.objects.paired(),
        "public_url": settings.HOME_URL,
    }


def build_path(browser: str) -> Path:
    return ROOT / "browser_ext" / ".output" / f"penny-{browser}.zip"
