"""The page of the chat."""

import json
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from devices.access.handshake import web_device
from devices.conversation import threads
from devices.conversation.messages import last_seq, messages_before
from devices.models import Message
from devices.protocol import FIRST_MESSAGES, View
from penny_site.frame.context import Nav
from penny_site.requests import OwnerRequest, is_from_here
from thoughts.models import Thought
from thoughts.text.addresses import addresses
from thoughts.text.cleaning import clean_text
from thoughts.text.labels import ADDRESSES

SHARED_MAX = 12_000
NEW = "new"
NO_SEQ = 2**53 - 1  # above each


@require_safe
def chat(request: OwnerRequest) -> HttpResponse:
    """Show the main conversation; with `?thread=` one thread, or `new`, an empty one."""
    query = request.GET.get("thread", "")
    thread = threads.thread_named(request.user, query)
    view: View = thread.pk if thread else "main"
    messages = [] if query == NEW else messages_before(request.user, NO_SEQ, FIRST_MESSAGES, view)[0]
    data = _page_data(request, messages) | {"thread": NEW if query == NEW else str(view)}
    recent = threads.sync_frame().threads
    data["threads"] = [info.model_dump(mode="json") for info in recent]
    context = {"history": messages, "data": json.dumps(data), "thread": thread, "threads": recent}
    return render(request, "devices/chat.html", context)


def _page_data(request: OwnerRequest, messages: list[Message]) -> dict[str, Any]:
    """Return what the page's script needs: browser_ext/src/web_chat/page_data.ts."""
    nav = Nav(request)
    device = web_device()
    about = _find_thought(request)
    return {
        "cursor": last_seq(request.user),
        "messages": [message.frame().model_dump(mode="json", exclude_none=True) for message in messages],
        "device": {"id": str(device.pk), "label": device.label},
        "about": about and {"id": str(about.pk), "title": about.title},
        "shared": _shared(request),
        "missing": ["browser"] * (not nav.counts.browsers) + ["model"] * (not nav.has_model),
    }


def _shared(request: OwnerRequest) -> dict[str, str] | None:
    """Return the file of what another app shared, `?shared=`, unless another site's page sent it.

    Its author is unknown, so it never goes into the box. With an address it is a list of addresses: apps put one into
    any of their texts, and the other lines are comments.
    """
    text = clean_text(request.GET.get("shared", ""))[:SHARED_MAX] if is_from_here(request) else ""
    if not text:
        return None
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
