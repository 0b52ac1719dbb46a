"""All settings in the admin, under the labels and units of the settings pages."""

from typing import Any

from constance.admin import ConstanceAdmin

from penny_site.settings_pages.groups import SETTINGS


class SettingsAdmin(ConstanceAdmin):  # type: ignore[misc]
    def get_config_value(self, name: str, options: Any, form: Any, initial: Any) -> dict[str, Any]:
        value: dict[str, Any] = super().get_config_value(name, options, form, initial)
        default = value["default"]
        if isinstance(options[0], bool):
            texts = {"raw_text": str(options[0]).lower(), "default_text": "on" if options[0] else "off"}
        else:
            texts = {"raw_text": default, "default_text": default or "empty"}
        return value | {"setting": SETTINGS[name]} | texts
