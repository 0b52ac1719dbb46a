"""All settings in the admin, under the labels and units of the settings pages."""

from typing import Any

from constance import config
from constance.admin import ConstanceAdmin
from constance.forms import ConstanceForm
from django.contrib import messages
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import normalize_newlines

from agents.commands.config import change_setting
from agents.schedules.zone import moved_in_words
from penny_site.settings_pages.groups import SETTINGS


class SettingsAdminForm(ConstanceForm):  # type: ignore[misc]
    """The form of the library, which stores settings where everything else does."""

    def __init__(self, initial: dict[str, Any], request: HttpRequest | None = None, **options: Any) -> None:
        super().__init__(initial, request=request, **options)
        self.request = request

    def save(self) -> list[str]:
        """Store what differs; return its names."""
        values = {name: self.cleaned_data[name] for name in SETTINGS}
        values |= {name: normalize_newlines(value) for name, value in values.items() if isinstance(value, str)}
        changed = [name for name, value in values.items() if getattr(config, name) != value]
        for name in changed:
            change_setting(name, values[name])
        if "TIMEZONE" in changed and self.request and (words := moved_in_words(timezone.now())):
            messages.info(self.request, words.strip())
        return changed


class SettingsAdmin(ConstanceAdmin):  # type: ignore[misc]
    change_list_form = SettingsAdminForm

    def get_config_value(self, name: str, options: Any, form: Any, initial: Any) -> dict[str, Any]:
        value: dict[str, Any] = super().get_config_value(name, options, form, initial)
        default = value["default"]
        if isinstance(options[0], bool):
            texts = {"raw_text": str(options[0]).lower(), "default_text": "on" if options[0] else "off"}
        else:
            texts = {"raw_text": default, "default_text": default or "empty"}
        return value | {"setting": SETTINGS[name]} | texts
