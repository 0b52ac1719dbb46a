"""The page of the chat."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from devices.models import Message
from devices.protocol import FIRST_MESSAGES
from penny_site.requests import OwnerRequest, is_from_here
from thoughts.models import Thought

WORDS_MAX = 4000


@require_safe
def chat(request: OwnerRequest) -> HttpResponse:
    newest = Message.objects.filter(owner=request.user).order_by("-seq")[: FIRST_MESSAGES + 1]
    messages = list(newest)[::-1]
    context = {
        "history": messages[-FIRST_MESSAGES:],
        "has_more": len(messages) > FIRST_MESSAGES,
        "about": _find_thought(request),
        "words": _composer_text(request),
    }
    return render(request, "devices/chat.html", context)


def _composer_text(request: OwnerRequest) -> str:
    """Return the initial text of the composer, `?words=`, unless another site's page sent it."""
    return request.GET.get("words", "")[:WORDS_MAX] if is_from_here(request) else ""


def _find_thought(request: OwnerRequest) -> Thought | None:
    """Return the thought that the next message is about, by its id in `?about=`."""
    try:
        return Thought.objects.filter(pk=UUID(request.GET.get("about", ""))).first()
    except ValueError:
        return None
