"""The pages of interests: likes and dislikes with their results, suggestions, and muted sites."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.models import Run
from agents.thinking.look_rows import looking_now
from agents.thinking.looking import look_for, look_for_like
from agents.watches import start
from devices import disk
from devices.owner import muted_sites
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, here_or_feed
from thoughts.feed.cards import card
from thoughts.models import Candidate, Merge, MutedSite, Preference, Thought
from thoughts.preferences import candidates, merges
from thoughts.preferences.forms import EditForm, PreferenceForm
from thoughts.preferences.overview import interests
from thoughts.text.cleaning import clean_line

HOST_MAX, TEXT_MAX = 2000, 300


def preferences(request: OwnerRequest) -> HttpResponse:
    form = PreferenceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return answer_added(request, form.save())
    if request.htmx and request.method == "POST":
        return render(request, "thoughts/_preference_form.html", {"form": form})
    return _preferences(request, form)


def _preferences(request: OwnerRequest, form: PreferenceForm, editing: EditForm | None = None) -> HttpResponse:
    """Render the page. `editing`: the form of the row that is being changed."""
    open_runs = Run.objects.filter(kind=Run.Kind.THINKING, state__in=Run.OPEN, preference__isnull=False)
    rows = interests(dict(open_runs.values_list("preference", "pk")))
    likes = [row for row in rows if row.preference.valence == Preference.Valence.LIKE]
    context: dict[str, Any] = looking_now(timezone.now(), reverse("preferences")) | {
        "form": form,
        "editing": editing,
        "likes": [row for row in likes if not row.preference.muted],
        "muted": [row for row in likes if row.preference.muted],
        "dislikes": [row for row in rows if row.preference.valence == Preference.Valence.DISLIKE],
        "suggestions": Candidate.objects.open().count(),
        "sites": MutedSite.objects.all(),
        "is_working": any(row.run for row in likes),
    }
    return render(request, f"thoughts/{'_interests' if request.htmx else 'preferences'}.html", context)


@require_safe
def suggestions(request: OwnerRequest) -> HttpResponse:
    rows = Candidate.objects.open().select_related("meaning")
    return render(request, "thoughts/suggestions.html", {"candidates": rows})


@require_POST
def preference_look(request: OwnerRequest, pk: int) -> HttpResponse:
    """Start a thinking run about a like now, unless one is under way."""
    row = get_object_or_404(Preference, pk=pk, valence=Preference.Valence.LIKE, muted=False)
    if not start.can_visit():
        messages.warning(request, "No browser is connected. Connect one, then look again.", extra_tags="no_browser")
    elif Run.objects.filter(kind=Run.Kind.THINKING, preference=row, state__in=Run.OPEN).exists():
        messages.info(request, f"Penny is looking for “{row.text}” already.")
    else:
        _start_looking(request, row)
    return redirect(f"{reverse('preferences')}#interest-{pk}")


def _start_looking(request: OwnerRequest, row: Preference) -> None:
    try:
        if look_for(row):
            messages.success(request, f"Penny is looking for “{row.text}” now.")
        else:
            messages.info(request, "Penny looks for several things already. Try again in a moment.")
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)


def answer_added(request: OwnerRequest, preference: Preference) -> HttpResponse:
    is_looking = look_for_like(preference)  # the page says so
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": PreferenceForm(), "added": preference})
    if not is_looking:
        verb = "like" if preference.valence == Preference.Valence.LIKE else "dislike"
        messages.success(request, f"Penny now knows that you {verb} “{preference.text}”.")
    return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else "preferences")


@require_http_methods(["GET", "HEAD", "POST"])
def preference_edit(request: OwnerRequest, pk: int) -> HttpResponse:
    """Change the words of an interest in its row. The address of an undo carries the words itself."""
    row = get_object_or_404(Preference, pk=pk)
    before = row.text
    if request.method != "POST":
        form = EditForm(instance=row)
        if request.htmx:
            return render(request, "thoughts/_interest_edit.html", {"editing": form, "preference": row})
        return _preferences(request, PreferenceForm(), form)
    form = EditForm(request.POST if "text" in request.POST else request.GET, instance=row)
    if not form.is_valid():
        return _preferences(request, PreferenceForm(), form)
    undo = f"{reverse('preference_edit', args=[pk])}?{urlencode({'text': before})}"
    messages.success(request, f"It says “{form.save().text}” now.", extra_tags=undo)
    return redirect(f"{reverse('preferences')}#interest-{pk}")


@require_http_methods(["GET", "HEAD", "POST"])
def preference_merge(request: OwnerRequest, pk: int) -> HttpResponse:
    other = get_object_or_404(Preference, pk=pk)
    if request.method != "POST":
        rest = Preference.objects.filter(valence=other.valence).exclude(pk=pk).order_by("text")
        return render(request, "thoughts/merge.html", {"preference": other, "others": rest})
    into = clean_line(request.POST.get("into", ""))[:TEXT_MAX]
    survivor = Preference.objects.filter(text__iexact=into).first()
    if survivor is None:
        return _answer_change(request, f"You have no interest “{into}”. Choose one of the list.", failed=True)
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
    return _answer_change(request, f"“{parted.text}” is an interest of its own again.")


@require_POST
def candidate_confirm(request: OwnerRequest, pk: int) -> HttpResponse:
    valence = -1 if request.POST.get("valence") == "-1" else 1
    return answer_added(request, candidates.confirm(get_object_or_404(Candidate, pk=pk), valence))


@require_POST
def candidate_dismiss(request: OwnerRequest, pk: int) -> HttpResponse:
    candidate = get_object_or_404(Candidate, pk=pk)
    candidates.dismiss(candidate)
    words = f"“{candidate.text}” is not suggested again."
    return _answer_change(request, words, reverse("candidate_offer", args=[pk]), home="suggestions")


@require_POST
def candidate_offer(request: OwnerRequest, pk: int) -> HttpResponse:
    candidate = get_object_or_404(Candidate, pk=pk)
    candidates.offer_again(candidate)
    return _answer_change(request, f"“{candidate.text}” is suggested again.", home="suggestions")


@require_POST
def preference_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.delete()
    messages.success(request, f"“{preference.text}” is deleted. Its finds stay.")
    return redirect("preferences")


@require_POST
def preference_mute(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.set_muted(True)
    return _answer_change(
        request, f"“{preference.text}” is muted: Penny looks for it no more.", reverse("preference_unmute", args=[pk])
    )


@require_POST
def preference_unmute(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.set_muted(False)
    return _answer_change(request, f"Penny looks for “{preference.text}” again.", reverse("preference_mute", args=[pk]))


@require_POST
def preference_wake(request: OwnerRequest, pk: int) -> HttpResponse:
    preference = get_object_or_404(Preference, pk=pk)
    preference.wake()
    messages.success(request, f"Penny looks for “{preference.text}” again.")
    return redirect("preferences")


@require_POST
def site_mute(request: OwnerRequest) -> HttpResponse:
    try:
        muted = muted_sites.mute_site(request.POST.get("host", "")[:HOST_MAX])
    except HostInvalid as error:
        return _answer_change(request, str(error), "", failed=True)
    return _answer_change(
        request,
        f"Penny looks without {muted.host}. In the chat she still reads it where you allowed that.",
        _unmute(muted),
    )


@require_POST
def site_unmute(request: OwnerRequest, pk: int) -> HttpResponse:
    site = get_object_or_404(MutedSite, pk=pk)
    site.delete()
    return _answer_change(request, f"{site.host} is no longer muted.")


def _unmute(muted: MutedSite) -> str:
    return reverse("site_unmute", args=[muted.pk])


def _answer_change(
    request: OwnerRequest, words: str, undo_at: str = "", *, failed: bool = False, home: str = "preferences"
) -> HttpResponse:
    """Answer with the card that the form was on, or redirect to the next page."""
    thought = _posted_thought(request) if request.htmx else None
    if thought is None:
        messages.add_message(request, messages.ERROR if failed else messages.SUCCESS, words, extra_tags=undo_at)
        return redirect(here_or_feed(request.POST["next"]) if "next" in request.POST else home)
    notice = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(thought)} | notice)


def _posted_thought(request: OwnerRequest) -> Thought | None:
    try:
        return Thought.objects.filter(pk=request.POST.get("thought", "")).first()
    except ValidationError:
        return None
