"""The pages of what is kept: search and list, one entry with the passage that was found, read again."""

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from agents.models import Run
from agents.vault.entries import LANGUAGES, newest_entries, search_entries
from agents.vault.forms import WORDS_MAX, KeptForm
from agents.vault.renew import newer_version, renewal_of, start_renewal
from devices import disk
from penny_site.requests import OwnerRequest
from thoughts.feed.cards import source_at, source_of
from thoughts.models import Kept
from thoughts.models.kept import KeptQuerySet
from thoughts.rendering import render_page

UNDO_MINUTES = KeptQuerySet.undo_for // timedelta(minutes=1)


@require_safe
def kept_pages(request: OwnerRequest) -> HttpResponse:
    """Render the page; for htmx the results of a search, or the next entries."""
    form = KeptForm(request.GET)
    form.full_clean()
    before = request.GET.get("before", "")
    context = {
        "form": form,
        "words": form.words,
        "scope": form.scope,
        "listed": search_entries(form.words, form.scope) if form.words else newest_entries(form.scope, before),
        "count": Kept.objects.kept().count(),
        "words_max": WORDS_MAX,
    }
    if not request.htmx:
        return render(request, "agents/vault/kept.html", context)
    return render(request, f"agents/vault/_{'rows' if before else 'results'}.html", context)


@require_safe
def kept_page(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Show the stored text of an entry with `?passage=start-end` marked. Asks nothing of the web."""
    entry = get_object_or_404(Kept.objects.kept().select_related("page"), pk=pk)
    page = entry.page
    start, end = _span(request.GET.get("passage", ""), len(page.text))
    context = {
        "entry": entry,
        "page": page,
        "source": source_at(page, start) if end > start else source_of(page),
        "has_passage": end > start,
        "html": render_page(page.text, start, end, as_written=page.is_text_file),
        "language": LANGUAGES.get(entry.language, ""),
        "undo_minutes": UNDO_MINUTES,
        "run": (run := renewal_of(entry)),
        "is_reading": run is not None and run.state in Run.OPEN,
        "newer": newer_version(entry),
    }
    return render(request, f"agents/vault/{'_renewal' if request.htmx else 'entry'}.html", context)


@require_POST
def read_kept(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """Have a page read again, in one of the owner's browsers."""
    entry = get_object_or_404(Kept.objects.kept().exclude(source=Kept.Source.FILE), pk=pk)
    try:
        start_renewal(entry)
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)
    return redirect(f"{reverse('kept_page', args=[pk])}#again")


def _span(text: str, length: int) -> tuple[int, int]:
    """Parse "12-80" from a link; return (0, 0) if that is no span of the text."""
    start, _, end = text.partition("-")
    if not (start.isdecimal() and end.isdecimal() and len(text) <= 30):
        return 0, 0
    return (int(start), int(end)) if int(start) < int(end) <= length else (0, 0)
