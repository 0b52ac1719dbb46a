"""The page of a run: how an answer or a thought came about."""

from uuid import UUID

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from agents import forgetting
from agents.flow import flow_of
from agents.forgetting import derived
from agents.models import Run
from devices.models import Message, MessageClaim
from penny_site.requests import OwnerRequest
from thoughts.feed import snapshot_of
from thoughts.models import Preference

CLAIMS_MAX = 32_767  # a number that was made up may be larger than any that a database knows


@require_safe
def run(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Show a run. While it runs its page asks every two seconds with what it shows, and gets 204 until there is more."""
    flow = flow_of(get_object_or_404(_mine(request).select_related("message__device", "preference", "watch", "thought", "schedule"), pk=pk))
    if request.htmx and request.GET.get("mark") == flow.mark:
        return HttpResponse(status=204)
    return render(request, "agents/_flow.html" if request.htmx else "agents/run.html", {"flow": flow, "run": flow.run})


@require_safe
def turn(request: OwnerRequest, turn_id: UUID) -> HttpResponse:
    """Lead to the run that answered a message: devices know the turn."""
    return redirect("run", get_object_or_404(_mine(request), turn_id=turn_id).pk)


@require_safe
def answer_evidence(request: OwnerRequest, turn_id: UUID, number: int) -> HttpResponse:
    """Show one claim of an answer in the page as it was read: stored text, and nothing of the web."""
    answers = Message.objects.filter(owner=request.user, turn_id=turn_id, direction=Message.Direction.OUT)
    claims = MessageClaim.objects.filter(message__in=answers)
    claim = claims.filter(number=min(number, CLAIMS_MAX)).select_related("page", "message").first()
    if claim is None:
        raise Http404
    context = {"answer": claim.message, "snapshot": snapshot_of(claim, number, claims.count())}
    return render(request, "thoughts/evidence.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: OwnerRequest, pk: int) -> HttpResponse:
    """GET shows what goes with a preference; POST removes it all."""
    found = get_object_or_404(Preference, pk=pk)
    if request.method != "POST":
        return render(request, "agents/forget.html", {"preference": found, "derived": [each for each in derived(found) if each.count]})
    forgetting.forget(found)
    messages.success(request, f"“{found.text}” is forgotten, with all that came of it.")
    return redirect("preferences")


def _mine(request: OwnerRequest) -> QuerySet[Run]:
    return Run.objects.filter(Q(message=None) | Q(message__owner=request.user))
