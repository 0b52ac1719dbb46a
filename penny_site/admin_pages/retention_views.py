"""The admin's page about retention: preview, start and progress of a removal."""

from typing import Any

from celery import current_app
from constance import config
from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from agents.worker import retention

STARTED_WITH = "retention_started_with"


class DaysForm(forms.Form):
    """How many days each kind of record stays."""

    KEEP_PROMPTS_DAYS = forms.IntegerField(label="Words of recorded model requests", min_value=0, max_value=36_500)
    KEEP_STEPS_DAYS = forms.IntegerField(label="Steps, and calls to browsers", min_value=0, max_value=36_500)
    KEEP_PAGES_DAYS = forms.IntegerField(label="Pages that nothing cites", min_value=0, max_value=36_500)
    KEEP_COMPLAINTS_DAYS = forms.IntegerField(
        label="Pages that you said were read wrong", min_value=0, max_value=36_500, required=False
    )
    KEEP_VISITS_DAYS = forms.IntegerField(
        label="Visits of watches with nothing to tell", min_value=0, max_value=36_500, required=False
    )
    KEEP_HISTORY_DAYS = forms.IntegerField(
        label="Browsing history that you share", min_value=0, max_value=36_500, required=False
    )

    def clean(self) -> dict[str, Any]:
        """Return the days of every kind; an empty field keeps its setting."""
        days_by_name = super().clean() or {}
        return retention.settings() | {name: days for name, days in days_by_name.items() if days is not None}


@require_http_methods(["GET", "HEAD", "POST"])
def retention_page(request: HttpRequest) -> HttpResponse:
    """Show what would be removed (GET), or save the days and have the worker remove it (POST)."""
    now = retention.settings()
    form = DaysForm(request.POST or (request.GET if set(request.GET) & set(now) else now))
    if not form.is_valid():
        return _render_page(request, form, [], is_kept=False)
    due = retention.due(form.cleaned_data)
    if request.method == "POST":
        return _remove(request, form.cleaned_data, due)
    return _render_page(request, form, due, is_kept=form.cleaned_data == now)


def _render_page(request: HttpRequest, form: DaysForm, due: list[retention.Due], *, is_kept: bool) -> HttpResponse:
    started_with = request.session.get(STARTED_WITH) if is_kept else None
    rows_left = sum(entry.rows for entry in due)
    context: dict[str, Any] = {
        "form": form,
        "due": due,
        "left": rows_left,
        "size_bytes": sum(entry.size_bytes for entry in due),
    }
    if started_with:
        context |= {
            "started_with": started_with,
            "removed": max(0, started_with - rows_left),
            "is_removing": rows_left > 0,
        }
        if not rows_left:
            del request.session[STARTED_WITH]
    return render(request, "admin/retention.html", admin.site.each_context(request) | {"title": "Retention"} | context)


def _remove(request: HttpRequest, days: dict[str, int], due: list[retention.Due]) -> HttpResponse:
    for name, value in days.items():
        setattr(config, name, value)
    if rows := sum(entry.rows for entry in due):
        request.session[STARTED_WITH] = rows
        current_app.send_task("penny.remove_old", queue="runs")
    else:
        messages.success(request, "Kept. There is nothing to remove now.")
    return redirect(f"{request.path}?{urlencode(days)}")
