from typing import Any

from django.core.management.base import BaseCommand

from devices.owner.account import new_sign_in_link


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    help = "Print a link that signs you in once."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(new_sign_in_link())
