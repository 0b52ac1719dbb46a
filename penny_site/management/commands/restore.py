import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from penny_site.backups.restore import RestoreRefused, restore

RESTORED = """Restored the backup of {made_at:%Y-%m-%d %H:%M} UTC into {into}.
Start Penny on it: make up ARGS="--data {into}"
Sign in with the link that she prints. Nobody else is let in: switch your devices, programs and subscriptions on again
on the page that her banner leads to.{without_secrets}"""
WITHOUT_SECRETS = """
The backup held no keys: pair your browsers again instead."""


class Command(BaseCommand):
    help = "Bring a backup back into an empty folder: restore FILE --data DIR. Exit code 2 when nothing was restored."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what manage.py backup made")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            manifest = restore(options["file"].expanduser().absolute())
        except RestoreRefused as error:
            self.stderr.write(f"penny: nothing was restored: {error}.")
            sys.exit(2)
        self.stdout.write(
            RESTORED.format(
                made_at=manifest.made_at,
                into=settings.RESTORE_INTO,
                without_secrets="" if manifest.with_secrets else WITHOUT_SECRETS,
            )
        )
