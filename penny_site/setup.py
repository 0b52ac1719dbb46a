"""What the setup page shows: the parts of Penny, the devices, and the two builds of the extension."""

from pathlib import Path
from typing import Any

from django.conf import settings

from devices.models import Device
from penny_site import backups, health
from penny_site.environment import ROOT

BUILDS = {"firefox": "Firefox", "chrome": "Chrome"}
TESTABLE = ("model", "browser", "sandbox", "broker")


def setup_page() -> dict[str, Any]:
    parts = {part.name: part for part in health.readiness()}
    machinery = [part for part in parts.values() if part.is_required]
    return {
        "parts": parts,
        "machinery": machinery,
        "failing": [part for part in machinery if not part.is_ok],
        "devices": Device.objects.active().exclude(kind=Device.Kind.WEB),
        "testable": TESTABLE,
        "public_url": settings.PUBLIC_URL,
        **backups.state(),
    }


def build(browser: str) -> Path:
    """Return where `make install` leaves the extension for this browser."""
    return ROOT / "browser_ext" / ".output" / f"penny-{browser}.zip"
