from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse

from agents.thinking_runs import start_thinking
from penny_site.read_only import ReadOnlyAdmin, ReadOnlyInline, labels
from thoughts.models import Claim, Page, Preference, Thought


@admin.register(Preference)
class PreferenceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["text", "valence", "muted", "source", "used_at", "created_at"]
    list_filter = ["valence", "muted", "source"]
    search_fields = ["text"]
    fields = ["text", "valence", "muted", "source", "from_where", "used_at", "created_at"]
    readonly_fields = ["source", "from_where", "used_at", "created_at"]
    actions = ["think_now"]

    @admin.display(description="labels")
    def from_where(self, preference: Preference) -> str:
        return labels(preference.origin)

    @admin.action(description="Think about it now")
    def think_now(self, request: HttpRequest, rows: QuerySet[Preference]) -> None:
        likes = [row for row in rows if row.valence == Preference.Valence.LIKE]
        for row in likes:
            start_thinking(preference=row)
        if likes:
            messages.success(request, f"Started thinking about {', '.join(map(str, likes))}. The outcome appears under Runs.")
        if len(likes) < len(rows):
            messages.warning(request, "What you dislike starts no thinking.")


class ClaimInline(ReadOnlyInline):
    model = Claim
    fields = ["text", "quote", "page", "from_where"]
    verbose_name_plural = "claims and what supports them"

    @admin.display(description="labels")
    def from_where(self, claim: Claim) -> str:
        return labels(claim.origin)


@admin.register(Thought)
class ThoughtAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["title", "seed_text", "from_where", "created_at", "is_read", "is_extractive"]
    list_filter = [("notified_at", admin.EmptyFieldListFilter), "is_extractive"]
    search_fields = ["title", "text", "seed_text"]
    date_hierarchy = "created_at"
    readonly_fields = ["title", "text", "seed_text", "preference", "sources", "from_where", "is_extractive", "created_at", "notified_at"]
    fields = tuple(readonly_fields)
    inlines = [ClaimInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def view_on_site(self, thought: Thought) -> str:
        return reverse("thought", args=[thought.pk])

    @admin.display(description="read", boolean=True)
    def is_read(self, thought: Thought) -> bool:
        return thought.notified_at is not None

    @admin.display(description="pages")
    def sources(self, thought: Thought) -> str:
        return "\n".join(thought.pages.values_list("url", flat=True)) or "-"

    @admin.display(description="labels")
    def from_where(self, thought: Thought) -> str:
        return labels(thought.origin)


@admin.register(Page)
class PageAdmin(ReadOnlyAdmin):
    list_display = ["domain", "title", "extracted_with", "truncated", "device_label", "fetched_at"]
    list_filter = ["extracted_with", "truncated"]
    search_fields = ["domain", "title", "url"]
    fields = ["url", "domain", "from_where", "title", "text", "extracted_with", "truncated", "device_label", "fetched_at", "sha256"]

    @admin.display(description="labels")
    def from_where(self, page: Page) -> str:
        return labels(page.origin)
