"""The forms of a grant: in the admin, and on the page of all sites."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from devices.models import Grant
from devices.web.hosts import HostInvalid, grant_host, normalise_host


class GrantForm(forms.ModelForm):  # type: ignore[type-arg]
    """A lasting grant. Grants for once or for one run come from answering that run's ask."""

    class Meta:
        model = Grant
        fields = ["host", "capability", "state", "scope", "session"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "scope" in self.fields:
            scope = Grant.Scope
            self.fields["scope"] = forms.ChoiceField(
                choices=[(choice, choice.label.capitalize()) for choice in (scope.ALWAYS, scope.HOUR)]
            )

    def clean_host(self) -> str:
        try:
            return normalise_host(self.cleaned_data["host"])
        except HostInvalid as error:
            raise ValidationError(str(error)) from None

    def clean(self) -> None:
        host, capability = self.cleaned_data.get("host"), self.cleaned_data.get("capability")
        if (
            host
            and self.instance.pk is None
            and Grant.objects.filter(host=host, capability=capability, run_id=None).exists()
        ):
            raise ValidationError({"host": f"There is a grant for {host} already. Change that one."})


class SiteForm(forms.Form):
    """A decision about reading a site."""

    HOWS = {
        "owner": ("Allow", {"state": Grant.State.ALLOWED, "session": Grant.Session.OWNER}),
        "clean": ("Allow without my logins", {"state": Grant.State.ALLOWED, "session": Grant.Session.CLEAN}),
        "blocked": ("Block", {"state": Grant.State.BLOCKED, "session": Grant.Session.OWNER}),
    }

    host = forms.CharField(
        label="Site",
        max_length=260,
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "example.com", "autocomplete": "off"}),
    )
    how = forms.ChoiceField(
        label="Decision",
        choices=[(how, label) for how, (label, _) in HOWS.items()],
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
        return self.HOWS[self.cleaned_data["how"]][1]
