"""The forms of skills: document, upload, trial."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from agents.skills import files
from agents.skills.documents import DOCUMENT_CHARACTERS, DocumentInvalid, parse
from devices.web.hosts import HostInvalid, clean_url, grant_host, is_own

EXAMPLE = """---
name: my-site
description: Reads articles of example.com. Use for questions about example.com.
metadata:
  title: Example
  reads: articles and their comments
  domains: "*.example.com"
  selectors: |
    title: h1
    comments[]: .comment p
---
# Finding

- How to find things on this site.

# Reading

- What counts on its pages, and what does not.
"""
FORM = """Name, description and domains are needed. Title and reads \
are what you see in the list. A domain is a host, with a path if you like; * stands for \
anything: *.example.com, \
example.com/forum/*. A selector is a name, a colon and a CSS selector; with [] behind its name it takes every hit."""


class DocumentForm(forms.Form):
    document = forms.CharField(
        label="Document (SKILL.md)",
        max_length=DOCUMENT_CHARACTERS,
        strip=False,
        help_text=FORM,
        widget=forms.Textarea(
            attrs={"class": "field document", "rows": 24, "spellcheck": "false", "autocomplete": "off"}
        ),
        error_messages={"required": "Write something first."},
    )

    def clean_document(self) -> str:
        text = str(self.cleaned_data["document"]).replace("\r\n", "\n")
        try:
            parse(text)
        except DocumentInvalid as error:
            raise ValidationError(str(error)) from None
        return text


class BundleForm(forms.Form):
    """An uploaded file with skills. `bundle`: its content, once valid."""

    file = forms.FileField(
        label="A SKILL.md, or a zip of skill folders",
        help_text="What it brings waits until you have read and approved it. Scripts in it stay out.",
        widget=forms.ClearableFileInput(attrs={"class": "field", "accept": ".md,.zip,.skill"}),
        error_messages={"required": "Choose a file first.", "empty": "This file is empty. Choose another one."},
    )
    bundle: files.Bundle

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        try:
            self.bundle = files.read_bundle(file.read(files.FILE_BYTES + 1))
        except DocumentInvalid as error:
            raise ValidationError(str(error)) from None
        return file


class SitesForm(forms.Form):
    sites = forms.CharField(
        label="Sites that this skill is for",
        max_length=4000,
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "autocomplete": "off",
                "spellcheck": "false",
                "placeholder": "example.com *.example.org/forum/*",
            }
        ),
        error_messages={"required": "Name at least one site, such as example.com."},
    )


class TrialForm(forms.Form):
    url = forms.CharField(
        label="Address of a page",
        max_length=2000,
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "inputmode": "url",
                "autocomplete": "off",
                "spellcheck": "false",
                "placeholder": "https://",
            }
        ),
        error_messages={"required": "Write the address of a page that this skill is for."},
    )

    def clean_url(self) -> str:
        text = str(self.cleaned_data["url"]).strip()
        try:
            url = clean_url(text if "://" in text else f"https://{text}")
            if is_own(grant_host(url)):
                raise ValidationError("Penny’s own pages cannot be read. Write the address of another page.")
        except HostInvalid as error:
            raise ValidationError(str(error)) from None
        return url
