"""The page of preferences, with what the web suggests and the sites that are muted."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from devices.owner import muted_sites
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, here_or_feed
from thoughts.feed.cards import card
from thoughts.models import Candidate, Merge, MutedSite, Preference, Thought
from thoughts.preferences import candidates, merges
from thoughts.preferences.forms import EditForm, PreferenceForm
from thoughts.text.cleaning import clean_line

HOST_MAX, TEXT_MAX = 2000, 300


def preferences(request: OwnerRequest) -> HttpResponse:
    form = PreferenceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return added(request, form.save())
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": form})
    return _preferences(request, form)


def _preferences(request: OwnerRequest, form: PreferenceForm, editing: EditForm | None = None) -> HttpResponse:
    """Show the page; where a change was refused, with its form and the reason."""
    rows = Preference.objects.select_related("last_thought").prefetch_related("merges").order_by("text")
    texts = {(row.text, row.valence) for row in rows}
    for row in rows:
        row.resembles = row.resembles if (row.resembles, row.valence) in texts else ""
    likes, dislikes = ([row for row in rows if row.valence == valence] for valence in (1, -1))
    context: dict[str, Any] = {"form": form, "editing": editing, "likes": likes, "dislikes": dislikes}
    context |= {"sites": MutedSite.objects.all(), "candidates": Candidate.objects.open().select_related("meaning")}
    return render(request, "thoughts/preferences.html", context)


def added(request: OwnerRequest, preference: Preference) -> HttpResponse:
    """Answer a form that made a preference, on whatever page it stood."""
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": PreferenceForm(), "added": preference})
    verb = "like" if preference.valence == Preference.Valence.LIKE else "dislike"
    messages.success(request, f"Penny now knows that you {verb} “{preference.text}”.")
    return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else "preferences")


@require_POST
def preference_edit(request: OwnerRequest, pk: int) -> HttpResponse:
    form = EditForm(request.POST, instance=get_object_or_404(Preference, pk=pk))
    if not form.is_valid():
        return _preferences(request, PreferenceForm(), form)
    messages.success(request, f"It says “{form.save().text}” now.")
    return redirect("preferences")


@require_POST
def preference_merge(request: OwnerRequest, pk: int) -> HttpResponse:
    other, into = get_object_or_404(Preference, pk=pk), clean_line(request.POST.get("into", ""))[:TEXT_MAX]
    kept = Preference.objects.filter(text__iexact=into).first()
    if kept is None:
        return _muted(
            request, f"You have no preference “{into}”. Write the words of the one that is to stay.", failed=True
        )
    try:
        done = merges.merge(kept, other)
    except merges.Unmergeable as error:
        return _muted(request, str(error), failed=True)
    return _muted(request, f"“{other.text}” is now part of “{kept.text}”.", reverse("merge_undo", args=[done.pk]))


@require_POST
def preference_apart(request: OwnerRequest, pk: int) -> HttpResponse:
    """Keep two preferences apart that seemed to mean the same."""
    Preference.objects.filter(pk=pk).update(resembles="")
    return redirect("preferences")


@require_POST
def merge_undo(request: OwnerRequest, pk: int) -> HttpResponse:
    try:
        parted = merges.undo(get_object_or_404(Merge, pk=pk))
    except merges.Unmergeable as error:
        return _muted(request, str(error), failed=True)
    return _muted(request, f"“{parted.text}” stands by itself again.")


@require_POST
def candidate_confirm(request: OwnerRequest, pk: int) -> HttpResponse:
    valence = -1 if request.POST.get("valence") == "-1" else 1
    return added(request, candidates.confirm(get_object_or_404(Candidate, pk=pk), valence))


@require_POST
def candidate_dismiss(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Candidate, pk=pk)
    candidates.dismiss(found)
    return _muted(request, f"“{found.text}” is not suggested again.", reverse("candidate_offer", args=[pk]))


@require_POST
def candidate_offer(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Candidate, pk=pk)
    candidates.offer_again(found)
    return _muted(request, f"“{found.text}” is suggested again.")


@require_POST
def preference_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Preference, pk=pk)
    found.delete()
    messages.success(request, f"“{found.text}” is deleted. Thoughts that came from it stay.")
    return redirect("preferences")


@require_POST
def preference_mute(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Preference, pk=pk)
    found.set_muted(True)
    return _muted(request, f"Penny thinks no more about “{found.text}”.", reverse("preference_unmute", args=[pk]))


@require_POST
def preference_unmute(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Preference, pk=pk)
    found.set_muted(False)
    return _muted(request, f"Penny thinks about “{found.text}” again.", reverse("preference_mute", args=[pk]))


@require_POST
def preference_wake(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Preference, pk=pk)
    found.wake()
    messages.success(request, f"Penny thinks about “{found.text}” again.")
    return redirect("preferences")


@require_POST
def site_mute(request: OwnerRequest) -> HttpResponse:
    try:
        muted = muted_sites.mute_site(request.POST.get("host", "")[:HOST_MAX])
    except HostInvalid as error:
        return _muted(request, str(error), "", failed=True)
    return _muted(
        request,
        f"Penny thinks without {muted.host}. In the chat she still reads it where you allowed that.",
        _unmute(muted),
    )


@require_POST
def site_unmute(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(MutedSite, pk=pk)
    found.delete()
    return _muted(request, f"{found.host} is no longer muted.")


def _unmute(muted: MutedSite) -> str:
    return reverse("site_unmute", args=[muted.pk])


def _muted(request: OwnerRequest, words: str, undo_at: str = "", *, failed: bool = False) -> HttpResponse:
    """Answer on the card from which something was muted, or on the page that comes next."""
    thought = _named(request) if request.htmx else None
    if thought is None:
        messages.add_message(request, messages.ERROR if failed else messages.SUCCESS, words, extra_tags=undo_at)
        return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else "preferences")
    said = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(thought)} | said)


def _named(request: OwnerRequest) -> Thought | None:
    try:
        return Thought.objects.filter(pk=request.POST.get("thought", "")).first()
    except ValidationError:
        return None
