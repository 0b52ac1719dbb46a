"""The page that forgets a preference."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from agents.learning import forget_preference
from penny_site.requests import OwnerRequest
from thoughts.models import Preference


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    if request.method != "POST":
        return render(
            request,
            "agents/forget.html",
            {"preference": preference, "derived": forget_preference.what_goes_with(preference)},
        )
    forget_preference.forget_preference(preference)
    messages.success(request, f"“{preference.text}” is deleted, with all its finds.")
    return redirect("preferences")
