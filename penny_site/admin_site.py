from typing import Any

from django.contrib import admin
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.generic import RedirectView

from penny_site.admin_pages.groups import daily_lists, grouped_lists


class PennyAdmin(admin.AdminSite):
    """The admin, in the frame of the site. Sign-in, sign-out and password use Penny's own pages."""

    site_title = site_header = "Penny"
    index_title = "Admin"
    enable_nav_sidebar = False  # the first page has all lists, and the lists need the width

    def get_urls(self) -> list[Any]:
        pages = [
            path("retention/", RedirectView.as_view(pattern_name="settings_data"), name="retention"),
        ]
        return [*pages, *super().get_urls()]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        logout(request)
        return redirect("sign_in")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        return redirect("password")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]
        lists = {"daily": daily_lists(self), "groups": grouped_lists(self)}
        return super().index(request, lists | (extra_context or {}))

    def app_index(self, request: HttpRequest, app_label: str, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        """Redirect to the first page, whose groups cross the apps."""
        return redirect("admin:index")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        return []  # the first page has its own groups

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return super().each_context(request) | {"undo_next": request.get_full_path()}
