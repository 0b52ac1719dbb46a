"""The pages of watches: a list with a form, and for each watch its history."""

import hashlib
from datetime import timedelta

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.watches import start
from agents.watches.states import watch_rows
from devices import disk
from penny_site.requests import OwnerRequest, done
from penny_site.row_views import RowViews
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.watches.chart import chart_of
from thoughts.watches.forms import WatchChangeForm, WatchForm

WATCHES_SHOWN, VISITS_SHOWN, POSTS_SHOWN = 50, 50, 50
COUNTED = timedelta(days=30)  # for which the page says what the visits cost
row_views = RowViews(
    Watch,
    "watch",
    "watches",
    {
        "pause": "“{}” is paused.",
        "resume": "Penny watches “{}” again.",
        "delete": "“{}” is deleted. What you were told stays on the feed.",
        "restore": "“{}” is back.",
    },
)


def watches(request: OwnerRequest) -> HttpResponse:
    """List the watches, and take a new one. `?url=` fills the form in, for a link from the page itself."""
    first = {
        name: request.GET[name][:8000] for name in ("url", "label", "below", "preference") if request.GET.get(name)
    }
    form = WatchForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return _added(request, form)
    page = Paginator(Watch.objects.kept(), WATCHES_SHOWN).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": watch_rows(page.object_list, waits=start.why_waiting(timezone.now())),
    }
    return render(request, "thoughts/watches/watches.html", context)


def watch(request: OwnerRequest, pk: int) -> HttpResponse:
    """Show a watch with what was seen, and change what it is for."""
    found = get_object_or_404(Watch, pk=pk)
    if found.deleted_at is not None:
        return done(request, f"“{found.short_name}” is deleted.", reverse("watch_restore", args=[pk]), home="watches")
    form = WatchChangeForm(request.POST or None, instance=Watch.objects.get(pk=pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Changed. It counts from the next visit on.")
        return redirect("watch", pk)
    [row] = watch_rows([found], waits=start.why_waiting(timezone.now()))
    visits = list(found.observations.select_related("page", "thought").defer("page__text", "page__links")[:400])
    context = {
        "row": row,
        "watch": found,
        "form": form,
        "visits": visits[:VISITS_SHOWN],
        "chart": chart_of(found, visits),
    }
    context["posts"] = found.items.filter(state=SeenItem.State.TOLD).order_by("-told_at", "id")[:POSTS_SHOWN]
    context["run"] = found.runs.order_by("-created_at").first()
    context["cost"] = start.cost(found, timezone.now() - COUNTED)
    return render(request, "thoughts/watches/_watch.html" if request.htmx else "thoughts/watches/watch.html", context)


@require_safe
def visit(request: OwnerRequest, pk: int, number: int) -> HttpResponse:
    """Show the page as it was on one visit, with what was read there. It is stored text, and nothing of the web."""
    found = get_object_or_404(
        Observation.objects.select_related("watch", "page"), pk=number, watch=pk, watch__deleted_at=None
    )
    text = found.page.text
    parts = {"before": text[: found.start], "marked": text[found.start : found.end], "after": text[found.end :]}
    is_intact = parts["marked"] == found.quote and hashlib.sha256(text.encode()).hexdigest() == found.page.sha256
    return render(
        request, "thoughts/watches/visit.html", {"visit": found, "watch": found.watch, "is_intact": is_intact} | parts
    )


@require_POST
def watch_visit(request: OwnerRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Watch.objects.kept(), pk=pk)
    _look(request, found)
    return redirect("watch", pk)


def _added(request: OwnerRequest, form: WatchForm) -> HttpResponse:
    found = form.save()
    cut = " What looked like a secret in its address is left out." if form.was_cut else ""
    messages.success(request, f"Penny watches this page from now on.{cut}")
    if start.can_visit():
        _look(request, found)
    return redirect("watch", found.pk)


def _look(request: OwnerRequest, found: Watch) -> None:
    """Start a visit now, or say why it has to wait."""
    if not start.can_visit():
        messages.warning(request, "No browser is connected. Penny looks as soon as one is.")
        return
    try:
        if start.start_visit(found) is None:
            messages.info(request, "A visit is under way already.")
    except disk.DiskFull as full:
        messages.error(request, str(full))
