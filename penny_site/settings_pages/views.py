from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.runs.day_budget import Gauge, meter, unpriced
from penny_site.frame.places import SETTINGS as PLACE
from penny_site.requests import OwnerRequest
from penny_site.settings_pages.forms import SettingsForm
from penny_site.settings_pages.pages import LIMITS, LOOKS, YOU
from penny_site.settings_pages.save import save_or_reset, undo_change
from penny_site.settings_pages.search import Matches, find
from penny_site.settings_pages.setting import Group

# The gauges of the day's budget, by the setting that limits them.
GAUGES = {
    "DAY_TOKENS_MAX": "Tokens",
    "DAY_MONEY_MAX": "Money",
    "DAY_PAGES_MAX": "Pages",
    "DAY_MINUTES_MAX": "Minutes",
    "DAY_INTERRUPTIONS_MAX": "Interruptions",
}


@require_safe
def first_page(request: OwnerRequest) -> HttpResponse:
    return redirect(PLACE.address)


@require_http_methods(["GET", "HEAD", "POST"])
def you(request: OwnerRequest) -> HttpResponse:
    return _simple_page(request, YOU)


@require_http_methods(["GET", "HEAD", "POST"])
def looks(request: OwnerRequest) -> HttpResponse:
    return _simple_page(request, LOOKS)


@require_http_methods(["GET", "HEAD", "POST"])
def limits(request: OwnerRequest) -> HttpResponse:
    gauges = {gauge.name: gauge for gauge in meter(timezone.now()).gauges}
    used = {setting: gauges[name] for setting, name in GAUGES.items() if name in gauges}
    return _simple_page(request, LIMITS, used, unpriced=unpriced())


def _simple_page(
    request: OwnerRequest, group: Group, gauges: dict[str, Gauge] | None = None, **context: Any
) -> HttpResponse:
    answer, form = save_or_reset(
        request, SettingsForm(group.settings, request.POST if request.method == "POST" else None), reverse(group.page)
    )
    if answer:
        return answer
    rows = [(row, (gauges or {}).get(row.setting.name)) for row in form.rows]
    return render_form(request, "penny_site/settings/page.html", form, context | {"group": group, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
def expert(request: OwnerRequest) -> HttpResponse:
    """Show every setting without a place on a named page. `?q=` finds settings on all pages."""
    words = request.GET.get("q", "")[:100]
    matches = find(words)
    home = reverse("settings_expert") + (f"?{request.GET.urlencode()}" if words else "")
    form = SettingsForm(matches.here, request.POST if request.method == "POST" else None)
    answer, form = save_or_reset(request, form, home)
    if answer:
        return answer
    context = {"words": words, "matches": matches, "groups": _expert_rows(form, matches)}
    return render_form(request, "penny_site/settings/expert.html", form, context)


def _expert_rows(form: SettingsForm, matches: Matches) -> list[tuple[str, list[Any]]]:
    return [(group.title, [form.row(setting.name) for setting in group.settings]) for group in matches.groups]


def render_form(request: OwnerRequest, template: str, form: SettingsForm, context: dict[str, Any]) -> HttpResponse:
    wrong = form.is_bound and len(form.errors)
    return render(request, template, context | {"form": form, "wrong": wrong}, status=422 if wrong else 200)


@require_POST
def undo(request: OwnerRequest, token: str) -> HttpResponse:
    return redirect(undo_change(request, token))
