import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from penny_site import private_files
from penny_site.environment import ROOT
from penny_site.health.model import ask_here
from penny_site.health.part import Part
from penny_site.health.parts import readiness


class Command(BaseCommand):
    help = "Say what is wrong and what to do. Exit code 1 when something that Penny needs is missing."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        # Asked here and now: Penny may not run.
        parts = [_python(), *(ask_here() if part.name == "model" else part for part in readiness())]
        parts += [_data_folder(), _extension()]
        for part in parts:
            mark = "ok" if part.is_ok else "FAILS" if part.is_required else "note"
            more = ". ".join(filter(None, (part.text, part.note, part.advice)))
            self.stdout.write(f"{mark:>5}  {part.label}: {more}")
        self.stdout.write(f"       Data folder: {settings.DATA}\n       Address: {settings.HOME_URL}")
        if not all(part.is_ok for part in parts if part.is_required):
            sys.exit(1)


def _python() -> Part:
    is_ok = sys.version_info >= (3, 11)
    return Part(
        "python", "Python", is_ok, True, sys.version.split()[0], "" if is_ok else "Install Python 3.11 or newer."
    )


def _data_folder() -> Part:
    """Take the rights of other users away, and report those that stay."""
    try:
        count, trouble = private_files.close_paths(settings.DATA), ""
    except OSError as error:
        count, trouble = 0, f" ({error.strerror})"
    open_path = next(private_files.open_paths(settings.DATA), None)
    if open_path is not None:
        advice = f"Give the folder to the user who runs Penny, and run: chmod -R go= {settings.DATA}"
        return Part("files", "Data folder", False, False, f"other users can reach {open_path}{trouble}", advice)
    text = f"closed {count} files and folders to other users" if count else "closed to other users"
    return Part("files", "Data folder", True, False, text, "")


def _extension() -> Part:
    built = [
        name for name in ("firefox", "chrome") if (ROOT / "browser_ext" / ".output" / f"penny-{name}.zip").exists()
    ]
    is_ok = len(built) == 2
    return Part(
        "extension",
        "Extension",
        is_ok,
        False,
        f"built for {', '.join(built) or 'no browser'}",
        "" if is_ok else "Run make install.",
    )
