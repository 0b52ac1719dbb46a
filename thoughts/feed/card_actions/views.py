"""What the owner does with a thought. Each act answers with what takes the card's place, and with its undo."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from devices.access.handshake import web_device
from devices.conversation import reactions
from devices.conversation.unread import tell_unread
from penny_site.requests import OwnerRequest, here_or_feed
from thoughts.feed.card_actions.forms import AlikeForm
from thoughts.feed.cards import card
from thoughts.models import Preference, Thought
from thoughts.preferences.views import added


@require_POST
def thought_read(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.mark_read(timezone.now())
    tell_unread()
    return _changed(request, found, "Moved to the archive.", undo="thought_unread")


@require_POST
def thought_unread(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.mark_unread()
    tell_unread()
    return _changed(request, found, "Moved back to New.", undo="thought_read")


@require_POST
def thought_react(request: OwnerRequest, pk: str) -> HttpResponse:
    found, valence = get_object_or_404(Thought, pk=pk), request.POST.get("valence", "")
    if valence not in ("1", "-1"):
        raise BadRequest("A reaction is 1 or -1.")
    try:
        reactions.react(request.user, web_device(), found, int(valence))
    except reactions.ThoughtGone as gone:
        raise Http404 from gone
    return _changed(request, found, _taught(found, int(valence)), undo="thought_unreact")


@require_POST
def thought_unreact(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    try:
        reactions.take_back(request.user, web_device(), found)
    except reactions.ThoughtGone as gone:
        raise Http404 from gone
    return _changed(request, found, f"Your reaction is taken back.{_watched(found, None)}")


@require_POST
def thought_save(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.set_saved(timezone.now())
    return _changed(request, found, "Saved.", undo="thought_unsave")


@require_POST
def thought_unsave(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.set_saved(None)
    return _changed(request, found, "No longer saved.", undo="thought_save")


@require_POST
def thought_hide(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.set_hidden(timezone.now())
    tell_unread()
    return _changed(request, found, "Hidden.", undo="thought_unhide")


@require_POST
def thought_unhide(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    found.set_hidden(None)
    tell_unread()
    return _changed(request, found, "Shown again.", undo="thought_hide")


def thought_alike(request: OwnerRequest, pk: str) -> HttpResponse:
    """Ask in which words more, or less, of this is wanted. A thought's own words become a preference only when the
    owner says so.
    """
    found = get_object_or_404(Thought, pk=pk)
    first = {"text": found.title, "valence": -1 if request.GET.get("valence") == "-1" else 1}
    form = AlikeForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return added(request, form.save())
    context = {"form": form, "thought": found, "more": str(form["valence"].value()) != "-1"}
    return render(request, "thoughts/alike.html", context)


def _taught(thought: Thought, valence: int) -> str:
    verb, change = ("like", "more") if valence == Preference.Valence.LIKE else ("do not like", "less")
    if thought.preference is None:
        return f"You {verb} this.{_watched(thought, valence)}"
    return f"You {verb} this: “{thought.preference.text}” counts a little {change}.{_watched(thought, valence)}"


def _watched(thought: Thought, valence: int | None) -> str:
    """Return how it stands with the watch that told a thought, where a thumb down was given or gave way. `thought`: as
    it was before.
    """
    watch = thought.watch
    if watch is None or watch.deleted_at is not None or Preference.Valence.DISLIKE not in (thought.reaction, valence):
        return ""
    return f" The watch “{watch.short_name}” is {'paused' if watch.is_paused else 'on again'}."


def _changed(request: OwnerRequest, found: Thought, words: str, *, undo: str = "") -> HttpResponse:
    """Answer with what takes the card's place: a line with its undo where it left the page, and otherwise, or after an
    undo, the card.
    """
    undo_at = reverse(undo, args=[found.pk]) if undo else ""
    if not request.htmx:
        if "undo" not in request.POST:
            messages.success(request, words, extra_tags=undo_at)
        return redirect(here_or_feed(request.POST.get("next", "")))
    found.refresh_from_db()
    if "undo" not in request.POST and not _is_on_page(request, found):
        return render(request, "thoughts/_moved.html", {"thought": found, "words": words, "undo_at": undo_at})
    said = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(found)} | said)


def _is_on_page(request: OwnerRequest, found: Thought) -> bool:
    """Whether a thought as it is now belongs on the page that htmx was on."""
    page, rows = request.htmx.current_url_abs_path or "", Thought.objects.filter(pk=found.pk)
    if _is_of(page, "archive"):
        return rows.archived().exists()
    if _is_of(page, "saved"):
        return rows.saved().exists()
    return rows.unread().exists()


def _is_of(page: str, view: str) -> bool:
    """Whether a page shows that view of the feed, or what is found there by meaning."""
    return page.startswith((reverse(view), reverse("search_by_meaning", args=[view])))
