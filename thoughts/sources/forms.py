"""Forms of sources: an address, or a file."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from agents.learning import from_files
from devices.web.hosts import HostInvalid
from thoughts.sources.entries import TITLE_CHARACTERS, Entry, Unreadable
from thoughts.sources.files import HOW, SIZE_MAX, check_head, clean, too_large
from thoughts.sources.models import Source
from thoughts.sources.text_input import HEAD_BYTES
from thoughts.text.cleaning import clean_line

NAME_CHARACTERS, WORDS_MAX = 200, 200


class SourceForm(forms.Form):
    """A source that the owner adds.

    `source` is the row, not stored yet. `was_cut`: a part of the address looked like a secret and was removed.
    """

    url = forms.CharField(
        label="Address",
        max_length=from_files.URL_CHARACTERS,
        widget=forms.TextInput(
            attrs={
                "class": "field",
                "placeholder": "https://coffee.example/news/",
                "inputmode": "url",
                "autocomplete": "off",
                "autocapitalize": "none",
                "spellcheck": "false",
            }
        ),
        error_messages={
            "required": "Write the address, as it stands in your browser.",
            "max_length": "That address is too long.",
        },
    )
    kind = forms.ChoiceField(
        label="What it is",
        choices=[("site", "a site: look again"), ("feed", "a feed: look again"), ("page", "one page: look once")],
        initial="site",
        widget=forms.Select(attrs={"class": "field"}),
        error_messages={"invalid_choice": "Choose a site, a feed or one page."},
    )
    title = forms.CharField(
        label="What it is about",
        required=False,
        max_length=TITLE_CHARACTERS,
        widget=forms.TextInput(attrs={"class": "field", "placeholder": "what it is about", "autocomplete": "off"}),
        error_messages={"max_length": f"Say in under {TITLE_CHARACTERS} characters what it is about."},
    )
    source: Source
    was_cut = False

    def clean_url(self) -> str:
        text = str(self.cleaned_data["url"]).strip()
        return text if "://" in text else f"https://{text}"

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if "url" in values and "kind" in values:
            self._parse_source(values["url"], values["kind"], values.get("title", ""))
        return values

    def _parse_source(self, url: str, kind: str, title: str) -> None:
        try:
            self.source = from_files.source_of(
                clean(Entry("", title, url) if kind == Source.Kind.FEED else Entry(url, title))
            )
        except HostInvalid as error:
            self.add_error("url", str(error))
            return
        self.source.kind = kind
        self.was_cut = len(self.source.feed_url or self.source.url) < len(url.partition("#")[0])
        if kind == Source.Kind.PAGE and not self.source.title:
            self.add_error(
                "title", "Say what this page is about: Penny looks at a single page when she thinks about that."
            )
        existing = (
            Source.objects.kept().filter(key=self.source.key, paused=False, kind=kind, title=self.source.title).first()
        )
        if existing:
            self.add_error("url", f"“{existing.short_name}” is one of your sources already.")


class FileForm(forms.Form):
    """A file of another program. `name` is its name, cleaned."""

    file = forms.FileField(
        label="A file",
        help_text=f"{HOW} At most {SIZE_MAX // 1024 // 1024} MB.",
        widget=forms.ClearableFileInput(
            attrs={"class": "field", "accept": ".opml,.xml,.html,.htm,.csv,.tsv,.json,.jsonl,.md,.txt"}
        ),
        error_messages={"required": "Choose a file first.", "empty": "This file is empty. Export it again."},
    )
    name: str

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > SIZE_MAX:
            raise ValidationError(too_large())
        try:
            check_head(file.read(HEAD_BYTES))
        except Unreadable as error:
            raise ValidationError(str(error)) from None
        self.name = clean_line(file.name or "")[:NAME_CHARACTERS] or "a file"
        return file
