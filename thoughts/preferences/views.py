"""The page of preferences, with suggestions and muted sites."""

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
        return answer_added(request, form.save())
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": form})
    return _preferences(request, form)


def _preferences(request: OwnerRequest, form: PreferenceForm, editing: EditForm | None = None) -> HttpResponse:
    """Render the page, after a refused change with its form and error."""
    rows = Preference.objects.select_related("last_thought").prefetch_related("merges").order_by("text")
    texts = {(row.text, row.valence) for row in rows}
    for row in rows:
        row.resembles = row.resembles if (row.resembles, row.valence) in texts else ""
    likes, dislikes = ([row for row in rows if row.valence == valence] for valence in (1, -1))
    context: dict[str, Any] = {"form": form, "editing": editing, "likes": likes, "dislikes": dislikes}
    context |= {"sites": MutedSite.objects.all(), "candidates": Candidate.objects.open().select_related("meaning")}
    return render(request, "thoughts/preferences.html", context)


def answer_added(request: OwnerRequest, preference: Preference) -> HttpResponse:
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
    survivor = Preference.objects.filter(text__iexact=into).first()
    if survivor is None:
        return _answer_change(
            request, f"You have no preference “{into}”. Write the words of the one that is to stay.", failed=True
        )
    try:
        merge = merges.merge(survivor, other)
    except merges.Unmergeable as error:
        return _answer_change(request, str(error), failed=True)
    return _answer_change(
        request, f"“{other.text}” is now part of “{survivor.text}”.", reverse("merge_undo", args=[merge.pk])
    )


@require_POST
def preference_apart(request: OwnerRequest, pk: int) -> HttpResponse:
    """Record that two similar preferences are different."""
    Preference.objects.filter(pk=pk).update(resembles="")
    return redirect("preferences")


@require_POST
def merge_undo(request: OwnerRequest, pk: int) -> HttpResponse:
    try:
        parted = merges.undo_merge(get_object_or_404(Merge, pk=pk))
    except merges.Unmergeable as error:
        return _answer_change(request, str(error), failed=True)
    return _answer_change(request, f"“{parted.text}” stands by itself again.")


@require_POST
def candidate_confirm(request: OwnerRequest, pk: int) -> HttpResponse:
    valence = -1 if request.POST.get("valence") == "-1" else 1
    return answer_added(request, candidates.confirm(get_object_or_404(Candidate, pk=pk), valence))


@require_POST
def candidate_dismiss(request: OwnerRequest, pk: int) -> HttpResponse:
    candidate = get_object_or_404(Candidate, pk=pk)
    candidates.dismiss(candidate)
    return _answer_change(request, f"“{candidate.text}” is not suggested again.", reverse("candidate_offer", args=[pk]))


@require_POST
def candidate_offer(request: OwnerRequest, pk: int) -> HttpResponse:
    candidate = get_object_or_404(Candidate, pk=pk)
    candidates.offer_again(candidate)
    return _answer_change(request, f"“{candidate.text}” is suggested again.")


@require_POST
def preference_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.delete()
    messages.success(request, f"“{preference.text}” is deleted. Thoughts that came from it stay.")
    return redirect("preferences")


@require_POST
def preference_mute(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.set_muted(True)
    return _answer_change(
        request, f"Penny thinks no more about “{preference.text}”.", reverse("preference_unmute", args=[pk])
    )


@require_POST
def preference_unmute(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.set_muted(False)
    return _answer_change(
        request, f"Penny thinks about “{preference.text}” again.", reverse("preference_mute", args=[pk])
    )


@require_POST
def preference_wake(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.wake()
    messages.success(request, f"Penny thinks about “{preference.text}” again.")
    return redirect("preferences")


@require_POST
def site_mute(request: OwnerRequest) -> HttpResponse:
    try:
        muted = muted_sites.mute_site(request.POST.get("host", "")[:HOST_MAX])
    except HostInvalid as error:
        return _answer_change(request, str(error), "", failed=True)
    return _answer_change(
        request,
        f"Penny thinks without {muted.host}. In the chat she still reads it where you allowed that.",
        _unmute(muted),
    )


@require_POST
def site_unmute(request: OwnerRequest, pk: int) -> HttpResponse:
    site = get_object_or_404(MutedSite, pk=pk)
    site.delete()
    return _answer_change(request, f"{site.host} is no longer muted.")


def _unmute(muted: MutedSite) -> str:
    return reverse("site_unmute", args=[muted.pk])


def _answer_change(request: OwnerRequest, words: str, undo_at: str = "", *, failed: bool = False) -> HttpResponse:
    """Answer with the card that the form was on, or redirect to the next page."""
    thought = _posted_thought(request) if request.htmx else None
    if thought is None:
        messages.add_message(request, messages.ERROR if failed else messages.SUCCESS, words, extra_tags=undo_at)
        return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else "preferences")
    notice = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(thought)} | notice)


def _posted_thought(request: OwnerRequest) -> Thought | None:
    try:
        return Thought.objects.filter(pk=request.POST.get("thought", "")).first()
    except ValidationError:
        return None
