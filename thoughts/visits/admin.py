"""Show the browsing history to the operator."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from agents.learning import history_reports
from penny_site.admin_pages.filters import whether
from penny_site.admin_pages.read_only import ReadOnlyAdmin, join_labels
from thoughts.models import Visit


@admin.register(Visit)
class VisitAdmin(ReadOnlyAdmin):
    """Visits that browsers reported with the permission of the owner.

    Titles are untrusted. Deleting is final.
    """

    title = "Pages you visited"
    list_display = ["domain", "title", "visited_at", "device_label", "read_at", "deleted_at"]
    list_filter = [
        "device_label",
        ("read_at", whether("looked through", "yes", "not yet")),
        ("deleted_at", whether("removed", "removed", "in use")),
    ]
    search_fields = ["domain", "title"]
    date_hierarchy = "visited_at"
    fields = ["domain", "title", "from_where", "visited_at", "device_label", "received_at", "read_at", "deleted_at"]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_active)

    def delete_model(self, request: HttpRequest, obj: Visit) -> None:
        history_reports.forget_visits(Visit.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Visit]) -> None:
        history_reports.forget_visits(queryset)

    def view_on_site(self, visit: Visit) -> str:
        return reverse("history")

    @admin.display(description="labels")
    def from_where(self, visit: Visit) -> str:
        return join_labels(visit.origin)
