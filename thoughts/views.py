"""The feed's pages. Each htmx answer is the fragment that its full page includes."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST, require_safe

from penny_site.requests import OwnerRequest
from thoughts.feed import card, evidence, feed_page, fresh_since, read_cursor
from thoughts.forms import PreferenceForm
from thoughts.models import Picture, Preference, Thought


@require_safe
def feed(request: OwnerRequest) -> HttpResponse:
    return _feed(request, is_archive=False)


@require_safe
def archive(request: OwnerRequest) -> HttpResponse:
    return _feed(request, is_archive=True)


def _feed(request: OwnerRequest, *, is_archive: bool) -> HttpResponse:
    before = request.GET.get("before", "")
    context: dict[str, Any] = {"feed": feed_page(is_archive=is_archive, before=before), "is_first": read_cursor(before) is None}
    if request.htmx:
        return render(request, "thoughts/_cards.html", context)
    return render(request, "thoughts/feed.html", context | {"form": PreferenceForm()})


@require_GET
def unread_count(request: OwnerRequest) -> HttpResponse:
    return render(request, "thoughts/_counted.html", {"fresh": fresh_since(request.GET.get("after", ""))})


@require_safe
def thought(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought.objects.with_evidence(), pk=pk)
    context = {"card": card(found), "evidence": evidence(found), "in_dialog": bool(request.htmx), "on_page": not request.htmx}
    return render(request, "thoughts/_thought.html" if request.htmx else "thoughts/thought.html", context)


@require_safe
def picture(request: OwnerRequest, sha256: str) -> HttpResponse:
    """Serve a picture that we encoded ourselves. Its name is the checksum of its bytes, so a browser may keep it for good."""
    found = get_object_or_404(Picture, sha256=sha256)
    headers = {
        "Cache-Control": "private, max-age=31536000, immutable",
        "Content-Disposition": f'inline; filename="{found.sha256[:12]}.webp"',
    }
    return HttpResponse(bytes(found.data), content_type="image/webp", headers=headers)


@require_POST
def thought_read(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.mark_read(timezone.now())
    return _moved(request, found, "Moved to the archive.", undo="thought_unread")


@require_POST
def thought_unread(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.mark_unread()
    return _moved(request, found, "Moved back to New.", undo="thought_read")


def _moved(request: OwnerRequest, found: Thought, words: str, *, undo: str) -> HttpResponse:
    """Answer with what takes the card's place: a line with its undo, or after an undo the card itself."""
    if not request.htmx:
        if "undo" not in request.POST:
            messages.success(request, words, extra_tags=reverse(undo, args=[found.pk]))
        return redirect(_back(request))
    if "undo" in request.POST:
        found.refresh_from_db()
        return render(request, "thoughts/_back.html", {"card": card(found)})
    return render(request, "thoughts/_moved.html", {"thought": found, "words": words, "undo": undo})


def _back(request: OwnerRequest) -> str:
    there = request.POST.get("next", "")
    return there if url_has_allowed_host_and_scheme(there, allowed_hosts=None) else reverse("feed")


def preferences(request: OwnerRequest) -> HttpResponse:
    form = PreferenceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _added(request, form.save())
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": form})
    rows = Preference.objects.order_by("text")
    likes, dislikes = ([row for row in rows if row.valence == valence] for valence in (1, -1))
    return render(request, "thoughts/preferences.html", {"form": form, "likes": likes, "dislikes": dislikes})


def _added(request: OwnerRequest, preference: Preference) -> HttpResponse:
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": PreferenceForm(), "added": preference})
    verb = "like" if preference.valence == Preference.Valence.LIKE else "dislike"
    messages.success(request, f"Penny now knows that you {verb} “{preference.text}”.")
    return redirect(_back(request) if "next" in request.POST else "preferences")


@require_POST
def preference_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Preference, pk=pk)
    found.delete()
    messages.success(request, f"“{found.text}” is deleted. Thoughts that came from it stay.")
    return redirect("preferences")
