"""Pages of the feed. Each htmx answer is the fragment that its full page includes."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_safe

from agents.embeddings import search
from agents.pages import pictures
from agents.thinking.look_rows import looking_now
from penny_site.requests import OwnerRequest
from thoughts.feed.cards import (
    View,
    as_text,
    by_meaning,
    card,
    feed_page,
    fresh_cards,
    fresh_rows,
    page_size,
    read_cursor,
    similar,
    sources_offered,
)
from thoughts.feed.evidence import reading, snapshot
from thoughts.feed.forms import FilterForm
from thoughts.models import Thought
from thoughts.preferences.forms import PreferenceForm


@require_safe
def feed(request: OwnerRequest) -> HttpResponse:
    return _feed(request, View.NEW)


@require_safe
def archive(request: OwnerRequest) -> HttpResponse:
    return _feed(request, View.ARCHIVE)


@require_safe
def saved(request: OwnerRequest) -> HttpResponse:
    return _feed(request, View.SAVED)


def _feed(request: OwnerRequest, view: View) -> HttpResponse:
    """Render the page, or for htmx the next cards, or all results if the filter changed."""
    form, before = FilterForm(request.GET), request.GET.get("before", "")
    by = form.filter()
    context: dict[str, Any] = {
        "feed": feed_page(view, by, before),
        "by": by,
        "narrowing": form,
        "is_first": read_cursor(before) is None,
        "archived": View.ARCHIVE.rows,
    }
    if not request.htmx:
        return render(
            request,
            "thoughts/feed.html",
            context
            | looking_now(timezone.now(), reverse("feed"))
            | {"form": PreferenceForm(), "sources": sources_offered()},
        )
    return render(
        request, "thoughts/_results.html" if request.htmx.target == "results" else "thoughts/_cards.html", context
    )


@require_safe
def search_by_meaning(request: OwnerRequest, view: str) -> HttpResponse:
    """Render the results of a semantic search, as a fragment below the results of the words."""
    if view not in list(View):
        raise Http404
    by = FilterForm(request.GET).filter()
    context: dict[str, Any] = {"by": by, "view": view}
    try:
        hits = search.find_nearest(by.words) if by.words else []
        context["feed"] = by_meaning(View(view), by, {hit.thought: hit.closeness for hit in hits})
    except search.NoSemanticSearch as error:
        context["failed"] = str(error)
    return render(request, "thoughts/_by_meaning.html" if request.htmx else "thoughts/by_meaning.html", context)


@require_GET
def unread_count(request: OwnerRequest) -> HttpResponse:
    by, after = FilterForm(request.GET).filter(), request.GET.get("after", "")
    context = {
        "fresh": fresh_rows(by, after).count(),
        "after": after,
        "filter": by.in_address,
        "page_size": page_size(),
    }
    return render(request, "thoughts/_counted.html", context)


@require_safe
def fresh(request: OwnerRequest) -> HttpResponse:
    """Render cards that arrived after the page was opened; without htmx, redirect to the feed."""
    by = FilterForm(request.GET).filter()
    if not request.htmx:
        return redirect(f"{reverse('feed')}?{by.in_address}")
    return render(request, "thoughts/_fresh.html", {"feed": fresh_cards(by, request.GET.get("after", ""))})


@require_safe
def show_thought(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought.objects.with_evidence(), pk=pk)
    thought.mark_opened(timezone.now())
    thought_card = card(thought)
    context = {
        "card": thought_card,
        "reading": reading(thought),
        "as_text": as_text(thought_card),
        "in_dialog": bool(request.htmx),
        "on_page": not request.htmx,
    }
    return render(request, "thoughts/_thought.html" if request.htmx else "thoughts/thought.html", context)


@require_safe
def thought_similar(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    context = {"thought": thought, "feed": similar(thought)}
    return render(request, "thoughts/_similar.html" if request.htmx else "thoughts/similar.html", context)


@require_safe
def thought_evidence(request: OwnerRequest, pk: str, number: int) -> HttpResponse:
    """Show a claim in the stored page. Asks nothing of the web."""
    thought = get_object_or_404(Thought, pk=pk)
    claim = snapshot(thought, number)
    if claim is None:
        raise Http404
    context = {"thought": thought, "snapshot": claim, "in_dialog": bool(request.htmx)}
    return render(request, "thoughts/_evidence.html" if request.htmx else "thoughts/evidence.html", context)


@require_safe
def serve_picture(request: OwnerRequest, sha256: str) -> HttpResponse:
    """Serve a picture that Penny encoded.

    Its name is a checksum, so browsers may cache it for ever.
    """
    data = pictures.picture_bytes(sha256)
    if data is None:
        raise Http404
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "Content-Disposition": f'inline; filename="{sha256[:12]}.webp"',
    }
    return HttpResponse(data, content_type="image/webp", headers=headers)
