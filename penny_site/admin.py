from constance.admin import Config
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from penny_site.admin_pages.lists import ListAdmin
from penny_site.admin_pages.settings_admin import SettingsAdmin

admin.site.unregister([User, Group, Config])
admin.site.register([Config], SettingsAdmin)
# The library's names are "Constance" and "config".
Config._meta.app_config.verbose_name = "Settings"
Config._meta.verbose_name_plural = "settings"
User._meta.verbose_name_plural = "your account"


@admin.register(User)
class OwnerAdmin(ListAdmin, UserAdmin):  # type: ignore[type-arg]
    """The one owner, who cannot be added or deleted. Penny's own page changes the password."""

    title = "Your account"
    list_display = ["username", "last_login", "date_joined"]
    list_filter = []
    search_fields = []
    fieldsets = [(None, {"fields": ["username", "change_password", "last_login", "date_joined"]})]
    readonly_fields = ["username", "change_password", "last_login", "date_joined"]

    @admin.display(description="password")
    def change_password(self, user: User) -> SafeString:
        return format_html('<a href="{}">Change it</a>', reverse("password"))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Leave Django's form aside: it does not ask for the old password."""
        return redirect("password")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
