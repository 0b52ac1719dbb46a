"""Form fields of the settings: numbers are shown and typed in as people write them."""

import re
from typing import Any

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma

from devices.owner import timezones

_SEPARATORS = re.compile(r"(?<=\d)[,\s_'’](?=\d{3}(?!\d))")
WORDS: dict[str, Any] = {
    "required": "Write a number.",
    "invalid": "Write a number.",
    "min_value": "Write %(limit_value)s or more.",
    "max_value": "Write %(limit_value)s or less.",
}


class CountField(forms.IntegerField):
    """Takes 1000000 and 1,000,000."""

    widget = forms.TextInput
    default_error_messages = WORDS | {"invalid": "Write a whole number."}

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": "numeric", "size": 10, "autocomplete": "off"}

    def to_python(self, value: Any) -> int | None:
        return super().to_python(_SEPARATORS.sub("", value.strip()) if isinstance(value, str) else value)

    def prepare_value(self, value: Any) -> Any:
        return intcomma(value, use_l10n=False) if isinstance(value, int) else value


class DecimalNumberField(forms.FloatField):
    widget = forms.TextInput
    default_error_messages = WORDS

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {"inputmode": "decimal", "size": 10, "autocomplete": "off"}

    def prepare_value(self, value: Any) -> Any:
        return f"{value:g}" if isinstance(value, float) else value


class ClockField(forms.RegexField):
    widget = forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    default_error_messages = {"invalid": "Write a time such as 22:00."}

    def __init__(self, **options: Any) -> None:
        super().__init__(r"^([01]\d|2[0-3]):[0-5]\d$", required=False, strip=True, **options)


class TimezoneField(forms.ChoiceField):
    """Takes "Europe/Berlin", "europe/berlin", "Berlin" and "UTC+2"."""

    default_error_messages = {"required": timezones.UNKNOWN, "invalid_choice": timezones.UNKNOWN}

    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value))
        return timezones.parse_timezone(text) or text
