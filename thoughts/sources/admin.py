"""Show sources and imported files to the operator."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from agents.learning import from_files as learning_from_files
from agents.runs import failure_texts
from penny_site.admin_pages.filters import whether
from penny_site.admin_pages.lists import Button
from penny_site.admin_pages.read_only import ReadOnlyAdmin, join_labels
from thoughts.sources.models import ImportedFile, Source


@admin.register(Source)
class SourceAdmin(ReadOnlyAdmin):
    """Sources that thinking may visit if their site is granted. Names and folders are untrusted."""

    title = "Pages and feeds Penny follows"
    list_display = [
        "short_name",
        "kind",
        "domain",
        "folder",
        "from_files",
        "is_added",
        "paused",
        "looked_at",
        "trouble",
        "deleted_at",
    ]
    list_filter = [
        "kind",
        "is_added",
        "paused",
        ("looked_at", whether("visited", "visited", "not yet")),
        ("deleted_at", whether("removed", "removed", "in use")),
        "files",
    ]
    search_fields = ["title", "folder", "tags", "url", "feed_url"]
    fields = [
        "title", "kind", "url", "feed_url", "domain", "from_where", "folder", "tags", "from_files", "is_added",
        "paused", "looked_at",
        "trouble", "created_at", "deleted_at",
    ]  # fmt: skip
    actions = ["pause", "resume", "remove", "restore"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Source]:
        rows: QuerySet[Source] = super().get_queryset(request)
        return rows.prefetch_related("files")

    @admin.display(description="from")
    def from_files(self, source: Source) -> str:
        return ", ".join(file.name for file in source.files.all()) or "-"

    def buttons(self, row: Source) -> list[Button]:
        if row.deleted_at:
            return [Button("Bring back", reverse("source_restore", args=[row.pk]))]
        switch = ("Resume", "source_resume") if row.paused else ("Pause", "source_pause")
        actions = (switch, ("Delete", "source_delete"))
        return [Button(label, reverse(page, args=[row.pk])) for label, page in actions]

    @admin.display(description="trouble", ordering="trouble_code", empty_value="-")
    def trouble(self, row: Source) -> str:
        return failure_texts.tool_failure(row.trouble_code, row.domain) if row.trouble_code else ""

    @admin.display(description="labels")
    def from_where(self, source: Source) -> str:
        return join_labels(source.origin)

    @admin.action(description="Pause")
    def pause(self, request: HttpRequest, rows: QuerySet[Source]) -> None:
        messages.success(request, f"{rows.update(paused=True)} paused.")

    @admin.action(description="Resume")
    def resume(self, request: HttpRequest, rows: QuerySet[Source]) -> None:
        messages.success(request, f"{rows.update(paused=False)} may be looked at again.")

    @admin.action(description="Remove")
    def remove(self, request: HttpRequest, rows: QuerySet[Source]) -> None:
        messages.success(
            request,
            f"{rows.filter(deleted_at=None).update(deleted_at=timezone.now())} removed; for a day they can come back.",
        )

    @admin.action(description="Bring back what was removed")
    def restore(self, request: HttpRequest, rows: QuerySet[Source]) -> None:
        messages.success(request, f"{rows.update(deleted_at=None)} are there again.")


@admin.register(ImportedFile)
class ImportedFileAdmin(ReadOnlyAdmin):
    """Imported files and their results. The page of sources imports them."""

    title = "Files you brought"
    list_display = ["name", "kind", "found", "added", "known", "created_at", "undone_at"]
    list_filter = ["kind", ("undone_at", whether("taken back", "taken back", "still counts"))]
    search_fields = ["name"]
    fields = ["name", "kind", "found", "added", "known", "reasons", "created_at", "undone_at"]
    actions = ["undo"]

    def view_on_site(self, file: ImportedFile) -> str:
        return reverse("imported_file", args=[file.pk])

    @admin.display(description="left out")
    def reasons(self, file: ImportedFile) -> str:
        return "\n".join(f"{count}: {reason}" for reason, count in file.left_out.items()) or "-"

    @admin.action(description="Undo: remove what came with it alone")
    def undo(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        count = sum(learning_from_files.undo_import(file, timezone.now()) for file in rows)
        messages.success(request, f"{count} sources are gone; their pages can bring them back for a day.")
