from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from devices.access.pairing import open_code


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    help = "Print a code of 8 digits that pairs one browser or program within two minutes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--label", default="", help="What the device will be called; by default it says so itself.")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(open_code(options["label"]))
