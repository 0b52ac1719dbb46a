"""The admin's page about what thinking brings and costs."""

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agents.runs.day_budget import unpriced
from agents.thinking.statistics import yields

DAYS = 30


class DaysForm(forms.Form):
    days = forms.IntegerField(label="Days", min_value=1, max_value=365, initial=DAYS)


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    form = DaysForm(request.GET if "days" in request.GET else {"days": DAYS})
    found = yields(form.cleaned_data["days"]) if form.is_valid() else None
    context = admin.site.each_context(request) | {"title": "What thinking brings", "form": form, "yields": found}
    if found:
        context["unpriced"] = unpriced()
        context["tables"] = [("Per day", "Day", found.by_day), ("Per preference", "Preference", found.by_preference)]
    return render(request, "admin/yields.html", context)
