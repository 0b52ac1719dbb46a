"""The page of the owner's taste."""

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe

from penny_site.requests import OwnerRequest
from thoughts.models import Taste
from thoughts.taste.reasons import reason

TASTE_GROUPS = [
    ("What you said", ("preference",)),
    ("What you reacted to", ("liked", "disliked")),
    ("Sites", ("source",)),
    ("Anything", ("novelty", "exploration")),
]


@require_safe
def taste(request: OwnerRequest) -> HttpResponse:
    row = Taste.the_only()
    weights = [(part["kind"], reason(part)) for part in row.weights]
    groups = [(title, [why for kind, why in weights if kind in kinds]) for title, kinds in TASTE_GROUPS]
    return render(request, "thoughts/taste.html", {"taste": row, "groups": [group for group in groups if group[1]]})


@require_GET
def taste_export(request: OwnerRequest) -> HttpResponse:
    row = Taste.the_only()
    document = {
        "learned_at": row.learned_at,
        "learned_from": row.outcomes,
        "since": row.since,
        "weights": row.weights,
    }
    headers = {"Content-Disposition": 'attachment; filename="penny-taste.json"'}
    return JsonResponse(document, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@require_POST
def taste_reset(request: OwnerRequest) -> HttpResponse:
    Taste.the_only().begin_anew(timezone.now())
    words = "Penny begins anew with your preferences. Your reactions are kept, and are not learned from."
    messages.success(request, words, extra_tags=reverse("taste_restore"))
    return redirect("taste")


@require_POST
def taste_restore(request: OwnerRequest) -> HttpResponse:
    Taste.the_only().take_back_beginning(timezone.now())
    messages.success(request, "Penny learns again from what you showed before.")
    return redirect("taste")
