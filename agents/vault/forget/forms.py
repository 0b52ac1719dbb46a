"""The form that chooses what to forget. It stands in addresses, and again on the page that asks."""

from datetime import datetime, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.vault.forget.entries import Selection, device_choices

NOTHING = "Choose a site, a time, a browser, or everything."
BACKWARDS = "The first day is after the last."


class ForgetForm(forms.Form):
    entry = forms.UUIDField(required=False, widget=forms.HiddenInput)
    site = forms.CharField(
        label="Site",
        required=False,
        max_length=260,
        help_text="With all sites below it.",
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "example.org", "autocapitalize": "none"}),
    )
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"class": "field", "type": "date"})
    )
    until = forms.DateField(
        label="To, with that day", required=False, widget=forms.DateInput(attrs={"class": "field", "type": "date"})
    )
    device = forms.ChoiceField(label="Brought by", required=False, widget=forms.Select(attrs={"class": "field"}))
    everything = forms.BooleanField(label="Everything that is kept", required=False)

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        field = self.fields["device"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "any browser"), *device_choices()]

    def clean_site(self) -> str:
        return str(self.cleaned_data["site"]).strip().lower().removeprefix("www.").strip(".")

    def clean(self) -> None:
        since, until = self.cleaned_data.get("since"), self.cleaned_data.get("until")
        if since and until and since > until:
            raise ValidationError(BACKWARDS)
        if not self.errors and self.selection().is_empty:
            raise ValidationError(NOTHING)

    def selection(self) -> Selection:
        """Return what the valid form chooses. *Everything* counts alone only: it never widens another choice."""
        values = self.cleaned_data
        since, until = values.get("since"), values.get("until")
        return Selection(
            entry=values.get("entry"),
            site=values.get("site", ""),
            since=_begin_of(since) if since else None,
            until=_begin_of(until + timedelta(days=1)) if until else None,
            device=values.get("device", ""),
            everything=values.get("everything", False),
        )


def _begin_of(day: Any) -> datetime:
    return timezone.make_aware(datetime.combine(day, time()))
