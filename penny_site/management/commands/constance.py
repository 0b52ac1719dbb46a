"""The command of the library, which stores settings where everything else does."""

from typing import Any

from constance.forms import ConstanceForm
from constance.management.commands.constance import Command as LibraryCommand
from constance.utils import get_values
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from agents.commands.config import change_setting


class Command(LibraryCommand):  # type: ignore[misc]
    def handle(self, command: str, key: str = "", value: Any = None, *args: Any, **options: Any) -> None:
        if command != self.SET or key not in settings.CONSTANCE_CONFIG:
            super().handle(command, key, value, *args, **options)
            return
        try:
            change_setting(key, ConstanceForm(initial=get_values()).fields[key].clean(" ".join(value)))
        except ValidationError as error:
            raise CommandError(", ".join(error.messages)) from None
