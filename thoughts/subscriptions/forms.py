"""Form of a new subscription."""

from django import forms

from thoughts.subscriptions.models import Subscription


class SubscriptionForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = Subscription
        fields = ("name",)
        labels = {"name": "Which program will read it?"}
        widgets = {
            "name": forms.TextInput(
                attrs={"class": "field", "placeholder": "Feed reader on the phone", "autocomplete": "off"}
            )
        }
