from django import forms
from django.core.exceptions import ValidationError

from devices.hosts import HostInvalid, normalise_host
from thoughts.filtering import Filter
from thoughts.models import MutedSite, Preference

SINCE = [("", "any time"), ("day", "the last day"), ("week", "the last week"), ("month", "the last month"), ("year", "the last year")]


class PreferenceForm(forms.ModelForm):  # type: ignore[type-arg]
    """A preference added by hand. The same words with the other valence change the owner's mind; they make no second row."""

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
            attrs={"class": "field", "placeholder": "something, in a few words", "maxlength": 300, "autocomplete": "off"}
        )

    def clean_text(self) -> str:
        return " ".join(str(self.cleaned_data["text"]).split())

    def clean(self) -> None:
        known = Preference.objects.filter(text__iexact=self.cleaned_data.get("text", "")).first()
        if known is None:
            return
        if known.valence == self.cleaned_data.get("valence"):
            raise ValidationError({"text": "Penny knows this already."})
        self.instance = known


class EditForm(forms.ModelForm):  # type: ignore[type-arg]
    """Other words for a preference. They make no second one of what is known."""

    class Meta:
        model = Preference
        fields = ["text"]
        error_messages = PreferenceForm.Meta.error_messages

    def clean_text(self) -> str:
        text = " ".join(str(self.cleaned_data["text"]).split())
        if Preference.objects.filter(text__iexact=text).exclude(pk=self.instance.pk).exists():
            raise ValidationError(f"Penny knows “{text}” already. Make the two one instead.")
        return text


class AlikeForm(PreferenceForm):
    """More, or less, of what a thought is about, in words that the owner sees and may change. What is known already counts once more."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.instance.source = Preference.Source.REACTION

    def clean(self) -> None:
        known = Preference.objects.filter(text__iexact=self.cleaned_data.get("text", "")).first()
        if known is not None:
            known.mentions += 1
            self.instance = known


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
        widget=forms.TextInput(attrs={"type": "search", "class": "field", "placeholder": "Search what Penny found", "autocomplete": "off"}),
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
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "all sources", "list": "sources", "autocomplete": "off"}),
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
        return Filter(said.get("q", ""), preference.pk if preference else None, source, said.get("since", ""), bool(said.get("order")))
