"""The base of the admin's lists: a sentence as the title, and buttons in each row with the undo of the site."""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import flatten_fieldsets
from django.db.models import ForeignKey
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

PER_PAGE = 50


@dataclass(frozen=True)
class Button:
    """A button of a row. It posts to a view of the site, which answers with a message and its undo."""

    label: str
    address: str
    next: str = ""


class ListAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Show a model by a list and a form. `title` is the heading of the list, `add_label` the button that adds a row.

    `is_undoable`: one of the buttons deletes a row with undo, so no page asks before that.
    """

    title = ""
    add_label = "Add"
    is_undoable = False
    list_per_page = PER_PAGE

    @property
    def media(self) -> forms.Media:
        """Return no script: those of Django's forms serve widgets that Penny does not use."""
        return forms.Media()

    def buttons(self, row: Any) -> list[Button]:
        return []

    @admin.display(description="actions")
    def row_buttons(self, row: Any) -> SafeString:
        """Return the buttons for a list, whose one form sends them."""
        html = '<button class="button" formaction="{}">{}<span class="unseen">: {}</span></button> '
        parts = [(button.address, button.label, str(row)) for button in self.buttons(row)]
        return format_html('<div class="does">{}</div>', format_html_join("", html, parts))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        columns = list(super().get_list_display(request))
        return columns if type(self).buttons is ListAdmin.buttons else [*columns, "row_buttons"]

    def get_action_choices(self, request: HttpRequest, *_: Any) -> list[tuple[str, str]]:
        return list(super().get_action_choices(request, [("", "With the ticked rows …")]))

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return super().get_inlines(request, obj) if obj else []

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        actions = super().get_actions(request)
        if deletion := actions.get("delete_selected"):
            actions["delete_selected"] = (*deletion[:2], "Delete")
        return actions

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Leave out Django's links around a choice: each model has its own list."""
        if isinstance(db_field, ForeignKey):
            return self.formfield_for_foreignkey(db_field, request, **kwargs)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return super().changelist_view(request, {"title": self.title} | (extra_context or {}))

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], **kwargs: Any) -> HttpResponse:  # type: ignore[override]
        row = kwargs.get("obj")
        home = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        buttons = [Button(button.label, button.address, home) for button in self.buttons(row)] if row else []
        fields = set(flatten_fieldsets(context["adminform"].fieldsets))
        context |= {
            "title": str(row) if row else self.add_label,
            "subtitle": None,
            "row_buttons": buttons,
            "show_delete": not self.is_undoable,
            "show_save": bool(fields - set(context["adminform"].readonly_fields)),
        }
        return super().render_change_form(request, context, **kwargs)
