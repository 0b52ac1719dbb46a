"""The page of the chat."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from devices.models import Message
from devices.protocol import FIRST_MESSAGES
from penny_site.requests import OwnerRequest, is_from_here
from thoughts.models import Thought
from thoughts.text.addresses import addresses
from thoughts.text.cleaning import clean_text
from thoughts.text.labels import ADDRESSES

SHARED_MAX = 12_000


@require_safe
def chat(request: OwnerRequest) -> HttpResponse:
    newest = Message.objects.filter(owner=request.user).order_by("-seq")[: FIRST_MESSAGES + 1]
    messages = list(newest)[::-1]
    context = {
        "history": messages[-FIRST_MESSAGES:],
        "has_more": len(messages) > FIRST_MESSAGES,
        "about": _find_thought(request),
        "shared": _shared(request),
    }
    return render(request, "devices/chat.html", context)


def _shared(request: OwnerRequest) -> dict[str, str]:
    """Return the file of what another app shared, `?shared=`, unless another site's page sent it.

    Its author is unknown, so it never goes into the box. With an address it is a list of addresses: apps put one into
    any of their texts, and the other lines are comments.
    """
    text = clean_text(request.GET.get("shared", ""))[:SHARED_MAX] if is_from_here(request) else ""
    if not text:
        return {}
    links = addresses(text)
    if not links:
        return {"name": "shared.txt", "mime": "text/plain", "text": text}
    comments = [f"# {line}" for line in text.splitlines() if line.strip()]
    return {"name": "shared link", "mime": ADDRESSES, "text": "\n".join([*comments, links[0]])}


def _find_thought(request: OwnerRequest) -> Thought | None:
    """Return the thought that the next message is about, by its id in `?about=`."""
    try:
        return Thought.objects.filter(pk=UUID(request.GET.get("about", ""))).first()
    except ValueError:
        return None
