"""Admin classes for records of the past: list and search them, but never change them."""

import json
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from penny_site.admin_pages.lists import ListAdmin


class ReadOnly:
    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, ListAdmin):
    pass


class ReadOnlyInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    extra = 0
    can_delete = False

    @property
    def media(self) -> forms.Media:
        return forms.Media()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.fields


def fold_json(value: object) -> str | SafeString:
    """Return JSON folded behind a summary line: a run has dozens of such values."""
    if not value:
        return "-"
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return format_html("<details><summary>{} characters</summary><pre>{}</pre></details>", len(text), text)


def join_labels(value: list[str]) -> str:
    return ", ".join(value) or "-"
