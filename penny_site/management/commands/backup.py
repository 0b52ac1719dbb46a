import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from penny_site.backups.make import BackupFailed, make_backup


class Command(BaseCommand):
    help = (
        "Back everything up into one file, while Penny runs. It prints the file. Exit code 2 when no backup was made."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--to", type=Path, metavar="DIR", help="another folder than the data folder's; nothing in it is deleted"
        )
        parser.add_argument(
            "--with-secrets",
            action="store_true",
            help="with the keys by which your browsers know this Penny",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            path = make_backup(
                "by hand",
                with_secrets=options["with_secrets"],
                into=options["to"] and options["to"].expanduser().absolute(),
            )
        except BackupFailed as error:
            self.stderr.write(f"penny: no backup was made: {error}.")
            sys.exit(2)
        self.stdout.write(str(path))
