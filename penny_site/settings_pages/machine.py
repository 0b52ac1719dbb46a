"""The context of the page This machine: what runs, the disk, the addresses, the version and the log."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings

from penny_site.health import parts as health_parts
from penny_site.health.part import Part
from penny_site.requests import OwnerRequest
from penny_site.settings_pages.forms import SettingsForm
from penny_site.settings_pages.pages import MACHINE
from thoughts.text.numbers import size_text

TEMPLATE = "penny_site/settings/machine.html"
TESTABLE = ("sandbox", "broker")
# The parts of this machine in the owner's words, and their text while they work. `doctor` has the terms of the trade.
WORDS = {
    "database": ("What Penny knows", "can be read and written"),
    "broker": ("Messages between her parts", "arrive"),
    "worker": ("Answers and background work", "can start"),
    "beat": ("Clock for routines", "runs"),
    "sandbox": ("Reading pages", ""),
}


def page(request: OwnerRequest, form: SettingsForm | None = None) -> dict[str, Any]:
    return parts_context() | {
        "testable": TESTABLE,
        "disk": _disk_words(),
        "folder": settings.DATA,
        "address": settings.HOME_URL,
        "is_loopback": settings.IS_LOOPBACK,
        "version": settings.VERSION,
        "log": find_log(),
        "form": form or SettingsForm(MACHINE.settings),
    }


def parts_context() -> dict[str, Any]:
    parts = [_in_the_owners_words(part) for part in health_parts.machinery()]
    return {"machinery": parts, "failing": [part for part in parts if not part.is_ok]}


def _in_the_owners_words(part: Part) -> Part:
    label, text = WORDS.get(part.name, (part.label, ""))
    return replace(part, label=label, text=text if text and part.is_ok else part.text)


def find_log() -> Path | None:
    log = Path(settings.DATA) / "log" / "penny.log"
    return log if log.is_file() else None


def _disk_words() -> str:
    usage = shutil.disk_usage(settings.DATA)
    return f"{size_text(usage.free)} free of {size_text(usage.total)}"
