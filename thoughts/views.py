"""The feed's pages. Each htmx answer is the fragment that its full page includes."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, ValidationError
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_GET, require_POST, require_safe

from agents import meaning_search
from devices import muted_sites, reactions
from devices.handshake import web_device
from devices.hosts import HostInvalid
from devices.unread import tell_unread
from penny_site.requests import OwnerRequest
from thoughts import candidates, merges
from thoughts.feed import (
    View,
    as_text,
    by_meaning,
    card,
    evidence,
    feed_page,
    fresh_cards,
    fresh_rows,
    page_size,
    read_cursor,
    similar,
    snapshot,
    sources_offered,
)
from thoughts.forms import AlikeForm, EditForm, FilterForm, PreferenceForm
from thoughts.models import Candidate, Merge, MutedSite, Picture, Preference, Taste, Thought
from thoughts.reasons import reason

HOST_MAX, KEY_DIGITS = 2000, 19
TASTE_GROUPS = [
    ("What you said", ("preference",)),
    ("What you reacted to", ("liked", "disliked")),
    ("Sites", ("source",)),
    ("Anything", ("novelty", "exploration")),
]


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
    """Answer with the page; to htmx with the cards that come next, or, where the filter was changed, with all that it changes."""
    form, before = FilterForm(request.GET), request.GET.get("before", "")
    by = form.filter()
    context: dict[str, Any] = {"feed": feed_page(view, by, before), "by": by, "narrowing": form, "is_first": read_cursor(before) is None}
    if not request.htmx:
        return render(request, "thoughts/feed.html", context | {"form": PreferenceForm(), "sources": sources_offered()})
    return render(request, "thoughts/_results.html" if request.htmx.target == "results" else "thoughts/_cards.html", context)


@require_safe
def search_by_meaning(request: OwnerRequest, view: str) -> HttpResponse:
    """Answer with what means the same as the words that are searched for: a fragment that is added to what the words found."""
    if view not in list(View):
        raise Http404
    by = FilterForm(request.GET).filter()
    context: dict[str, Any] = {"by": by, "view": view}
    try:
        hits = meaning_search.nearest(by.words) if by.words else []
        context["feed"] = by_meaning(View(view), by, {hit.thought: hit.closeness for hit in hits})
    except meaning_search.NoMeanings as reason_why:
        context["failed"] = str(reason_why)
    return render(request, "thoughts/_by_meaning.html" if request.htmx else "thoughts/by_meaning.html", context)


@require_GET
def unread_count(request: OwnerRequest) -> HttpResponse:
    by, after = FilterForm(request.GET).filter(), request.GET.get("after", "")
    context = {"fresh": fresh_rows(by, after).count(), "after": after, "filter": by.in_address, "page_size": page_size()}
    return render(request, "thoughts/_counted.html", context)


@require_safe
def fresh(request: OwnerRequest) -> HttpResponse:
    """Answer htmx with the cards that came since the page was opened; without it with the page."""
    by = FilterForm(request.GET).filter()
    if not request.htmx:
        return redirect(f"{reverse('feed')}?{by.in_address}")
    return render(request, "thoughts/_fresh.html", {"feed": fresh_cards(by, request.GET.get("after", ""))})


@require_safe
def thought(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought.objects.with_evidence(), pk=pk)
    found.mark_opened(timezone.now())
    shown = card(found)
    said = {"card": shown, "evidence": evidence(found), "as_text": as_text(shown)}
    context = said | {"in_dialog": bool(request.htmx), "on_page": not request.htmx}
    return render(request, "thoughts/_thought.html" if request.htmx else "thoughts/thought.html", context)


@require_safe
def thought_similar(request: OwnerRequest, pk: str) -> HttpResponse:
    """Show the unread thoughts that are folded beneath one."""
    found = get_object_or_404(Thought, pk=pk)
    context = {"thought": found, "feed": similar(found)}
    return render(request, "thoughts/_similar.html" if request.htmx else "thoughts/similar.html", context)


@require_safe
def taste(request: OwnerRequest) -> HttpResponse:
    """Show all that Penny learned of the owner's taste: every weight, as it is added up."""
    known = Taste.the_only()
    weights = [(part["kind"], reason(part)) for part in known.weights]
    groups = [(title, [each for kind, each in weights if kind in kinds]) for title, kinds in TASTE_GROUPS]
    return render(request, "thoughts/taste.html", {"taste": known, "groups": [group for group in groups if group[1]]})


@require_GET
def taste_export(request: OwnerRequest) -> HttpResponse:
    known = Taste.the_only()
    said = {"learned_at": known.learned_at, "learned_from": known.outcomes, "since": known.since, "weights": known.weights}
    headers = {"Content-Disposition": 'attachment; filename="penny-taste.json"'}
    return JsonResponse(said, headers=headers, json_dumps_params={"indent": 1, "ensure_ascii": False})


@require_POST
def taste_reset(request: OwnerRequest) -> HttpResponse:
    Taste.the_only().begin_anew(timezone.now())
    words = "Penny begins anew with your preferences. Your reactions are kept, and are not learned from."
    messages.success(request, words, extra_tags=reverse("taste_restore"))
    return redirect("taste")


@require_POST
def taste_restore(request: OwnerRequest) -> HttpResponse:
    Taste.the_only().take_back_beginning(timezone.now())
    messages.success(request, "Penny learns again from what you showed before.")
    return redirect("taste")


