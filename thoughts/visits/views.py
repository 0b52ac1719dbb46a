"""The page of the shared browsing history: search, delete and restore visits."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from constance import config
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.model_choice.in_use import models_in_use
from devices.models import Device
from penny_site.requests import OwnerRequest, redirect_with_undo
from thoughts.models import Candidate, Preference
from thoughts.models.visits import Visit, VisitQuerySet

VISITS_SHOWN = 50
WORDS_MAX, DOMAIN_MAX = 200, 253
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@dataclass(frozen=True)
class VisitPage:
    """A page of visits; `older` is the cursor of the next page, or empty."""

    rows: list[Visit]
    older: str


@require_safe
def history(request: OwnerRequest) -> HttpResponse:
    words, site = request.GET.get("q", "")[:WORDS_MAX].strip(), request.GET.get("site", "")[:DOMAIN_MAX]
    visits = Visit.objects.kept()
    matches = visits.holding(words)
    context = {
        "page": _visit_page(matches.filter(domain=site) if site else matches, request.GET.get("before", "")),
        "words": words,
        "site": site,
        "count": visits.count(),
        "days": config.KEEP_HISTORY_DAYS,
        "undo_minutes": VisitQuerySet.undo_for // timedelta(minutes=1),
        "devices": Device.objects.active().filter(shares_history=True).order_by("label"),
        "ideas": Candidate.objects.open().filter(source=Preference.Source.HISTORY).count(),
        "looks": config.HISTORY_TOPICS,
        "reader": models_in_use().reader,
    }
    return render(request, "thoughts/history/history.html", context)


def _visit_page(rows: VisitQuerySet, before: str) -> VisitPage:
    visits = list(rows.before(_cursor(before))[: VISITS_SHOWN + 1])
    has_older, visits = len(visits) > VISITS_SHOWN, visits[:VISITS_SHOWN]
    return VisitPage(visits, f"{_stamp(visits[-1].visited_at)}-{visits[-1].pk}" if has_older else "")


def _cursor(text: str) -> tuple[datetime, int] | None:
    """Parse a cursor from a link; None, the start, if it is malformed."""
    at, _, key = text.partition("-")
    try:
        return EPOCH + int(at) * MICROSECOND, min(int(key), 2**63 - 1)
    except (ValueError, OverflowError):
        return None


def _stamp(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


@require_POST
def visit_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    visit = get_object_or_404(Visit.objects.kept(), pk=pk)
    return _delete_rows(request, Visit.objects.filter(pk=pk), f"The visit to {visit.domain} is deleted.")


@require_POST
def site_delete(request: OwnerRequest) -> HttpResponse:
    site = request.POST.get("site", "")
    return _delete_rows(request, Visit.objects.kept().filter(domain=site), f"All visits to {site} are deleted.")


@require_POST
def all_delete(request: OwnerRequest) -> HttpResponse:
    return _delete_rows(request, Visit.objects.kept(), "The whole browsing history here is deleted.")


def _delete_rows(request: OwnerRequest, rows: VisitQuerySet, words: str) -> HttpResponse:
    now = timezone.now()
    if not rows.set_deleted(now):
        raise Http404
    return redirect_with_undo(request, words, reverse("visits_restore", args=[_stamp(now)]), home="history")


@require_POST
def restore(request: OwnerRequest, stamp: int) -> HttpResponse:
    """Restore the visits that were deleted at one moment, given by its timestamp."""
    try:
        at = EPOCH + stamp * MICROSECOND
    except OverflowError:
        raise Http404 from None
    if not Visit.objects.filter(deleted_at=at).set_deleted(None):
        messages.error(request, "That is gone for good already.")
    else:
        messages.success(request, "It is back.")
    return redirect("history")


@require_POST
def device_stop(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Stop storing visits of a device.

    Only its own extension can start again: it asks the owner and shows what it would send.
    """
    device = get_object_or_404(Device, pk=pk)
    Device.objects.filter(pk=pk).update(shares_history=False)
    messages.success(
        request, f"“{device}” shares its history no more. To switch it on again, open the extension's settings there."
    )
    return redirect("history")
