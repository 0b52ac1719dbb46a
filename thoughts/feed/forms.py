from django import forms
from django.core.exceptions import ValidationError

from devices.web.hosts import HostInvalid, normalise_host
from thoughts.feed.filter import Filter
from thoughts.models import MutedSite, Preference

SINCE = [
    ("", "any time"),
    ("day", "the last day"),
    ("week", "the last week"),
    ("month", "the last month"),
    ("year", "the last year"),
]


class MutedSiteForm(forms.ModelForm):  # type: ignore[type-arg]
    """A site to mute, as a host or an address."""

    class Meta:
        model = MutedSite
        fields = ["host"]

    def clean_host(self) -> str:
        try:
            return normalise_host(str(self.cleaned_data["host"])).removeprefix("www.")
        except HostInvalid as error:
            raise ValidationError(str(error)) from None


class FilterForm(forms.Form):
    """What the feed is narrowed down to, from the address. A part that cannot be used is left out and said."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label="Search",
        widget=forms.TextInput(
            attrs={"type": "search", "class": "field", "placeholder": "Search what Penny found", "autocomplete": "off"}
        ),
        error_messages={"max_length": "Search with fewer words: %(limit_value)d characters at most."},
    )
    preference = forms.ModelChoiceField(
        Preference.objects.filter(valence=Preference.Valence.LIKE).order_by("text"),
        required=False,
        label="Preference",
        empty_label="all preferences",
        widget=forms.Select(attrs={"class": "field"}),
        error_messages={"invalid_choice": "That preference is no longer there, so all of them are shown."},
    )
    source = forms.CharField(
        required=False,
        max_length=260,
        label="Source",
        widget=forms.TextInput(
            attrs={"class": "field", "placeholder": "all sources", "list": "sources", "autocomplete": "off"}
        ),
    )
    since = forms.ChoiceField(
        choices=SINCE,
        required=False,
        label="Time",
        widget=forms.Select(attrs={"class": "field"}),
        error_messages={"invalid_choice": "Choose one of the times of the list."},
    )
    order = forms.ChoiceField(
        choices=[("", "best first"), ("newest", "newest first")],
        required=False,
        label="Order of the new ones",
        widget=forms.Select(attrs={"class": "field"}),
        error_messages={"invalid_choice": "Choose one of the orders of the list."},
    )

    def filter(self) -> Filter:
        self.full_clean()
        said = self.cleaned_data
        preference = said.get("preference")
        source = said.get("source", "").lower()
        return Filter(
            said.get("q", ""),
            preference.pk if preference else None,
            source,
            said.get("since", ""),
            bool(said.get("order")),
        )
