"""Show watches and their visits to the operator."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from agents.runs import failure_texts
from agents.watches.start import can_visit, start_visit
from penny_site.admin_pages.filters import whether
from penny_site.admin_pages.lists import Button, ListAdmin
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
class WatchAdmin(ListAdmin):
    """Watches and their state. The page of watches creates them: it checks their addresses."""

    title = "Pages Penny watches"
    is_undoable = True
    list_display = [
        "short_name",
        "domain",
        "wants",
        "preference",
        "is_paused",
        "next_check_at",
        "checked_at",
        "trouble",
    ]
    list_filter = [
        "kind",
        "is_paused",
        ("missing_told_at", whether("value missing", "you were told", "no")),
        ("preference", whether("part of an interest", "yes", "no")),
        ("deleted_at", whether("removed", "removed", "in use")),
        "currency",
    ]
    search_fields = ["label", "title", "url", "domain", "preference__text"]
    list_select_related = ["preference"]
    date_hierarchy = "created_at"
    readonly_fields = [
        "url", "domain", "title", "kind", "from_where", "is_below", "is_in_stock", "missing_told_at",
        "trouble",
        "next_check_at",
        "checked_at", "created_at", "deleted_at",
    ]  # fmt: skip
    fields = [
        "label",
        "preference",
        "below",
        "currency",
        "when_back",
        "is_paused",
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

    def buttons(self, row: Watch) -> list[Button]:
        if row.deleted_at:
            return [Button("Bring back", reverse("watch_restore", args=[row.pk]))]
        switch = ("Resume", "watch_resume") if row.is_paused else ("Pause", "watch_pause")
        actions = (switch, ("Delete", "watch_delete"))
        return [Button(label, reverse(page, args=[row.pk])) for label, page in actions]

    @admin.display(description="trouble", ordering="trouble_code", empty_value="-")
    def trouble(self, row: Watch) -> str:
        return failure_texts.tool_failure(row.trouble_code, row.domain) if row.trouble_code else ""

    @admin.display(description="labels")
    def from_where(self, watch: Watch) -> str:
        return join_labels(watch.origin)

    @admin.action(description="Visit now", permissions=["change"])
    def visit_now(self, request: HttpRequest, rows: QuerySet[Watch]) -> None:
        if not can_visit():
            messages.warning(
                request, "No browser is connected. Penny looks as soon as one is.", extra_tags="no_browser"
            )
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

    title = "What each visit of a watch read"
    list_display = ("at", "watch", "price", "currency", "stock", "source", "field", "items_new", "thought")
    list_filter = ["stock", "source", "currency", ("thought", whether("made a find", "yes", "no")), "watch__kind"]
    search_fields = ["watch__label", "watch__title", "watch__url"]
    list_select_related = ["watch", "thought"]
    date_hierarchy = "at"
    fields = ["watch", "at", "price", "currency", "stock", "source", "field", "quote", "items_new", "page", "thought"]

    def view_on_site(self, visit: Observation) -> str:
        return reverse("watched_page", args=[visit.watch_id, visit.pk])


@admin.register(SeenItem)
class SeenItemAdmin(ReadOnlyAdmin):
    """Links and passages of watched pages: known, pending, or reported."""

    title = "What stood on watched pages"
    list_display = ("text", "watch", "state", "first_seen_at", "last_seen_at", "told_at")
    list_filter = ["state", ("told_at", whether("told", "you were told", "not told"))]
    search_fields = ["text", "url", "watch__label"]
    list_select_related = ["watch"]
    fields = ["watch", "text", "url", "state", "first_seen_at", "last_seen_at", "told_at"]
