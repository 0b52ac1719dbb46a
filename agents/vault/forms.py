"""The search of the kept pages: words, and which entries are searched."""

from datetime import date, datetime, time, timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.vault.entries import LANGUAGES
from agents.vault.search import Scope
from devices.web.hosts import HostInvalid, grant_host
from thoughts.models import Kept

WORDS_MAX = 200


def _select(choices: list[tuple[str, str]], label: str, wrong: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=choices,
        required=False,
        label=label,
        widget=forms.Select(attrs={"class": "field"}),
        error_messages={"invalid_choice": wrong},
    )


def _day(label: str) -> forms.DateField:
    return forms.DateField(
        required=False,
        label=label,
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date", "class": "field"}),
        input_formats=["%Y-%m-%d"],
        error_messages={"invalid": "Write the day as 2026-11-28."},
    )


class KeptForm(forms.Form):
    """The search from the address. An invalid part is left out, with an error message."""

    q = forms.CharField(required=False, label="Search what you kept")
    site = forms.CharField(
        required=False,
        max_length=260,
        label="Site",
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "all sites", "autocomplete": "off"}),
    )
    since = _day("From")
    until = _day("To")
    source = _select([("", "all"), *Kept.Source.choices], "Kept how", "Choose one of the ways of the list.")
    language = _select([("", "all"), *LANGUAGES.items()], "Language", "Choose one of the languages of the list.")

    def clean_q(self) -> str:
        return " ".join(self.cleaned_data["q"].split())[:WORDS_MAX]

    def clean_site(self) -> str:
        text = self.cleaned_data["site"].strip()
        try:
            return grant_host(text if "://" in text else f"https://{text}") if text else ""
        except HostInvalid as error:
            raise ValidationError(str(error)) from None

    @property
    def words(self) -> str:
        return str(self.cleaned_data.get("q", ""))

    @property
    def scope(self) -> Scope:
        values = self.cleaned_data
        return Scope(
            site=values.get("site", ""),
            since=_start_of(values.get("since")),
            until=_start_of(values.get("until"), days=1),
            source=values.get("source", ""),
            language=values.get("language", ""),
        )


def _start_of(day: date | None, days: int = 0) -> datetime | None:
    """Return when a day of the owner's begins, or a later one; None where the calendar ends before it."""
    try:
        return timezone.make_aware(datetime.combine(day + timedelta(days=days), time())) if day else None
    except OverflowError:
        return None
