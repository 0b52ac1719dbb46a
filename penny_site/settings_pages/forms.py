"""The forms of the settings pages. A form has the fields of some settings, and saves what the owner changed in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from constance.utils import get_values_for_keys
from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from agents.commands.config import change_setting
from penny_site.settings_pages.fields import CountField
from penny_site.settings_pages.pages import NOTIFICATIONS
from penny_site.settings_pages.setting import Setting

Values = dict[str, Any]


def store(values: Mapping[str, Any]) -> Values:
    """Store settings; return the earlier values of those that differ."""
    before = get_values_for_keys(list(values))
    changed = {name: value for name, value in values.items() if before[name] != value}
    for name, value in changed.items():
        change_setting(name, value)
    return {name: before[name] for name in changed}


@dataclass(frozen=True)
class Row:
    """One setting on a page."""

    setting: Setting
    field: forms.BoundField
    value: Any

    @property
    def is_changed(self) -> bool:
        return bool(self.value != self.setting.default)

    @property
    def is_switch(self) -> bool:
        return self.setting.kind == "switch"

    @property
    def default_text(self) -> str:
        default = self.setting.default
        if isinstance(default, bool):
            return "on" if default else "off"
        if self.setting.kind in ("theme", "outlet"):
            return str(dict(self.field.field.choices)[default]).lower()  # type: ignore[attr-defined]
        return f"{default:,}" if isinstance(default, int) else f"{default:g}" if isinstance(default, float) else default

    @property
    def back_label(self) -> str:
        return f"Back to {self.default_text}" if self.default_text else "Clear"

    @property
    def control(self) -> SafeString:
        """Return the field with its hidden earlier value, described by unit, help and errors."""
        parts = [("unit", self.setting.unit), ("help", self.setting.help), ("wrong", self.field.errors)]
        ids = " ".join(f"{self.field.auto_id}_{part}" for part, words in parts if words)
        hidden = self.field.as_hidden(only_initial=True) if self.field.field.show_hidden_initial else ""
        return format_html("{}{}", self.field.as_widget(attrs={"aria-describedby": ids}), hidden)


class SettingsForm(forms.Form):
    """Fields for settings. Each carries the value that its page showed: only what differs from that is saved."""

    def __init__(self, settings: Iterable[Setting], data: QueryDict | None = None) -> None:
        from constance.forms import FIELDS  # imports the admin

        super().__init__(data)
        self.settings = {setting.name: setting for setting in settings}
        self.initial = get_values_for_keys(list(self.settings))
        for setting in self.settings.values():
            kind, options = FIELDS[setting.kind]
            field = kind(label=setting.label, **options)
            field.show_hidden_initial = True
            if setting.kind != "switch":
                field.widget.attrs["class"] = "field"
            self.fields[setting.name] = field

    @property
    def rows(self) -> list[Row]:
        return [self.row(name) for name in self.settings]

    def row(self, name: str) -> Row:
        return Row(self.settings[name], self[name], self.initial[name])

    @property
    def has_changed_settings(self) -> bool:
        return any(row.is_changed for row in self.rows)

    def new_values(self) -> Values:
        """Return the values of the settings that the owner changed in this form."""
        return {name: self.cleaned_data[name] for name in self.changed_data}

    def names_of(self, reset: str) -> list[str]:
        """Return the settings of this form that a button of a reset names: one, or all of them."""
        return list(self.settings) if reset == "all" else [reset] if reset in self.settings else []

    def fields_of(self, name: str) -> tuple[str, ...]:
        """Return the fields of a setting."""
        return (name,)

    def with_reset(self, names: Iterable[str]) -> Self:
        """Return this form after a reset of settings: their defaults, and the owner's other edits as they are."""
        assert isinstance(self.data, QueryDict)
        data = self.data.copy()
        fresh = type(self)(data=None, **self._options())
        for field in (field for name in names for field in self.fields_of(name)):
            value = fresh[field].value()
            data[self.add_initial_prefix(field)] = data[field] = str(value)
            if value is False:
                del data[field]
        return type(self)(data=data, **self._options())

    def _options(self) -> dict[str, Any]:
        return {"settings": self.settings.values()}


class NotificationsForm(SettingsForm):
    """The settings of notifications. How many finds are told is one of three choices."""

    WATCHES, BEST, STRONG = "watches", "best", "strong"
    STRONG_MOST = 10

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(NOTIFICATIONS.settings, data)
        del self.fields["NOTIFY_FINDS_MAX"]
        most = self.initial["NOTIFY_FINDS_MAX"]
        self.fields["tell"] = forms.ChoiceField(
            label="Tell me about",
            choices=[
                (self.WATCHES, "Only watches"),
                (self.BEST, "Best find of the day"),
                (self.STRONG, "All strong finds"),
            ],
            widget=forms.RadioSelect,
            show_hidden_initial=True,
            error_messages={"required": "Choose one."},
        )
        self.fields["strong_most"] = strong_most = CountField(
            label="Strong finds", min_value=2, max_value=1000, show_hidden_initial=True
        )
        self.initial["tell"] = {0: self.WATCHES, 1: self.BEST}.get(most, self.STRONG)
        self.initial["strong_most"] = most if most > 1 else self.STRONG_MOST
        strong_most.widget.attrs |= {"class": "field", "aria-describedby": "id_strong_most_help"}

    @property
    def rows(self) -> list[Row]:
        return [self.row(name) for name in self.settings if name in self.fields]

    @property
    def earlier_tell(self) -> SafeString:
        return self["tell"].as_hidden(only_initial=True)

    @property
    def tell_is_changed(self) -> bool:
        return bool(self.initial["NOTIFY_FINDS_MAX"] != self.settings["NOTIFY_FINDS_MAX"].default)

    @property
    def has_changed_settings(self) -> bool:
        return self.tell_is_changed or super().has_changed_settings

    def clean(self) -> Values:
        values = super().clean() or {}
        if not {"QUIET_FROM", "QUIET_TO"} & set(self.errors) and bool(values["QUIET_FROM"]) != bool(values["QUIET_TO"]):
            self.add_error(
                "QUIET_FROM" if values["QUIET_TO"] else "QUIET_TO", "Choose this time as well, or clear both."
            )
        least, most = values.get("NOTIFY_COOLDOWN_MIN"), values.get("NOTIFY_COOLDOWN_MAX_MIN")
        if least and most and most < least:
            self.add_error("NOTIFY_COOLDOWN_MAX_MIN", f"Write {least} or more: the wait begins there.")
        return values

    def fields_of(self, name: str) -> tuple[str, ...]:
        return ("tell", "strong_most") if name == "NOTIFY_FINDS_MAX" else (name,)

    def _options(self) -> dict[str, Any]:
        return {}

    def new_values(self) -> Values:
        values = super().new_values()
        touched = values.pop("tell", None) is not None, values.pop("strong_most", None) is not None
        if any(touched):
            tell = self.cleaned_data["tell"]
            most = {self.WATCHES: 0, self.BEST: 1}.get(tell, self.cleaned_data["strong_most"])
            values["NOTIFY_FINDS_MAX"] = most
        return values
