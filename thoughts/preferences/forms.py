"""Forms of preferences."""

from django import forms
from django.core.exceptions import ValidationError

from thoughts.models import Preference


class PreferenceForm(forms.ModelForm):  # type: ignore[type-arg]
    """A preference added by hand. Existing words with the other valence change the existing row."""

    class Meta:
        model = Preference
        fields = ["valence", "text"]
        error_messages = {
            "text": {
                "required": "Write what you like or dislike.",
                "max_length": "Keep it under %(limit_value)d characters: a few words work best.",
            }
        }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        self.fields["valence"] = forms.TypedChoiceField(
            choices=[(1, "I like"), (-1, "I dislike")],
            coerce=int,
            initial=1,
            widget=forms.Select(attrs={"class": "field"}),
            label="How you feel about it",
        )
        self.fields["text"].label = "What"
        self.fields["text"].widget = forms.TextInput(
            attrs={
                "class": "field",
                "placeholder": "something, in a few words",
                "maxlength": 300,
                "autocomplete": "off",
            }
        )

    def clean_text(self) -> str:
        return " ".join(str(self.cleaned_data["text"]).split())

    def clean(self) -> None:
        existing = Preference.objects.filter(text__iexact=self.cleaned_data.get("text", "")).first()
        if existing is None:
            return
        if existing.valence == self.cleaned_data.get("valence"):
            raise ValidationError({"text": "Penny knows this already."})
        self.instance = existing


class EditForm(forms.ModelForm):  # type: ignore[type-arg]
    """New words for a preference, which must not equal those of another."""

    class Meta:
        model = Preference
        fields = ["text"]
        error_messages = PreferenceForm.Meta.error_messages

    def clean_text(self) -> str:
        text = " ".join(str(self.cleaned_data["text"]).split())
        if Preference.objects.filter(text__iexact=text).exclude(pk=self.instance.pk).exists():
            raise ValidationError(f"Penny knows “{text}” already. Merge the two instead.")
        return text
