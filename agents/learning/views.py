from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from agents.learning import forget_preference
from penny_site.requests import OwnerRequest
from thoughts.models import Preference


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: OwnerRequest, pk: int) -> HttpResponse:
    """GET shows what goes with a preference; POST removes it all."""
    found = get_object_or_404(Preference, pk=pk)
    if request.method != "POST":
        return render(request, "agents/forget.html", {"preference": found, "derived": forget_preference.shown(found)})
    forget_preference.forget(found)
    messages.success(request, f"“{found.text}” is forgotten, with all that came of it.")
    return redirect("preferences")
