from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from thoughts.cleaning import clean_line
from thoughts.sources.entries import Unreadable
from thoughts.sources.files import HOW, SIZE_MAX, Listing, read_file

NAME_CHARACTERS, WORDS_MAX = 200, 200


class FileForm(forms.Form):
    """A file that another program wrote. `listing`: what stands in it; `name`: what the owner calls it."""

    file = forms.FileField(
        label="A file",
        help_text=f"{HOW} At most {SIZE_MAX // 1024 // 1024} MB.",
        widget=forms.ClearableFileInput(attrs={"class": "field", "accept": ".opml,.xml,.html,.htm,.csv,.json,.txt"}),
        error_messages={"required": "Choose a file first.", "empty": "This file is empty. Export it again."},
    )
    listing: Listing
    name: str

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.listing = read_file(file.read(SIZE_MAX + 1))
        except Unreadable as error:
            raise ValidationError(str(error)) from None
        self.name = clean_line(file.name or "")[:NAME_CHARACTERS] or "a file"
        return file
