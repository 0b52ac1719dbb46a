"""Forms of a new and of an existing watch."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone

from agents.schedules.forms import HOW, WHEN, RepeatFields
from devices.web.hosts import HostInvalid, grant_host, is_own, url_to_store
from thoughts.models import Preference
from thoughts.models.watches import Watch
from thoughts.text.money import read_money
from thoughts.text.numbers import money_text

EVERY = [
    (15, "every 15 minutes"), (30, "every 30 minutes"), (60, "every hour"), (180, "every 3 hours"), (360,
    "every 6 hours"),
    (720, "twice a day"), (1440, "once a day"), (10080, "once a week"),
]  # fmt: skip


OFTEN = "often"
BELOW, BACK, NEW = "below", "back", "new"
MORE = ("when_back", "thread", "label", "how", "every_minutes", "every", "days", "at", "rule", "preference")


class WatchFields(RepeatFields, forms.ModelForm):  # type: ignore[type-arg]
    """What a new and an existing watch have in common: the threshold, the name, the times."""

    below = forms.CharField(
        label="Price",
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "900 €", "autocomplete": "off"}),
        help_text="For example 900 € or CHF 1299",
    )
    how = forms.ChoiceField(
        label="Check",
        choices=[(OFTEN, "at an interval"), *HOW],
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
        label="Part of",
        required=False,
        empty_label="no interest",
        widget=forms.Select(attrs={"class": "field"}),
        help_text="Forgetting the interest removes this watch too.",
    )

    class Meta:
        model = Watch
        fields = ["below", "when_back", "label", "every_minutes", "preference"]
        labels = {"when_back": "Also when it is back in stock", "label": "Your name for it"}
        widgets = {
            "label": forms.TextInput(attrs={"class": "field", "placeholder": "lever machine", "autocomplete": "off"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.rule_before = self.instance.rrule
        if self.rule_before:
            self.show_rule(self.rule_before)

    @property
    def more(self) -> list[forms.BoundField]:
        """Return the fields that the page folds away."""
        return [self[name] for name in self.fields if name in MORE]

    @property
    def has_wrong_more(self) -> bool:
        return any(name in self.errors for name in MORE)

    def clean_every_minutes(self) -> int:
        return int(self.cleaned_data["every_minutes"] or self.instance.every_minutes)

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
        """Check what fields mean together. Each error is at its field, and all of them are shown at once."""
        values = super().clean() or self.cleaned_data
        if not WHEN & set(self.errors):
            try:
                self.instance.rrule = self._rule(values)
            except ValidationError as error:
                self.add_error(None, error)
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


class WatchForm(WatchFields):
    """A new watch: an address, and what to tell. `was_cut`: a part of the address looked like a secret."""

    url = forms.CharField(
        label="Address of the page",
        max_length=8000,
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "placeholder": "https://shop.example/lever",
                "inputmode": "url",
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
        error_messages={
            "required": "Write the address of the page, as it stands in your browser.",
            "max_length": "That address is too long.",
        },
    )
    when = forms.ChoiceField(
        label="Tell me when",
        choices=[(BELOW, "the price falls below"), (BACK, "it is back in stock"), (NEW, "there is anything new")],
        initial=BELOW,
        widget=forms.RadioSelect,
        error_messages={"required": "Choose what Penny tells you."},
    )
    thread = forms.BooleanField(label="It is one thread: new answers count, not new threads", required=False)
    was_cut = False
    field_order = ("url", "when", "below", *MORE)

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

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        when = values.get("when")
        if when != BELOW:
            self.errors.pop("below", None)  # the page does not show it
            values["below"], values["when_back"] = None, when == BACK
        elif "below" in values and values["below"] is None:
            self.add_error("below", "Write below which price Penny tells you.")
        item_kind = Watch.Kind.THREAD if values.get("thread") else Watch.Kind.POSTS
        self.instance.kind = item_kind if when == NEW else Watch.Kind.PRICE
        self.instance.url = values.get("url", "")
        if Watch.objects.kept().filter(url=self.instance.url, kind=self.instance.kind).exists():
            self.add_error("url", "Penny watches this page already. Change that watch instead.")
        return values


class WatchChangeForm(WatchFields):
    """The changeable fields of a watch. Another page needs another watch."""

    field_order = ("below", *MORE)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["below"] = money_text(self.instance.below, self.instance.currency).replace(",", "")
        self.fields["below"].label, self.fields["when_back"].label = "Tell me below", "Tell me when it is back in stock"
        if self.instance.kind != Watch.Kind.PRICE:
            del self.fields["below"], self.fields["when_back"]
        minutes = self.instance.every_minutes
        if minutes not in dict(EVERY):
            self.fields["every_minutes"].choices = [(minutes, f"every {minutes} minutes"), *EVERY]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        values = super().clean()
        if "below" in values and values["below"] is None and not values.get("when_back"):
            self.add_error("below", "Write a price, or tick that it is back in stock.")
        return values
