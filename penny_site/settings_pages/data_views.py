"""The page Data & backups: backups, and how long each kind of record is kept."""

from typing import Any

from celery import current_app
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from agents.worker import retention
from devices.owner import machine_clock
from penny_site.backups import make
from penny_site.backups.download import Download
from penny_site.requests import OwnerRequest
from penny_site.settings_pages.forms import SettingsForm
from penny_site.settings_pages.pages import DATA
from penny_site.settings_pages.save import save_or_reset

STARTED_WITH = "retention_started_with"  # in the session: how many records were to be removed
AGREED = "remove"  # the button that agrees to a removal; its value is what was asked for: "save", or a reset


@require_http_methods(["GET", "HEAD", "POST"])
def data_page(request: OwnerRequest) -> HttpResponse:
    """Show backups and times. Shorter times are saved once the owner saw what they remove."""
    if request.htmx:  # the page polls every 5 s
        return render(request, "penny_site/settings/_data_state.html", make.page_context())
    form = SettingsForm(DATA.settings, request.POST if request.method == "POST" else None)
    agreed = request.POST.get(AGREED, "")
    reset = request.POST.get("reset", "") if not agreed else agreed.removeprefix("save")
    would_remove = [] if agreed else _would_remove(form, reset)
    if would_remove:
        return _render(request, form, {"would_remove": would_remove, "agreed": reset or "save"})
    answer, form = save_or_reset(request, form, reverse(DATA.page), reset)
    if agreed and not form.errors:
        _start_removal(request)
    return answer or _render(request, form)


def _would_remove(form: SettingsForm, reset: str) -> list[retention.Due]:
    """Return what the posted times remove and the current ones do not."""
    if not form.is_bound:
        return []
    now = retention.settings()
    if reset:
        chosen: dict[str, Any] = {name: form.settings[name].default for name in form.names_of(reset)}
    else:
        chosen = form.new_values() if form.is_valid() else {}
    days = now | {name: value for name, value in chosen.items() if name in now}
    shorter = {name for name in now if days[name] and (not now[name] or days[name] < now[name])}
    return [due for due in retention.due(days) if due.kind.setting in shorter and due.rows] if shorter else []


def _start_removal(request: OwnerRequest) -> None:
    if doubt := machine_clock.describe_doubt(timezone.now()):
        messages.error(request, f"{doubt}. {machine_clock.ADVICE}.")
    elif rows := sum(due.rows for due in retention.due(retention.settings())):
        request.session[STARTED_WITH] = rows
        current_app.send_task("penny.remove_old", queue="runs")


@require_POST
def remove_old(request: OwnerRequest) -> HttpResponse:
    _start_removal(request)
    if STARTED_WITH not in request.session and machine_clock.is_right(timezone.now()):
        messages.success(request, "There is nothing to remove.")
    return redirect(f"{reverse(DATA.page)}#kept")


def _render(request: OwnerRequest, form: SettingsForm, question: dict[str, Any] | None = None) -> HttpResponse:
    """Render the page, with the question whether records may be removed."""
    wrong = form.is_bound and len(form.errors)
    due = [entry for entry in retention.due(retention.settings()) if entry.rows]
    context = {
        "form": form,
        "wrong": wrong,
        "backup_rows": [row for row in form.rows if row.setting.name.startswith("BACKUP")],
        "rows": [row for row in form.rows if row.setting.name.startswith("KEEP")],
        "due": due,
        "would_remove_rows": sum(entry.rows for entry in (question or {}).get("would_remove", [])),
        **make.page_context(),
        **_progress(request, sum(entry.rows for entry in due)),
        **(question or {}),
    }
    return render(request, "penny_site/settings/data.html", context, status=422 if wrong else 200)


def _progress(request: OwnerRequest, rows_left: int) -> dict[str, Any]:
    started_with = request.session.get(STARTED_WITH)
    if started_with and not rows_left:
        del request.session[STARTED_WITH]
    if not started_with:
        return {}
    removed = max(0, started_with - rows_left)
    return {"started_with": started_with, "removed": removed, "is_removing": rows_left > 0}


@require_POST
def back_up(request: OwnerRequest) -> HttpResponse:
    """Have the worker make a backup: it may take longer than a request should."""
    current_app.send_task("penny.back_up", queue="runs")
    if request.htmx:
        return render(request, "penny_site/settings/_backing_up.html")
    messages.success(request, "Penny is making a backup. It appears in the list when it is done.")
    return redirect(f"{reverse(DATA.page)}#backups")


@require_GET
def backup(request: OwnerRequest, name: str) -> HttpResponseBase:
    path = make.find_sendable(name)
    if path is None:
        raise Http404
    return Download(path)
