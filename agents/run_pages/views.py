"""The page of a run, the evidence of an answer, and "dig deeper"."""

from uuid import UUID, uuid4

from django.contrib import messages
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from agents.answers import dig_deeper
from agents.run_pages.flow import Flow, flow_of
from agents.run_pages.trace import trace_of
from agents.schedules.views import mine
from agents.turns import start as turns_start
from devices import protocol
from devices.access.handshake import web_device
from devices.disk import DiskFull
from devices.models import Message, MessageClaim
from penny_site.requests import OwnerRequest
from thoughts.feed.evidence import snapshot_of
from thoughts.models import Thought

CLAIMS_MAX = 32_767  # a made-up number may exceed the integers of the database


@require_safe
def run(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Show a run. While it is open, its page polls with its `mark`; 204 means no change."""
    flow = _flow(request, pk)
    if request.htmx and request.GET.get("mark") == flow.mark:
        return HttpResponse(status=204)
    return render(request, "agents/_flow.html" if request.htmx else "agents/run.html", {"flow": flow, "run": flow.run})


@require_safe
def run_trace(request: OwnerRequest, pk: UUID) -> HttpResponse:
    response = JsonResponse(trace_of(_flow(request, pk)), json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="penny-run-{pk}.json"'
    return response


def _flow(request: OwnerRequest, pk: UUID) -> Flow:
    rows = mine(request).select_related("message__device", "preference", "watch", "thought", "schedule", "answer")
    return flow_of(get_object_or_404(rows, pk=pk))


@require_safe
def turn(request: OwnerRequest, turn_id: UUID) -> HttpResponse:
    """Redirect to the run that answered a message: devices only know the turn."""
    return redirect("run", get_object_or_404(mine(request), turn_id=turn_id).pk)


@require_POST
def thought_dig(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Ask to dig deeper into a thought. The answer appears in the conversation."""
    thought = get_object_or_404(Thought, pk=pk)
    frame = protocol.ChatSend(turn_id=uuid4(), text=dig_deeper.question_about(thought), thought_id=thought.pk)
    try:
        turns_start.start_turn(request.user, web_device(), frame)
    except DiskFull as error:
        messages.error(request, str(error))
        return redirect("thought", pk)
    return redirect("chat")


@require_safe
def answer_evidence(request: OwnerRequest, turn_id: UUID, number: int) -> HttpResponse:
    answers = Message.objects.filter(owner=request.user, turn_id=turn_id, direction=Message.Direction.OUT)
    claims = MessageClaim.objects.filter(message__in=answers)
    claim = claims.filter(number=min(number, CLAIMS_MAX)).select_related("page__kept", "message").first()
    if claim is None or claim.page.is_forgotten:
        return _forgotten_evidence(request, answers, number)
    context = {"answer": claim.message, "snapshot": snapshot_of(claim, number, claims.count())}
    return render(request, "thoughts/evidence.html", context)


def _forgotten_evidence(request: OwnerRequest, answers: QuerySet[Message], number: int) -> HttpResponse:
    """Say that the source of a number was forgotten, if an answer has that number. Raises Http404."""
    answer = answers.first()
    if answer is None or reverse("answer_evidence", args=[answer.turn_id, number]) not in answer.html:
        raise Http404
    return render(request, "agents/evidence_forgotten.html", {"answer": answer, "number": number}, status=410)
