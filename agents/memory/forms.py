import re

from django import forms

from agents.memory.models import NAME_CHARACTERS, SITES_MAX, TEXT_CHARACTERS, VALUE_CHARACTERS
from devices.web.hosts import HostInvalid, normalise_host


class MemoryForm(forms.Form):
    text = forms.CharField(
        label="What Penny shall remember",
        max_length=TEXT_CHARACTERS,
        widget=forms.Textarea(attrs={"class": "field", "rows": 2, "placeholder": "I am allergic to nuts."}),
        error_messages={"required": "Write what Penny shall remember."},
    )


class SlotForm(forms.Form):
    name = forms.CharField(
        max_length=NAME_CHARACTERS,
        widget=forms.TextInput(attrs={"class": "field", "list": "slot-names", "placeholder": "email"}),
        error_messages={"required": "Give it a name, such as email or phone."},
    )
    value = forms.CharField(
        max_length=VALUE_CHARACTERS,
        widget=forms.TextInput(attrs={"class": "field", "autocomplete": "off"}),
        error_messages={"required": "Write the value."},
    )
    sites = forms.CharField(
        required=False,
        max_length=2_000,
        label="Only on these sites",
        help_text="Penny may enter it there and nowhere else. Empty: on every site.",
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "shop.example, post.example"}),
    )

    def clean_sites(self) -> list[str]:
        names = [name for name in re.split(r"[\s,;]+", self.cleaned_data["sites"]) if name]
        if len(names) > SITES_MAX:
            raise forms.ValidationError(f"Name at most {SITES_MAX} sites.")
        try:
            return sorted({normalise_host(name) for name in names})
        except HostInvalid as error:
            raise forms.ValidationError(str(error)) from None
