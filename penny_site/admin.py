from constance.admin import Config
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

admin.site.unregister([User, Group])
# The library's names are "Constance" and "config".
Config._meta.app_config.verbose_name = "Settings"
Config._meta.verbose_name_plural = "settings"
User._meta.verbose_name_plural = "owner and password"


@admin.register(User)
class OwnerAdmin(UserAdmin):  # type: ignore[type-arg]
    """The one owner, who cannot be added or deleted. Penny's own page changes the password."""

    list_display = ["username", "last_login", "date_joined"]
    list_filter = []
    search_fields = []
    fieldsets = [(None, {"fields": ["username", "password", "last_login", "date_joined"]})]
    readonly_fields = ["username", "last_login", "date_joined"]

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Leave Django's form aside: it does not ask for the old password."""
        return redirect("password")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
