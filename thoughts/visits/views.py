"""The page of the browsing history that the owner shares: seen, searched, deleted and brought back."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from constance import config
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from devices.models import Device
from penny_site.requests import OwnerRequest, done
from thoughts.models import Candidate, Preference
from thoughts.models.visits import Visit, VisitQuerySet

SHOWN = 50
WORDS_MAX, DOMAIN_MAX = 200, 253
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)


@dataclass(frozen=True)
class Listed:
    """One page of visits; `older` is the cursor of the next, empty where there is none."""

    rows: list[Visit]
    older: str


@require_safe
def history(request: OwnerRequest) -> HttpResponse:
    words, site = request.GET.get("q", "")[:WORDS_MAX].strip(), request.GET.get("site", "")[:DOMAIN_MAX]
    kept = Visit.objects.kept()
    found = kept.holding(words)
    context = {
        "page": _listed(found.filter(domain=site) if site else found, request.GET.get("before", "")),
        "words": words,
        "site": site,
        "count": kept.count(),
        "days": config.KEEP_HISTORY_DAYS,
        "undo_minutes": VisitQuerySet.undo_for // timedelta(minutes=1),
        "devices": Device.objects.active().filter(shares_history=True).order_by("label"),
        "ideas": Candidate.objects.open().filter(source=Preference.Source.HISTORY).count(),
        "looks": config.HISTORY_TOPICS,
        "reader": settings.READER_MODEL if settings.MODEL else None,
    }
    return render(request, "thoughts/history/history.html", context)


def _listed(rows: VisitQuerySet, before: str) -> Listed:
    found = list(rows.before(_cursor(before))[: SHOWN + 1])
    shown = found[:SHOWN]
    return Listed(shown, f"{_stamp(shown[-1].visited_at)}-{shown[-1].pk}" if len(found) > SHOWN else "")


def _cursor(text: str) -> tuple[datetime, int] | None:
    """Return the place that a link names; None, the start, for one that was cut or made up."""
    at, _, key = text.partition("-")
    try:
        return EPOCH + int(at) * MICROSECOND, min(int(key), 2**63 - 1)
    except (ValueError, OverflowError):
        return None


def _stamp(moment: datetime) -> int:
    return (moment - EPOCH) // MICROSECOND


@require_POST
def visit_delete(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Visit.objects.kept(), pk=pk)
    return _deleted(request, Visit.objects.filter(pk=pk), f"The visit to {found.domain} is deleted.")


@require_POST
def site_delete(request: OwnerRequest) -> HttpResponse:
    site = request.POST.get("site", "")
    return _deleted(request, Visit.objects.kept().filter(domain=site), f"All visits to {site} are deleted.")


@require_POST
def all_delete(request: OwnerRequest) -> HttpResponse:
    return _deleted(request, Visit.objects.kept(), "The whole browsing history here is deleted.")


def _deleted(request: OwnerRequest, rows: VisitQuerySet, words: str) -> HttpResponse:
    now = timezone.now()
    if not rows.set_deleted(now):
        raise Http404
    return done(request, words, reverse("visits_restore", args=[_stamp(now)]), home="history")


@require_POST
def restore(request: OwnerRequest, stamp: int) -> HttpResponse:
    """Bring back what was deleted at one moment, which names it."""
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
    """Take nothing more from a device. Only its own extension switches it on again: the owner is asked there what is
    sent.
    """
    found = get_object_or_404(Device, pk=pk)
    Device.objects.filter(pk=pk).update(shares_history=False)
    messages.success(
        request, f"“{found}” shares its history no more. To switch it on again, open the extension's settings there."
    )
    return redirect("history")
