"""Show watches and their visits to the operator."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from agents.watches.start import can_visit, start_visit
from penny_site.admin_pages.read_only import ReadOnlyAdmin, ReadOnlyInline, join_labels
from thoughts.models.watches import Observation, SeenItem, Watch


class ObservationInline(ReadOnlyInline):
    model = Observation
    fields = ["at", "price", "currency", "stock", "source", "field", "quote", "items_new", "page", "thought"]
    verbose_name_plural = "the last visits"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Observation]:
        """Return the newest fifty visits of the watch; the list of visits has all."""
        rows: QuerySet[Observation] = super().get_queryset(request).select_related("page", "thought")
        key = str(request.resolver_match.kwargs.get("object_id", "")) if request.resolver_match else ""
        newest = Observation.objects.filter(watch=int(key) if key.isdecimal() else 0).values("pk")[:50]
        return rows.filter(pk__in=list(newest.values_list("pk", flat=True)))


@admin.register(Watch)
class WatchAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Watches and their state. The page of watches creates them: it checks their addresses."""

    list_display = [
        "short_name",
        "domain",
        "wants",
        "preference",
        "is_paused",
        "next_check_at",
        "checked_at",
        "trouble_code",
        "missing",
    ]
    list_filter = [
        "kind",
        "is_paused",
        ("trouble_code", admin.AllValuesFieldListFilter),
        ("missing_told_at", admin.EmptyFieldListFilter),
        ("preference", admin.EmptyFieldListFilter),
        ("deleted_at", admin.EmptyFieldListFilter),
        "currency",
    ]
    search_fields = ["label", "title", "url", "domain", "preference__text"]
    list_select_related = ["preference"]
    autocomplete_fields = ["preference"]
    date_hierarchy = "created_at"
    list_per_page = 50
    readonly_fields = [
        "url", "domain", "title", "kind", "from_where", "is_below", "is_in_stock", "missing", "missing_told_at",
        "trouble_code", "troubles",
        "checked_at", "created_at", "deleted_at",
    ]  # fmt: skip
    fields = [
        "label",
        "preference",
        "below",
        "currency",
        "when_back",
        "every_minutes",
        "rrule",
        "is_paused",
        "next_check_at",
        *readonly_fields,
    ]
    inlines = [ObservationInline]
    actions = ["visit_now", "pause", "resume", "restore"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def view_on_site(self, watch: Watch) -> str:
        return reverse("watch", args=[watch.pk])

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Allow deleting visits and items together with their watch."""
        deleted, counts, needed, protected = super().get_deleted_objects(objs, request)
        return deleted, counts, needed - {Observation._meta.verbose_name, SeenItem._meta.verbose_name}, protected

    @admin.display(description="labels")
    def from_where(self, watch: Watch) -> str:
        return join_labels(watch.origin)

    @admin.action(description="Visit now", permissions=["change"])
    def visit_now(self, request: HttpRequest, rows: QuerySet[Watch]) -> None:
        if not can_visit():
            messages.warning(request, "No browser is connected. Penny looks as soon as one is.")
            return
        started = [watch for watch in rows if start_visit(watch) is not None]
        messages.success(request, f"{len(started)} visits started. The outcome appears here and under Runs.")

    @admin.action(description="Pause", permissions=["change"])
    def pause(self, request: HttpRequest, rows: QuerySet[Watch]) -> None:
        messages.success(request, f"{rows.update(is_paused=True)} paused.")

    @admin.action(description="Resume", permissions=["change"])
    def resume(self, request: HttpRequest, rows: QuerySet[Watch]) -> None:
        messages.success(request, f"{rows.update(is_paused=False, next_check_at=timezone.now())} are watched again.")

    @admin.action(description="Bring back what was deleted", permissions=["change"])
    def restore(self, request: HttpRequest, rows: QuerySet[Watch]) -> None:
        messages.success(request, f"{rows.update(deleted_at=None)} are there again.")


@admin.register(Observation)
class ObservationAdmin(ReadOnlyAdmin):
    """Every visit, with the values read and their place."""

    list_display = ("at", "watch", "price", "currency", "stock", "source", "field", "items_new", "thought")
    list_filter = ["stock", "source", "currency", ("thought", admin.EmptyFieldListFilter), "watch__kind"]
    search_fields = ["watch__label", "watch__title", "watch__url"]
    list_select_related = ["watch", "thought"]
    date_hierarchy = "at"
    fields = ["watch", "at", "price", "currency", "stock", "source", "field", "quote", "items_new", "page", "thought"]

    def view_on_site(self, visit: Observation) -> str:
        return reverse("watched_page", args=[visit.watch_id, visit.pk])


@admin.register(SeenItem)
class SeenItemAdmin(ReadOnlyAdmin):
    """Links and passages of watched pages: known, pending, or reported."""

    list_display = ("text", "watch", "state", "first_seen_at", "last_seen_at", "told_at")
    list_filter = ["state", ("told_at", admin.EmptyFieldListFilter)]
    search_fields = ["text", "url", "watch__label"]
    list_select_related = ["watch"]
    fields = ["watch", "text", "url", "state", "first_seen_at", "last_seen_at", "told_at"]
