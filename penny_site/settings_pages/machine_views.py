"""The page This machine, and the download of the log."""

from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from penny_site.backups.download import Download
from penny_site.requests import OwnerRequest
from penny_site.settings_pages import machine
from penny_site.settings_pages.forms import SettingsForm
from penny_site.settings_pages.pages import MACHINE
from penny_site.settings_pages.save import save_or_reset


@require_http_methods(["GET", "HEAD", "POST"])
def machine_page(request: OwnerRequest) -> HttpResponse:
    if request.htmx:  # the page polls every 5 s
        return render(request, "penny_site/settings/_machine_state.html", machine.parts_context())
    form = SettingsForm(MACHINE.settings, request.POST if request.method == "POST" else None)
    answer, form = save_or_reset(request, form, reverse(MACHINE.page))
    wrong = form.is_bound and len(form.errors)
    context = machine.page(request, form) | {"wrong": wrong}
    return answer or render(request, machine.TEMPLATE, context, status=422 if wrong else 200)


@require_safe
def log(request: OwnerRequest) -> HttpResponseBase:
    path = machine.find_log()
    if path is None:
        raise Http404
    return Download(path)
