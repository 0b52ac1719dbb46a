from django.contrib import admin
from django.http import HttpRequest

from agents.models import Memory
from penny_site.admin_pages.lists import ListAdmin
from penny_site.admin_pages.read_only import join_labels


@admin.register(Memory)
class MemoryAdmin(ListAdmin):
    title = "Facts Penny remembers about you"
    list_display = ["__str__", "state", "source", "from_where", "created_at"]
    list_filter = ["state", "source"]
    search_fields = ["text"]
    fields = ["text", "name", "state", "source", "from_where", "created_at"]
    readonly_fields = ["name", "state", "source", "from_where", "created_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # the page of memories checks the text

    @admin.display(description="whose words")
    def from_where(self, memory: Memory) -> str:
        return join_labels(memory.origin)
