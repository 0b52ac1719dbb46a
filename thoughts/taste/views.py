"""The page of the owner's taste."""

from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe

from agents.embeddings.preview import ask_preview
from penny_site.requests import OwnerRequest
from thoughts.models import Preference, Taste, Thought
from thoughts.taste import weights
from thoughts.taste.reasons import reason

TASTE_GROUPS = [
    ("What you said", ("preference",)),
    ("What you reacted to", ("liked", "disliked")),
    ("Sites", ("source",)),
    ("Anything", ("watch", "novelty", "exploration")),
]


@require_safe
def taste(request: OwnerRequest) -> HttpResponse:
    row = Taste.the_only()
    weights = [(part["kind"], reason(part)) for part in row.weights]
    groups = [(title, [why for kind, why in weights if kind in kinds]) for title, kinds in TASTE_GROUPS]
    return render(request, "thoughts/taste.html", {"taste": row, "groups": [group for group in groups if group[1]]})


@require_GET
def taste_export(request: OwnerRequest) -> HttpResponse:
    row = Taste.the_only()
    document = {
        "learned_at": row.learned_at,
        "learned_from": row.outcomes,
        "since": row.since,
        "weights": row.weights,
    }
    headers = {"Content-Disposition": 'attachment; filename="penny-taste.json"'}
    return JsonResponse(document, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@require_POST
def taste_reset(request: OwnerRequest) -> HttpResponse:
    Taste.the_only().begin_anew(timezone.now())
    words = "Penny starts over with your interests. Earlier thumbs are kept, and teach her nothing."
    messages.success(request, words, extra_tags=reverse("taste_restore"))
    return redirect("taste")


@require_POST
def taste_restore(request: OwnerRequest) -> HttpResponse:
    Taste.the_only().take_back_beginning(timezone.now())
    messages.success(request, "Penny learns again from your earlier thumbs.")
    return redirect("taste")


# The bars of a find's reasons
# ---------------------------------------------------------------------------------------------------------------------


@require_safe
def why(request: OwnerRequest, pk: str) -> HttpResponse:
    """Show the reasons of a find with their bars, as a page, or for htmx as the list in its card."""
    return _answer_bars(request, get_object_or_404(Thought, pk=pk))


@require_safe
def strength_preview(request: OwnerRequest, pk: int) -> JsonResponse:
    """Say what another strength would do to the find and to the feed. Changes nothing."""
    preference, thought = get_object_or_404(Preference, pk=pk, muted=False), _thought(request.GET.get("thought", ""))
    strength = weights.read_strength(request.GET.get("strength", ""))
    if strength is None:
        return JsonResponse({"words": weights.BOUNDS}, status=400)
    shift = ask_preview(preference.pk, strength, thought.pk)
    return JsonResponse({"words": weights.preview_words(shift, preference, strength)})


@require_POST
def strength_teach(request: OwnerRequest, pk: int) -> HttpResponse:
    """Take the strength to which the owner moved the bar."""
    preference, thought = get_object_or_404(Preference, pk=pk, muted=False), _thought(request.POST.get("thought", ""))
    strength, before = weights.read_strength(request.POST.get("strength", "")), preference.strength
    if strength is None:
        return _answer_bars(request, thought, preference, weights.BOUNDS, is_refused=True)
    preference.set_strength(strength)
    undo = f"{reverse('strength_undo', args=[pk])}?{urlencode({'strength': repr(before), 'thought': thought.pk})}"
    return _answer_bars(request, thought, preference, weights.answer_words(preference, before), undo)


@require_POST
def strength_undo(request: OwnerRequest, pk: int) -> HttpResponse:
    """Restore the strength that the address names: the one before, to the last digit."""
    preference, thought = get_object_or_404(Preference, pk=pk), _thought(request.GET.get("thought", ""))
    most = weights.UNDO_MOST
    strength = weights.read_strength(request.GET.get("strength", ""), least=-most, most=most)
    if strength is None:
        return _answer_bars(request, thought, preference, "That cannot be restored. Nothing changed.", is_refused=True)
    preference.set_strength(strength)
    return _answer_bars(request, thought, preference, f"“{preference.text}” counts as before.")


def _thought(key: str) -> Thought:
    try:
        return get_object_or_404(Thought, pk=key)
    except ValidationError:
        raise Http404 from None


def _answer_bars(
    request: OwnerRequest,
    thought: Thought,
    preference: Preference | None = None,
    words: str = "",
    undo_at: str = "",
    *,
    is_refused: bool = False,
) -> HttpResponse:
    """Render the bars with the words at the bar that moved; without htmx redirect to their page."""
    if preference is not None and not request.htmx:
        messages.add_message(request, messages.ERROR if is_refused else messages.SUCCESS, words, extra_tags=undo_at)
        return redirect("thought_why", pk=thought.pk)
    context = {
        "thought": thought,
        "bars": weights.bars_of(thought, preference),
        "moved": preference,
        "said": words,
        "undo_at": undo_at,
        "is_refused": is_refused,
    }
    return render(request, "thoughts/_bars.html" if request.htmx else "thoughts/why.html", context)
