from itertools import count
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from devices.access.failed_attempts import is_too_often
from devices.channels import apprise, push
from devices.channels.signal import own_numbers
from devices.models import Device
from penny_site.environment import phone_number

WRONG = "That is not the password. Try again, or sign in with a link."
TOO_OFTEN = f"{WRONG} There were many wrong ones: each is answered a little later now."


class SignInForm(forms.Form):
    """The sign-in form: only a password, as there is one owner."""

    password = forms.CharField(
        strip=False,
        widget=forms.PasswordInput(attrs={"class": "field", "autocomplete": "current-password", "autofocus": True}),
    )

    def __init__(self, request: HttpRequest, owner: User) -> None:
        super().__init__(request.POST if "password" in request.POST else None)
        self.request, self.owner, self.is_too_often = request, owner, False

    def clean_password(self) -> str:
        typed = str(self.cleaned_data["password"])
        if authenticate(self.request, username=self.owner.username, password=typed) is None:
            self.is_too_often = is_too_often("password", self.request.META["REMOTE_ADDR"])
            raise ValidationError(TOO_OFTEN if self.is_too_often else WRONG)
        return typed


class SignalNumberForm(forms.Form):
    """Form for a Signal number of the owner's."""

    number = forms.CharField(
        label="Your own number",
        max_length=40,
        help_text="The one that you write to Penny from, with its country.",
        widget=forms.TextInput(
            attrs={"class": "field", "inputmode": "tel", "autocomplete": "tel", "placeholder": "+49 170 1234567"}
        ),
    )

    def clean_number(self) -> str:
        try:
            return phone_number(str(self.cleaned_data["number"]))
        except ValueError as error:
            raise ValidationError(f"That is no number that Signal knows: {error}.") from None

    def save(self) -> Device:
        return own_numbers.enter_number(self.cleaned_data["number"])


class PushForm(forms.Form):
    """A browser's push subscription, from its PushManager."""

    endpoint = forms.URLField(max_length=2000, assume_scheme="https")
    p256dh = forms.RegexField(r"^[\w-]+=*$", max_length=200)
    auth = forms.RegexField(r"^[\w-]+=*$", max_length=100)
    label = forms.CharField(max_length=64, required=False)
    instead = forms.CharField(max_length=2000, required=False)  # the endpoint that this one replaces

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not self.errors:
            keys = {name: str(values[name]) for name in ("p256dh", "auth")}
            try:
                self.device = push.subscribe(
                    str(values["endpoint"]), keys, str(values["label"]), str(values["instead"])
                )
            except ValueError as error:
                raise ValidationError(str(error)) from None
        return values

    def save(self) -> Device:
        return self.device


class OutletForm(forms.Form):
    """Form for an outlet by its Apprise URL."""

    address = forms.CharField(
        label="An Apprise URL",
        max_length=1000,
        help_text="Such as ntfy://my-topic, matrix://… or mailto://…: Apprise has a list of more than a hundred "
        "services.",
        widget=forms.TextInput(attrs={"class": "field", "autocomplete": "off", "spellcheck": "false"}),
    )
    label = forms.CharField(
        label="What do you call it?",
        max_length=64,
        required=False,
        help_text="Such as my phone. Left empty, it is called after its service.",
        widget=forms.TextInput(attrs={"class": "field", "autocomplete": "off"}),
    )

    def clean_address(self) -> str:
        address = str(self.cleaned_data["address"]).strip()
        try:
            self.device = apprise.add_outlet(
                address, str(self.data.get("label", "")).strip() or _unused_label(address.partition("://")[0])
            )
        except ValueError as error:
            raise ValidationError(str(error)) from None
        return address

    def save(self) -> Device:
        return self.device


def _unused_label(name: str) -> str:
    used = set(Device.objects.active().filter(kind=Device.Kind.APPRISE).values_list("label", flat=True))
    return next(label for number in count(1) if (label := f"{name} {number}" if number > 1 else name) not in used)


def password_form(owner: User, data: object = None, *, asks_old: bool) -> "SetPasswordForm[User]":
    """Return the form that sets a password, or changes the old one."""
    kind = PasswordChangeForm if asks_old else SetPasswordForm
    form = kind(owner, data)
    for field in form.fields.values():
        field.widget.attrs["class"] = "field"
    form.fields["new_password1"].help_text = "At least 10 characters. A few words are better than one."
    form.fields["new_password2"].help_text = ""
    form.fields["new_password2"].label = "The same again"
    return form
