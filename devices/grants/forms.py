from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from devices.models import Grant
from devices.web.hosts import HostInvalid, normalise_host


class GrantForm(forms.ModelForm):  # type: ignore[type-arg]
    """A grant that lasts. Those for once or for one run are given by answering that run's question."""

    class Meta:
        model = Grant
        fields = ["host", "capability", "state", "scope", "session"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "scope" in self.fields:
            scope = Grant.Scope
            self.fields["scope"] = forms.ChoiceField(
                choices=[(each, each.label.capitalize()) for each in (scope.ALWAYS, scope.HOUR)]
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
