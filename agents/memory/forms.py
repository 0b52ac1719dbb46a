from django import forms

from agents.memory.models import TEXT_CHARACTERS


class MemoryForm(forms.Form):
    text = forms.CharField(
        label="What Penny shall remember",
        max_length=TEXT_CHARACTERS,
        widget=forms.Textarea(attrs={"class": "field", "rows": 2, "placeholder": "I am allergic to nuts."}),
        error_messages={"required": "Write what Penny shall remember."},
    )
