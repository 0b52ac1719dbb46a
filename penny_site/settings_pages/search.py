"""Find settings, and what else the settings pages hold, by words."""

from dataclasses import dataclass, replace

from django.urls import reverse

from penny_site.settings_pages import expert, pages
from penny_site.settings_pages.setting import Group, Setting


@dataclass(frozen=True)
class Link:
    """A match on another page. `place` is the page's name."""

    label: str
    place: str
    address: str


@dataclass(frozen=True)
class Matches:
    """What was found: groups of settings of the page Expert, and links to other pages."""

    groups: list[Group]
    links: list[Link]

    @property
    def here(self) -> list[Setting]:
        return [setting for group in self.groups for setting in group.settings]

    def __bool__(self) -> bool:
        return bool(self.groups or self.links)


# What is no setting: label, page, URL name, anchor, further words.
OTHERS = (
    ("Mute Penny", "Notifications", "notifications", "#now-title", "silence quiet interrupt"),
    ("Signal", "Notifications", "notifications", "#signal", "phone number"),
    ("Notifications in this browser", "Notifications", "notifications", "#outlets", "push outlet apprise mail"),
    ("Back up now", "Data & backups", "settings_data", "#backups", "backup restore export download"),
    ("Prices of models", "the admin", "admin:agents_price_changelist", "", "money cost price table"),
    ("Password and passkeys", "Signing in", "sign_ins", "", "sign out session browser"),
    ("Log and version", "This machine", "settings_machine", "", "address health disk update"),
    ("Connect a browser", "Your browsers", "setup", "#browsers", "extension pair code"),
)


def find(words: str) -> Matches:
    """Return what holds all of the words; without words, all settings of the page Expert."""
    parts = words.lower().split()
    groups = [
        replace(group, settings=tuple(setting for setting in group.settings if _holds(setting.words, parts)))
        for group in expert.GROUPS
    ]
    return Matches([group for group in groups if group.settings], _links(parts) if parts else [])


def _links(parts: list[str]) -> list[Link]:
    settings = [
        Link(setting.label, group.title, f"{reverse(group.page)}#row-{setting.name}")
        for group in pages.PAGES
        for setting in group.settings
        if _holds(f"{setting.words} {group.title.lower()}", parts)
    ]
    others = [
        Link(label, place, reverse(name) + anchor)
        for label, place, name, anchor, more in OTHERS
        if _holds(f"{label} {place} {more}".lower(), parts)
    ]
    return settings + others


def _holds(text: str, parts: list[str]) -> bool:
    return all(part in text for part in parts)
