from django import forms


class TokenForm(forms.Form):
    label = forms.CharField(
        label="Which program is it for?",
        max_length=64,
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "Editor on the laptop", "autocomplete": "off"}),
        error_messages={"required": "Say which program it is for."},
    )
