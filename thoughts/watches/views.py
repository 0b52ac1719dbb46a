"""The pages of watches: the lists, the form of a new one, and the history of a watch."""

import hashlib
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.watches import start
from agents.watches.states import watch_rows
from devices import disk
from devices.grants.views import change_decision
from devices.models import Grant
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, next_below, redirect_with_undo
from penny_site.row_views import RowViews
from thoughts.models.watches import Observation, SeenItem, Watch
from thoughts.rendering import render_page
from thoughts.watches.chart import chart_of
from thoughts.watches.folds import fold_visits
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
        "delete": "“{}” is deleted. What Penny told you stays on the feed.",
        "restore": "“{}” is back.",
    },
)


@require_safe
def watches(request: OwnerRequest) -> HttpResponse:
    """List the watches that are on. With `?url=`, as links of earlier versions and the extension have it, add one."""
    if "url" in request.GET:
        return redirect(f"{reverse('watch_add')}?{request.GET.urlencode()}")
    return _list(request, Watch.objects.active())


@require_safe
def paused_watches(request: OwnerRequest) -> HttpResponse:
    return _list(request, Watch.objects.kept().filter(is_paused=True))


def _list(request: OwnerRequest, rows: QuerySet[Watch]) -> HttpResponse:
    page = Paginator(rows, WATCHES_SHOWN).get_page(request.GET.get("page"))
    context: dict[str, Any] = {"page": page, "rows": watch_rows(page.object_list, timezone.now())}
    context["is_passing"] = any(row.state.is_passing for row in context["rows"])
    context["others"] = Watch.objects.kept().exists()
    return render(request, f"thoughts/watches/{'_list' if request.htmx else 'watches'}.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def add_watch(request: OwnerRequest) -> HttpResponse:
    """Create a watch. The query fills in the form, for links from the page itself."""
    first = {
        name: request.GET[name][:8000] for name in ("url", "label", "below", "preference") if request.GET.get(name)
    }
    form = WatchForm(request.POST or None, initial=first)
    if request.method != "POST" or not form.is_valid():
        return render(request, "thoughts/watches/add.html", {"form": form})
    watch = form.save()
    cut = " What looked like a secret in its address is left out." if form.was_cut else ""
    messages.success(
        request, f"Penny watches this page from now on.{cut}", extra_tags=reverse("watch_delete", args=[watch.pk])
    )
    if start.can_visit():
        _visit_now(request, watch)
    return redirect("watch", watch.pk)


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
    [row] = watch_rows([watch], timezone.now())
    visits = list(watch.observations.select_related("page", "thought").defer("page__text", "page__links")[:400])
    context = {
        "row": row,
        "watch": watch,
        "form": form,
        "folds": fold_visits(visits, for_items=watch.is_for_items)[:VISITS_SHOWN],
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
    return redirect(next_below(request, "watches") if "next" in request.POST else reverse("watch", args=[pk]))


@require_POST
def watch_allow(request: OwnerRequest, pk: int) -> HttpResponse:
    """Allow the site of a watch whose visit was refused for that, and look at once."""
    watch = get_object_or_404(Watch.objects.kept(), pk=pk)
    try:
        undo_at = change_decision(watch.domain, Grant.Capability.READ, Grant.State.ALLOWED)
    except HostInvalid as error:
        messages.error(request, str(error))
        return redirect("watch", pk)
    messages.success(request, f"Penny may read {watch.domain}.", extra_tags=undo_at)
    _visit_now(request, watch)
    return redirect(next_below(request, "watches"))


def _visit_now(request: OwnerRequest, watch: Watch) -> None:
    """Start a visit now, or show why it has to wait."""
    if not start.can_visit():
        messages.warning(request, "No browser is connected. Penny looks as soon as one is.", extra_tags="no_browser")
        return
    try:
        if start.start_visit(watch) is None:
            messages.info(request, "A visit is under way already.")
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)
