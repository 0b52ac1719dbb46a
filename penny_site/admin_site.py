from typing import Any

from django.contrib import admin
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse

from penny_site.admin_pages import retention_views

# The apps in the order of the admin's index, and their headings.
NAMES = {
    "agents": "Agents",
    "devices": "Devices and the conversation",
    "thoughts": "Thoughts",
    "constance": "Settings",
    "auth": "Owner",
}
ORDER = list(NAMES)


class PennyAdmin(admin.AdminSite):
    """The admin. Sign-in, sign-out and password use Penny's own pages."""

    site_title = site_header = "Penny"
    index_title = "Administration"
    enable_nav_sidebar = False  # the index fits on one page, and the lists need the width

    def get_urls(self) -> list[Any]:
        pages = [
            path("retention/", self.admin_view(retention_views.retention_page), name="retention"),
        ]
        return [*pages, *super().get_urls()]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        logout(request)
        return redirect("sign_in")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        return redirect("password")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Leave out the tables of libraries that the settings switch on: they have no name here."""
        apps = [app for app in super().get_app_list(request, app_label) if app["app_label"] in NAMES]
        for app in apps:
            app["name"] = NAMES[app["app_label"]]
        return sorted(apps, key=lambda app: ORDER.index(app["app_label"]))
