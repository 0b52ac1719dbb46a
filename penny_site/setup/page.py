"""The context of the setup page: which of its three screens is shown, the browsers and the extension."""

from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils import timezone

from devices.models import Device
from penny_site.environment import ROOT
from penny_site.requests import OwnerRequest
from thoughts.models import Preference

BUILDS = {"firefox": "Firefox", "chrome": "Chrome"}
CONNECT, ASK, BROWSERS = "connect", "ask", "browsers"
CONNECTS_WITHIN = timedelta(seconds=10)  # after it was paired, so that no other screen is shown in between


def setup_page(request: OwnerRequest) -> dict[str, Any]:
    current = request.GET.get("screen", "") if request.htmx else ""
    devices = list(Device.objects.paired().filter(kind=Device.Kind.BROWSER))
    user_agent = request.headers.get("User-Agent", "")
    return {
        "screen": _screen(devices, current),
        "devices": devices,
        "connected": [device for device in devices if device.is_connected],
        "builds": _builds(user_agent),
        "can_load": can_load(user_agent),
        "public_url": settings.HOME_URL,
    }


def _screen(devices: list[Device], current: str) -> str:
    """Return the screen that the page should show. `current`: the one that it shows, if it asks."""
    if Preference.objects.filter(valence=Preference.Valence.LIKE).exists():
        return BROWSERS if devices else CONNECT
    if current == ASK or any(device.is_connected for device in devices):
        return ASK  # a connection that drops does not take the box away
    is_connecting = any(device.created_at > timezone.now() - CONNECTS_WITHIN for device in devices)
    return BROWSERS if devices and not (current == CONNECT and is_connecting) else CONNECT


def can_load(user_agent: str) -> bool:
    """Whether the browser that looks at the page can load the extension: not on a phone, and not Safari."""
    is_phone = any(mark in user_agent for mark in ("Mobile", "Android", "iPhone", "iPad"))
    return not is_phone and ("Safari/" not in user_agent or "Chrome/" in user_agent)


def _builds(user_agent: str) -> list[tuple[str, str]]:
    """Return the builds of the extension, first the one for the browser that looks at the page."""
    return sorted(BUILDS.items(), key=lambda build: (build[0] == "firefox") != ("Firefox/" in user_agent))


def build_path(browser: str) -> Path:
    return ROOT / "browser_ext" / ".output" / f"penny-{browser}.zip"
