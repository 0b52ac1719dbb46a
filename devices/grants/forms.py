"""The forms of a grant: in the admin, and on the page of all sites."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from devices.models import Grant
from devices.web.hosts import HostInvalid, grant_host, normalise_host

HOWS: dict[str, tuple[str, dict[str, Any]]] = {
    "owner": ("Allow", {"state": Grant.State.ALLOWED, "session": Grant.Session.OWNER}),
    "clean": ("Allow without my logins", {"state": Grant.State.ALLOWED, "session": Grant.Session.CLEAN}),
    "blocked": ("Block", {"state": Grant.State.BLOCKED, "session": Grant.Session.OWNER}),
}
LABELS = [(how, label) for how, (label, _) in HOWS.items()]


class GrantForm(forms.ModelForm):  # type: ignore[type-arg]
    """A decision about a site, for good or for an hour. Grants for one run come from answering that run's ask."""

    how = forms.ChoiceField(label="Decision", choices=LABELS, initial="owner", widget=forms.RadioSelect)
    scope = forms.ChoiceField(
        label="For how long",
        choices=[(Grant.Scope.ALWAYS, "Until I change it"), (Grant.Scope.HOUR, "An hour from now")],
        initial=Grant.Scope.ALWAYS,
        widget=forms.RadioSelect,
    )

    class Meta:
        model = Grant
        fields = ["host", "scope"]
        labels = {"host": "Site"}
        help_texts = {"host": "For example shop.example. A rule covers all subdomains."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        grant: Grant = self.instance
        if grant.pk:
            session = {"state": grant.state, "session": grant.session}
            self.initial["how"] = next((how for how, (_, values) in HOWS.items() if values == session), "blocked")

    def clean_host(self) -> str:
        try:
            host = normalise_host(self.cleaned_data["host"])
        except HostInvalid as error:
            raise ValidationError(str(error)) from None
        if Grant.objects.filter(host=host, capability=Grant.Capability.READ, run_id=None).exists():
            raise ValidationError(f"You decided about {host} already. Change that row.")
        return host

    def decision(self) -> dict[str, Any]:
        """Return the state and the session that were chosen."""
        return HOWS[self.cleaned_data["how"]][1]


class SiteForm(forms.Form):
    """A decision about reading a site."""

    host = forms.CharField(
        label="Site",
        max_length=260,
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "example.com", "autocomplete": "off"}),
    )
    how = forms.ChoiceField(
        label="Decision",
        choices=LABELS,
        widget=forms.Select(attrs={"class": "field"}),
    )

    def clean_host(self) -> str:
        text = self.cleaned_data["host"].strip()
        try:
            return grant_host(text) if "://" in text else normalise_host(text)
        except HostInvalid as error:
            raise ValidationError(str(error)) from None

    def decision(self) -> dict[str, Any]:
        """Return the state and the session that were chosen."""
        return HOWS[self.cleaned_data["how"]][1]
