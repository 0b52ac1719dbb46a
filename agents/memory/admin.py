from django.contrib import admin
from django.http import HttpRequest

from agents.models import Memory
from penny_site.admin_pages.read_only import join_labels


@admin.register(Memory)
class MemoryAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["text", "state", "source", "from_where", "created_at"]
    list_filter = ["state", "source"]
    search_fields = ["text"]
    fields = ["text", "state", "source", "from_where", "created_at"]
    readonly_fields = ["state", "source", "from_where", "created_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # the page of memories checks the text

    @admin.display(description="whose words")
    def from_where(self, memory: Memory) -> str:
        return join_labels(memory.origin)