@require_safe
def thought_evidence(request: OwnerRequest, pk: str, number: int) -> HttpResponse:
    """Show one claim in the page as it was read: stored text, and nothing of the web."""
    found = get_object_or_404(Thought, pk=pk)
    shown = snapshot(found, number)
    if shown is None:
        raise Http404
    context = {"thought": found, "snapshot": shown, "in_dialog": bool(request.htmx)}
    return render(request, "thoughts/_evidence.html" if request.htmx else "thoughts/evidence.html", context)


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
    return _changed(request, found, _taught(found, "like" if valence == "1" else "do not like"), undo="thought_unreact")


@require_POST
def thought_unreact(request: OwnerRequest, pk: str) -> HttpResponse:
    found = get_object_or_404(Thought, pk=pk)
    try:
        reactions.take_back(request.user, web_device(), found)
    except reactions.ThoughtGone as gone:
        raise Http404 from gone
    return _changed(request, found, "Your reaction is taken back.")


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
    """Ask in which words more, or less, of this is wanted. A thought's own words become a preference only when the owner says so."""
    found = get_object_or_404(Thought, pk=pk)
    first = {"text": found.title, "valence": -1 if request.GET.get("valence") == "-1" else 1}
    form = AlikeForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return _added(request, form.save())
    context = {"form": form, "thought": found, "more": str(form["valence"].value()) != "-1"}
    return render(request, "thoughts/alike.html", context)


def _taught(thought: Thought, verb: str) -> str:
    if thought.preference is None:
        return f"You {verb} this."
    return f"You {verb} this: “{thought.preference.text}” counts a little {'more' if verb == 'like' else 'less'}."


def _changed(request: OwnerRequest, found: Thought, words: str, *, undo: str = "") -> HttpResponse:
    """Answer with what takes the card's place: a line with its undo where it left the page, and otherwise, or after an undo, the card."""
    undo_at = reverse(undo, args=[found.pk]) if undo else ""
    if not request.htmx:
        if "undo" not in request.POST:
            messages.success(request, words, extra_tags=undo_at)
        return redirect(_back(request))
    found.refresh_from_db()
    if "undo" not in request.POST and not _is_on_page(request, found):
        return render(request, "thoughts/_moved.html", {"thought": found, "words": words, "undo_at": undo_at})
    said = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(found)} | said)


def _is_on_page(request: OwnerRequest, found: Thought) -> bool:
    """Whether a thought as it is now belongs on the page that htmx was on."""
    page, rows = request.htmx.current_url_abs_path or "", Thought.objects.filter(pk=found.pk)
    if page.startswith(reverse("archive")):
        return rows.archived().exists()
    if page.startswith(reverse("saved")):
        return rows.saved().exists()
    return rows.unread().exists()


def _back(request: OwnerRequest) -> str:
    there = request.POST.get("next", "")
    return there if url_has_allowed_host_and_scheme(there, allowed_hosts=None) else reverse("feed")


def preferences(request: OwnerRequest) -> HttpResponse:
    form = PreferenceForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _added(request, form.save())
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": form})
    return _preferences(request, form)


def _preferences(request: OwnerRequest, form: PreferenceForm, editing: EditForm | None = None) -> HttpResponse:
    """Show the page; where a change was refused, with its form and the reason."""
    rows = Preference.objects.select_related("last_thought").prefetch_related("merges").order_by("text")
    likes, dislikes = ([row for row in rows if row.valence == valence] for valence in (1, -1))
    context: dict[str, Any] = {"form": form, "editing": editing, "likes": likes, "dislikes": dislikes}
    context |= {"sites": MutedSite.objects.all(), "candidates": Candidate.objects.open()}
    return render(request, "thoughts/preferences.html", context)


def _added(request: OwnerRequest, preference: Preference) -> HttpResponse:
    if request.htmx:
        return render(request, "thoughts/_preference_form.html", {"form": PreferenceForm(), "added": preference})
    verb = "like" if preference.valence == Preference.Valence.LIKE else "dislike"
    messages.success(request, f"Penny now knows that you {verb} “{preference.text}”.")
    return redirect(_back(request) if "next" in request.POST else "preferences")


@require_POST
def preference_edit(request: OwnerRequest, pk: int) -> HttpResponse:
    form = EditForm(request.POST, instance=get_object_or_404(Preference, pk=pk))
    if not form.is_valid():
        return _preferences(request, PreferenceForm(), form)
    messages.success(request, f"It says “{form.save().text}” now.")
    return redirect("preferences")


@require_POST
def preference_merge(request: OwnerRequest, pk: int) -> HttpResponse:
    kept, other = get_object_or_404(Preference, pk=_number(request.POST.get("into", ""))), get_object_or_404(Preference, pk=pk)
    try:
        done = merges.merge(kept, other)
    except merges.Unmergeable as error:
        return _muted(request, str(error), failed=True)
    return _muted(request, f"“{other.text}” is now part of “{kept.text}”.", reverse("merge_undo", args=[done.pk]))


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
    return _added(request, candidates.confirm(get_object_or_404(Candidate, pk=pk), valence))


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


def _number(text: str) -> int:
    """Return the key that a form names, 0 for none."""
    return int(text) if text.isdecimal() and len(text) < KEY_DIGITS else 0


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
        muted = muted_sites.mute(request.POST.get("host", "")[:HOST_MAX])
    except HostInvalid as error:
        return _muted(request, str(error), "", failed=True)
    return _muted(request, f"Penny thinks without {muted.host}. In the chat she still reads it where you allowed that.", _unmute(muted))


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
        return redirect(_back(request) if "next" in request.POST else "preferences")
    said = {} if "undo" in request.POST else {"said": words, "undo_at": undo_at}
    return render(request, "thoughts/_back.html", {"card": card(thought)} | said)


def _named(request: OwnerRequest) -> Thought | None:
    try:
        return Thought.objects.filter(pk=request.POST.get("thought", "")).first()
    except ValidationError:
        return None
