"""Signing in, setting up, and the page of the chat."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from devices.models import Message
from devices.protocol import FIRST_MESSAGES
from penny_site.requests import OwnerRequest, is_from_here
from thoughts.models import Thought

WORDS_MAX = 4000


# Signing in
# -----------------------------------------------------------------------------------------------------------------


# Setting up
# -----------------------------------------------------------------------------------------------------------------


# Chat
# ---------------------------------------------------------------------------------------------------------------------


@require_safe
def chat(request: OwnerRequest) -> HttpResponse:
    newest = Message.objects.filter(owner=request.user).order_by("-seq")[: FIRST_MESSAGES + 1]
    messages = list(newest)[::-1]
    context = {
        "history": messages[-FIRST_MESSAGES:],
        "has_more": len(messages) > FIRST_MESSAGES,
        "about": _about(request),
        "words": _proposed(request),
    }
    return render(request, "devices/chat.html", context)


def _proposed(request: OwnerRequest) -> str:
    """Return the words that stand in the composer at first, `?words=`; no other site's page puts any into the owner's
    mouth.
    """
    return request.GET.get("words", "")[:WORDS_MAX] if is_from_here(request) else ""


def _about(request: OwnerRequest) -> Thought | None:
    """Return the thought that the next message is about, `?about=` its id."""
    try:
        return Thought.objects.filter(pk=UUID(request.GET.get("about", ""))).first()
    except ValueError:
        return None
