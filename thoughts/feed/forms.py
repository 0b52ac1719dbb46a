"""Forms of the feed: the filter, and a site to mute."""

from django import forms
from django.core.exceptions import ValidationError

from devices.owner.muted_sites import mutable_host
from devices.web.hosts import HostInvalid
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
            return mutable_host(str(self.cleaned_data["host"]))
        except HostInvalid as error:
            raise ValidationError(str(error)) from None


class FilterForm(forms.Form):
    """The filter from the address. An invalid part is left out, with an error message."""

    q = forms.CharField(
        required=False,
        max_length=200,
        label="Words",
        widget=forms.TextInput(
            attrs={"type": "search", "class": "field", "placeholder": "in all that Penny found", "autocomplete": "off"}
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
        values = self.cleaned_data
        preference = values.get("preference")
        source = values.get("source", "").lower()
        return Filter(
            values.get("q", ""),
            preference.pk if preference else None,
            source,
            values.get("since", ""),
            bool(values.get("order")),
        )
