"""Forms of a new and of an existing watch."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.schedules.forms import HOW, WHEN, RepeatFields
from devices.web.hosts import HostInvalid, grant_host, is_own, url_to_store
from thoughts.models import Preference
from thoughts.models.watches import Watch, money
from thoughts.text.money import read_money

EVERY = [
    (15, "every 15 minutes"), (30, "every 30 minutes"), (60, "every hour"), (180, "every 3 hours"), (360,
    "every 6 hours"),
    (720, "twice a day"), (1440, "once a day"), (10080, "once a week"),
]  # fmt: skip


OFTEN = "often"


class WatchForm(RepeatFields, forms.ModelForm):  # type: ignore[type-arg]
    """A new watch. `was_cut`: a part of the address looked like a secret and was removed."""

    url = forms.CharField(
        label="Address",
        max_length=8000,
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "placeholder": "https://shop.example/lever",
                "inputmode": "url",
                "autocomplete": "off",
                "spellcheck": "false",
            }
        ),
        error_messages={
            "required": "Write the address of the page, as it stands in your browser.",
            "max_length": "That address is too long.",
        },
    )
    below = forms.CharField(
        label="Tell me when the price drops below",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "900 €", "autocomplete": "off"}),
        help_text="With its currency, such as 900 € or CHF 1'299. Without one, the page's own counts.",
    )
    how = forms.ChoiceField(
        label="Look",
        choices=[(OFTEN, "again and again"), *HOW],
        initial=OFTEN,
        required=False,
        widget=forms.Select(attrs={"class": "field"}),
    )
    every_minutes = forms.TypedChoiceField(
        label="How often",
        choices=EVERY,
        coerce=int,
        initial=60,
        widget=forms.Select(attrs={"class": "field"}),
        required=False,
    )
    preference = forms.ModelChoiceField(
        Preference.objects.filter(valence=Preference.Valence.LIKE).order_by("text"),
        label="It came of",
        required=False,
        empty_label="nothing in particular",
        widget=forms.Select(attrs={"class": "field"}),
        help_text="Of something that you like, it goes when you forget that.",
    )
    was_cut = False
    field_order = (
        "url",
        "kind",
        "below",
        "when_back",
        "label",
        "how",
        "every_minutes",
        "every",
        "days",
        "at",
        "rule",
        "preference",
    )

    class Meta:
        model = Watch
        fields = ["url", "kind", "below", "when_back", "label", "every_minutes", "preference"]
        labels = {"kind": "What for", "when_back": "Tell me when it is back in stock", "label": "Your name for it"}
        widgets = {
            "kind": forms.Select(attrs={"class": "field"}),
            "label": forms.TextInput(attrs={"class": "field", "placeholder": "lever machine", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule_before = self.instance.rrule
        if self.rule_before:
            self.show_rule(self.rule_before)
        if "kind" in self.fields:
            self.fields["kind"].required = False

    def clean_kind(self) -> str:
        return str(self.cleaned_data["kind"]) or Watch.Kind.PRICE

    def clean_every_minutes(self) -> int:
        return int(self.cleaned_data["every_minutes"] or self.instance.every_minutes)

    def clean_url(self) -> str:
        text = str(self.cleaned_data["url"]).strip()
        text = text if "://" in text else f"https://{text}"
        try:
            stored_url, host = url_to_store(text), grant_host(text)
        except HostInvalid as error:
            raise ValidationError(str(error)) from None
        if is_own(host):
            raise ValidationError("Penny does not watch her own pages.")
        self.instance.domain, self.was_cut = host, len(stored_url) < len(text.partition("#")[0].strip())
        return stored_url

    def clean_below(self) -> Any:
        text = str(self.cleaned_data["below"]).strip()
        if not text:
            return None
        price = read_money(text, self.instance.currency)
        if price is None:
            raise ValidationError("Write a price above zero, such as 900 € or 1,299.00 USD.")
        self.currency = price.currency
        return price.amount

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if not WHEN & set(self.errors):
            self.instance.rrule = self._rule(values)
        kind = values.get("kind", self.instance.kind)
        if kind != Watch.Kind.PRICE:
            values["below"], values["when_back"] = None, False
        elif "below" in values and values["below"] is None and not values.get("when_back"):
            raise ValidationError(
                "Say below which price Penny tells you, or that she tells you when it is back in stock."
            )
        url = values.get("url", self.instance.url)
        if Watch.objects.kept().filter(url=url, kind=kind).exclude(pk=self.instance.pk).exists():
            raise ValidationError("Penny watches this page already. Change that watch instead.")
        return values

    def _rule(self, values: dict[str, Any]) -> str:
        if values["how"] in ("", OFTEN):
            return ""
        if "UNTIL=" in values["rule"].upper():
            raise ValidationError({"rule": "A watch goes on until you pause or delete it: leave UNTIL out."})
        return self.rule_of(values)

    def save(self, commit: bool = True) -> Watch:
        """Store the watch.

        A new threshold is compared again, in its own currency or else in that of the page.
        """
        watch: Watch = super().save(commit=False)
        if "below" in self.changed_data:
            watch.currency, watch.is_below = getattr(self, "currency", "") or watch.currency, False
        if watch.pk and watch.rrule != self.rule_before:
            watch.next_check_at = watch.next_visit(timezone.now())
        if commit:
            watch.save()
        return watch


class WatchChangeForm(WatchForm):
    """The changeable fields of a watch. Another page needs another watch."""

    url = None  # type: ignore[assignment]

    class Meta(WatchForm.Meta):
        fields = ["below", "when_back", "label", "every_minutes", "preference"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["below"] = money(self.instance.below, self.instance.currency).replace(",", "")
        if self.instance.kind != Watch.Kind.PRICE:
            del self.fields["below"], self.fields["when_back"]
        minutes = self.instance.every_minutes
        if minutes not in dict(EVERY):
            self.fields["every_minutes"].choices = [(minutes, f"every {minutes} minutes"), *EVERY]  # type: ignore[attr-defined]
