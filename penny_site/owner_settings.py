"""The settings of the owner, for constance: how each kind is typed in, and their groups in the admin."""

import zoneinfo

from django.utils import timezone

from devices.channels.registry import chosen_kinds
from penny_site.settings_pages.groups import GROUPS

DISK_FREE_MB_MOST = 10_000
THEMES = [("auto", "Automatic"), ("light", "Light"), ("dark", "Dark")]


KINDS = {
    "signal": "Signal",
    "push": "a browser that shows notifications",
    "apprise": "another outlet",
    "browser": "the sidebar of a browser",
}


def notify_choices() -> list[tuple[str, str]]:
    """Return the choices of NOTIFY_CHANNEL: a kind of device, or one of several of a kind."""
    from devices.channels.routing import one_of_several  # needs the settings

    devices = [
        (str(device.pk), f"{device}, added {timezone.localtime(device.created_at):%-d %B %Y}")
        for device in one_of_several()
    ]
    return [("", "the first that reaches me"), *((kind, KINDS.get(kind, kind)) for kind in chosen_kinds()), *devices]


CONSTANCE_BACKEND = "penny_site.settings_pages.store.Store"
CONSTANCE_ADDITIONAL_FIELDS = {
    "timezone": [
        "penny_site.settings_pages.fields.TimezoneField",
        {"choices": [(name, name) for name in sorted(zoneinfo.available_timezones())]},
    ],
    "template": ["penny_site.search_address.SearchAddressField", {}],
    "templates": [
        "penny_site.search_address.SearchAddressesField",
        {"required": False, "widget": "django.forms.Textarea", "widget_kwargs": {"attrs": {"rows": 3}}},
    ],
    "count": ["penny_site.settings_pages.fields.CountField", {"min_value": 1}],
    "points": ["penny_site.settings_pages.fields.DecimalNumberField", {}],
    "outlet": [
        "django.forms.ChoiceField",
        {"required": False, "choices": notify_choices},
    ],
    "share": ["penny_site.settings_pages.fields.DecimalNumberField", {"min_value": 0, "max_value": 1}],
    "money": ["penny_site.settings_pages.fields.DecimalNumberField", {"min_value": 0}],
    "clock": ["penny_site.settings_pages.fields.ClockField", {}],
    "days_share": ["penny_site.settings_pages.fields.DecimalNumberField", {"min_value": 0, "max_value": 365}],
    "days": ["penny_site.settings_pages.fields.CountField", {"min_value": 0, "max_value": 36_500}],
    "megabytes": ["penny_site.settings_pages.fields.CountField", {"min_value": 0, "max_value": DISK_FREE_MB_MOST}],
    "switch": ["django.forms.BooleanField", {"required": False}],
    "theme": ["django.forms.ChoiceField", {"choices": THEMES}],
    "words": ["django.forms.CharField", {"required": False, "max_length": 64}],
}
# Where a setting is shown, and under which label: penny_site/settings_pages/.
CONSTANCE_CONFIG = {
    setting.name: (setting.default, setting.help, setting.kind) for group in GROUPS for setting in group.settings
}
CONSTANCE_CONFIG_FIELDSETS = tuple((group.title, tuple(setting.name for setting in group.settings)) for group in GROUPS)
