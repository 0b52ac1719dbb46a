"""What a setting is for the owner: its label, its unit, its help, its default."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """One setting. `kind` names its form field (CONSTANCE_ADDITIONAL_FIELDS), `unit` stands behind the field."""

    name: str
    default: str | int | float | bool
    kind: str
    label: str
    help: str
    unit: str = ""

    @property
    def words(self) -> str:
        """Return what the search looks through."""
        return f"{self.label} {self.name} {self.help} {self.unit}".lower()


@dataclass(frozen=True)
class Group:
    """Settings of one page, or one part of Expert. `page` is the URL name of the page."""

    title: str
    page: str
    settings: tuple[Setting, ...]
    lead: str = ""
