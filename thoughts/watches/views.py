"""The pages of watches: the list with a form, and the history of a watch."""

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
from penny_site.requests import OwnerRequest, redirect_with_undo
from penny_site.row_views import RowViews
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.rendering import render_page
from thoughts.watches.chart import chart_of
from thoughts.watches.forms import WatchChangeForm, WatchForm

WATCHES_SHOWN, VISITS_SHOWN, POSTS_SHOWN = 50, 50, 50
COUNTED = timedelta(days=30)  # period of the costs that the page shows
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
    """List the watches, and create one.

    `?url=` fills in the form, for links from the page itself.
    """
    first = {
        name: request.GET[name][:8000] for name in ("url", "label", "below", "preference") if request.GET.get(name)
    }
    form = WatchForm(request.POST or None, initial=first)
    if request.method == "POST" and form.is_valid():
        return _add_watch(request, form)
    page = Paginator(Watch.objects.kept(), WATCHES_SHOWN).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": watch_rows(page.object_list, waits=start.why_waiting(timezone.now())),
    }
    return render(request, "thoughts/watches/watches.html", context)


def show_watch(request: OwnerRequest, pk: int) -> HttpResponse:
    watch = get_object_or_404(Watch, pk=pk)
    if watch.deleted_at is not None:
        return redirect_with_undo(
            request, f"“{watch.short_name}” is deleted.", reverse("watch_restore", args=[pk]), home="watches"
        )
    form = WatchChangeForm(request.POST or None, instance=Watch.objects.get(pk=pk))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Changed. It counts from the next visit on.")
        return redirect("watch", pk)
    [row] = watch_rows([watch], waits=start.why_waiting(timezone.now()))
    visits = list(watch.observations.select_related("page", "thought").defer("page__text", "page__links")[:400])
    context = {
        "row": row,
        "watch": watch,
        "form": form,
        "visits": visits[:VISITS_SHOWN],
        "chart": chart_of(watch, visits),
    }
    context["posts"] = watch.items.filter(state=SeenItem.State.TOLD).order_by("-told_at", "id")[:POSTS_SHOWN]
    context["run"] = watch.runs.order_by("-created_at").first()
    context["cost"] = start.cost(watch, timezone.now() - COUNTED)
    return render(request, "thoughts/watches/_watch.html" if request.htmx else "thoughts/watches/watch.html", context)


@require_safe
def show_visit(request: OwnerRequest, pk: int, number: int) -> HttpResponse:
    """Show the stored page of one visit with the values read. Asks nothing of the web."""
    visit = get_object_or_404(
        Observation.objects.select_related("watch", "page"), pk=number, watch=pk, watch__deleted_at=None
    )
    text = visit.page.text
    is_same = text[visit.start : visit.end] == visit.quote
    is_intact = is_same and hashlib.sha256(text.encode()).hexdigest() == visit.page.sha256
    html = render_page(text, visit.start, visit.end, as_written=visit.page.is_text_file)
    return render(
        request,
        "thoughts/watches/visit.html",
        {"visit": visit, "watch": visit.watch, "is_intact": is_intact, "html": html},
    )


@require_POST
def watch_visit(request: OwnerRequest, pk: int) -> HttpResponse:
    watch = get_object_or_404(Watch.objects.kept(), pk=pk)
    _visit_now(request, watch)
    return redirect("watch", pk)


def _add_watch(request: OwnerRequest, form: WatchForm) -> HttpResponse:
    watch = form.save()
    cut = " What looked like a secret in its address is left out." if form.was_cut else ""
    messages.success(request, f"Penny watches this page from now on.{cut}")
    if start.can_visit():
        _visit_now(request, watch)
    return redirect("watch", watch.pk)


def _visit_now(request: OwnerRequest, watch: Watch) -> None:
    """Start a visit now, or show why it has to wait."""
    if not start.can_visit():
        messages.warning(request, "No browser is connected. Penny looks as soon as one is.")
        return
    try:
        if start.start_visit(watch) is None:
            messages.info(request, "A visit is under way already.")
    except disk.DiskFull as full:
        messages.error(request, str(full))
