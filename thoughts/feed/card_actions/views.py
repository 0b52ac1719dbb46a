"""Actions on a card. Each answers with what replaces the card, and an undo."""

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from devices.access.handshake import web_device
from devices.conversation import reactions
from devices.conversation.unread import tell_unread
from penny_site.requests import OwnerRequest, here_or_feed
from thoughts.feed.card_actions.forms import AlikeForm
from thoughts.feed.cards import card, light
from thoughts.models import Preference, Thought
from thoughts.preferences.views import answer_added


@require_safe
def thought_more(request: OwnerRequest, pk: str) -> HttpResponse:
    """Render the menu of a card, or of a find's own page (`?page`); without htmx, as a page."""
    thought = get_object_or_404(light(Thought.objects.all()), pk=pk)
    context = {"thought": thought, "card": card(thought), "on_page": not request.htmx or "page" in request.GET}
    return render(request, "thoughts/_more.html" if request.htmx else "thoughts/more.html", context)


@require_POST
def thought_read(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    thought.mark_read(timezone.now())
    tell_unread()
    return _answer_change(request, thought, "Moved to the archive.", undo="thought_unread")


@require_POST
def thought_unread(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    thought.mark_unread()
    tell_unread()
    return _answer_change(request, thought, "Moved back to New.", undo="thought_read")


@require_POST
def thought_react(request: OwnerRequest, pk: str) -> HttpResponse:
    thought, valence = get_object_or_404(Thought, pk=pk), request.POST.get("valence", "")
    if valence not in ("1", "-1"):
        raise BadRequest("A reaction is 1 or -1.")
    try:
        reactions.react(request.user, web_device(), thought, int(valence))
    except reactions.ThoughtGone as error:
        raise Http404 from error
    text, is_kept = _reaction_text(thought, int(valence)), valence == "1"
    return _answer_change(request, thought, text, undo="thought_unreact", is_kept=is_kept)


@require_POST
def thought_unreact(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    try:
        reactions.take_back(request.user, web_device(), thought)
    except reactions.ThoughtGone as error:
        raise Http404 from error
    return _answer_change(request, thought, f"Your reaction is taken back.{_watch_text(thought, None)}")


@require_POST
def thought_save(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    thought.set_saved(timezone.now())
    return _answer_change(request, thought, "Saved.", undo="thought_unsave")


@require_POST
def thought_unsave(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    thought.set_saved(None)
    return _answer_change(request, thought, "No longer saved.", undo="thought_save")


@require_POST
def thought_hide(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    thought.set_hidden(timezone.now())
    tell_unread()
    return _answer_change(request, thought, "Hidden.", undo="thought_unhide")


@require_POST
def thought_unhide(request: OwnerRequest, pk: str) -> HttpResponse:
    thought = get_object_or_404(Thought, pk=pk)
    thought.set_hidden(None)
    tell_unread()
    return _answer_change(request, thought, "Shown again.", undo="thought_hide")


def thought_alike(request: OwnerRequest, pk: str) -> HttpResponse:
    """Ask for the words of a preference; those of the thought are only the initial value."""
    thought = get_object_or_404(Thought, pk=pk)
    first = {"text": thought.title, "valence": -1 if request.GET.get("valence") == "-1" else 1}
    form = AlikeForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return answer_added(request, form.save())
    context = {"form": form, "thought": thought, "more": str(form["valence"].value()) != "-1"}
    return render(request, "thoughts/alike.html", context)


def _reaction_text(thought: Thought, valence: int) -> str:
    verb, change = ("like", "more") if valence == Preference.Valence.LIKE else ("do not like", "less")
    if thought.preference is None:
        return f"You {verb} this.{_watch_text(thought, valence)}"
    return f"You {verb} this: “{thought.preference.text}” counts a little {change}.{_watch_text(thought, valence)}"


def _watch_text(thought: Thought, valence: int | None) -> str:
    """Return a sentence on the thought's watch if a thumb down was given or withdrawn.

    `thought` is the row before the reaction.
    """
    watch = thought.watch
    if watch is None or watch.deleted_at is not None or Preference.Valence.DISLIKE not in (thought.reaction, valence):
        return ""
    return f" The watch “{watch.short_name}” is {'paused' if watch.is_paused else 'on again'}."


def _answer_change(
    request: OwnerRequest, thought: Thought, words: str, *, undo: str = "", is_kept: bool = False
) -> HttpResponse:
    """Render what replaces the card: a line with an undo if it left the page, else the card.

    `is_kept`: the card stays where it is until the page is opened again.
    """
    undo_at = reverse(undo, args=[thought.pk]) if undo else ""
    if not request.htmx:
        if "undo" not in request.POST:
            messages.success(request, words, extra_tags=undo_at)
        return redirect(here_or_feed(request.POST.get("next", "")))
    thought.refresh_from_db()
    if "undo" not in request.POST and not is_kept and not _is_on_page(request, thought):
        return render(request, "thoughts/_moved.html", {"thought": thought, "words": words, "undo_at": undo_at})
    notice = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(thought)} | notice)


def _is_on_page(request: OwnerRequest, thought: Thought) -> bool:
    page, rows = request.htmx.current_url_abs_path or "", Thought.objects.filter(pk=thought.pk)
    if _is_of(page, "archive"):
        return rows.archived().exists()
    if _is_of(page, "saved"):
        return rows.saved().exists()
    return rows.unread().exists()


def _is_of(page: str, view: str) -> bool:
    """Whether a page shows that view of the feed, or its semantic search."""
    return page.startswith((reverse(view), reverse("search_by_meaning", args=[view])))
