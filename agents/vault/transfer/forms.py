"""The form that takes an export."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from agents.sandbox.vault_file import CHOOSE
from thoughts.text.cleaning import clean_line

FILE_BYTES = 512 * 1024 * 1024
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
TOO_LARGE = f"This file is larger than {FILE_BYTES // 1024**2} MB. Forget some pages before you export the others."


class ExportForm(forms.Form):
    file = forms.FileField(
        label="A file that Penny exported",
        help_text=f"The zip file, at most {FILE_BYTES // 1024**2} MB.",
        widget=forms.FileInput(attrs={"class": "field", "accept": ".zip", "aria-describedby": "id_file_helptext"}),
        error_messages={"required": "Choose a file first.", "empty": f"This file is empty. {CHOOSE}"},
    )
    name: str

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > FILE_BYTES:
            raise ValidationError(TOO_LARGE)
        if not file.read(4).startswith(ZIP_STARTS):
            raise ValidationError(f"This is no zip file. {CHOOSE}")
        file.seek(0)
        self.name = clean_line(file.name or "")
        return file
