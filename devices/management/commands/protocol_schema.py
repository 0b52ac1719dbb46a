import json
from typing import Any

from django.core.management.base import BaseCommand

from devices import protocol


class Command(BaseCommand):
    help = "Print the JSON Schema of the wire contract, from which the extension's types are generated."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(json.dumps(protocol.schema(), indent=2, sort_keys=True))
