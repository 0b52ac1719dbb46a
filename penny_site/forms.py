from django import forms
from django.contrib.auth import authenticate
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from devices.guesses import is_too_often

WRONG = "That is not the password. Try again, or sign in with a link."
TOO_OFTEN = f"{WRONG} There were many wrong ones: each is answered a little later now."


class SignInForm(forms.Form):
    """Only a password: there is one owner."""

    password = forms.CharField(
        strip=False, widget=forms.PasswordInput(attrs={"class": "field", "autocomplete": "current-password", "autofocus": True})
    )

    def __init__(self, request: HttpRequest, owner: User) -> None:
        super().__init__(request.POST or None)
        self.request, self.owner, self.is_too_often = request, owner, False

    def clean_password(self) -> str:
        typed = str(self.cleaned_data["password"])
        if authenticate(self.request, username=self.owner.username, password=typed) is None:
            self.is_too_often = is_too_often("password", self.request.META["REMOTE_ADDR"])
            raise ValidationError(TOO_OFTEN if self.is_too_often else WRONG)
        return typed


def password_form(owner: User, data: object = None) -> "SetPasswordForm[User]":
    """Return the form that sets a first password, or that changes the one there is."""
    kind = PasswordChangeForm if owner.has_usable_password() else SetPasswordForm
    form = kind(owner, data)
    for field in form.fields.values():
        field.widget.attrs["class"] = "field"
    form.fields["new_password1"].help_text = "At least 10 characters. A few words are better than one."
    form.fields["new_password2"].help_text = ""
    form.fields["new_password2"].label = "The same again"
    return form
