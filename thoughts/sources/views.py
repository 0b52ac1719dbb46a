"""The pages of the owner's sources: import a file, show its results, list the sources."""

from dataclasses import dataclass
from functools import partial

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.learning import from_files, import_files
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.runs import failure_texts
from devices import disk
from devices.grants import grants
from devices.owner import muted_sites
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, next_below, redirect_with_undo, with_body_of
from penny_site.row_views import RowViews
from thoughts.models import Candidate
from thoughts.sources import opml
from thoughts.sources.files import SIZE_MAX
from thoughts.sources.forms import WORDS_MAX, FileForm, SourceForm
from thoughts.sources.models import ImportedFile, Source

SOURCES_SHOWN, FILES_SHOWN, FOLDERS_SHOWN = 50, 20, 12
KEY_DIGITS = 18
_answer_done = partial(redirect_with_undo, home="sources")
row_views = RowViews(
    Source,
    "source",
    "sources",
    {
        "pause": "Penny does not look at “{}” any more.",
        "resume": "Penny may look at “{}” again.",
        "delete": "“{}” is removed.",
        "restore": "“{}” is back.",
    },
)


@dataclass(frozen=True)
class SourceRow:
    """A source on the list.

    `state` is allowed, blocked, muted or unknown; `trouble` describes the last failure.
    """

    source: Source
    state: str
    trouble: str


@with_body_of(SIZE_MAX + disk.MB)
@require_http_methods(["GET", "HEAD", "POST"])
def sources(request: OwnerRequest) -> HttpResponse:
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _import_file(request, form)
    return _sources(request, form, SourceForm())


@require_POST
def source_add(request: OwnerRequest) -> HttpResponse:
    form = SourceForm(request.POST)
    if not form.is_valid():
        return _sources(request, FileForm(), form)
    try:
        disk.check_room()
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)
        return redirect("sources")
    source = from_files.add_source(form.source)
    cut = " What looked like a secret in its address is left out." if form.was_cut else ""
    asks = "" if _state(source.url) == "allowed" else " She looks there once you allow reading its site."
    return _answer_done(
        request,
        f"“{source.short_name}” is one of your sources now.{asks}{cut}",
        reverse("source_delete", args=[source.pk]),
    )


def _sources(request: OwnerRequest, form: FileForm, adding: SourceForm) -> HttpResponse:
    """Render the page, after a refused change with its form and error."""
    words, chosen = request.GET.get("q", "")[:WORDS_MAX].strip(), _chosen_file(request.GET.get("file", ""))
    rows = Source.objects.kept().holding(words).prefetch_related("files")
    page = Paginator(rows.filter(files=chosen) if chosen else rows, SOURCES_SHOWN).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "adding": adding,
        "words": words,
        "chosen": chosen,
        "page": page,
        "rows": _source_rows(list(page.object_list)),
    }
    context |= {"files": ImportedFile.objects.all()[:FILES_SHOWN], "count": Source.objects.kept().count()}
    return render(request, "thoughts/sources/sources.html", context)


def _import_file(request: OwnerRequest, form: FileForm) -> HttpResponse:
    try:
        upload = form.cleaned_data["file"]
        upload.seek(0)
        file = import_files.take_file(upload, form.name, upload.size)
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)
        return redirect("sources")
    return redirect("imported_file", file.pk)


def _chosen_file(number: str) -> ImportedFile | None:
    return (
        ImportedFile.objects.filter(pk=int(number)).first() if number.isdecimal() and len(number) < KEY_DIGITS else None
    )


def _source_rows(rows: list[Source]) -> list[SourceRow]:
    states = {source.domain: _state(source.url) for source in rows}
    return [
        SourceRow(
            source,
            states[source.domain],
            failure_texts.tool_failure(source.trouble_code, source.domain) if source.trouble_code else "",
        )
        for source in rows
    ]


def _state(url: str) -> str:
    try:
        decision = grants.decide(url, "read")
        if muted_sites.is_muted(url):
            return "muted"
    except HostInvalid:
        return "unknown"
    return "allowed" if decision.is_allowed else "blocked" if decision.is_blocked else "unknown"


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """Serve all sources as OPML, which feed readers and this page can import."""
    rows = Source.objects.kept().order_by("folder", "title", "pk")
    document = opml.write_opml((source.entry for source in rows.iterator()), "Penny: sources", timezone.now())
    headers = {"Content-Disposition": 'attachment; filename="penny-sources.opml"'}
    return HttpResponse(document, content_type="text/x-opml; charset=utf-8", headers=headers)


@require_safe
def imported(request: OwnerRequest, pk: int) -> HttpResponse:
    """Show the result of an import. During a run the page polls every two seconds."""
    file = get_object_or_404(ImportedFile, pk=pk)
    run, rows = file.runs.first(), Source.objects.kept().filter(files=file)
    is_looking = run is not None and run.state in Run.OPEN
    context = {
        "file": file,
        "run": run,
        "is_looking": is_looking,
        "is_reading": is_looking and file.is_waiting and file.undone_at is None,
        "percent": import_files.percent_read(file),
        "may_look": (models_in_use().main is not None or file.is_waiting) and file.undone_at is None,
        "has_model": models_in_use().main is not None,
        "ideas": file.candidates.filter(state=Candidate.State.OPEN).order_by("pk"),
        "sources": rows.count(),
        "folders": rows.exclude(folder="")
        .values("folder")
        .annotate(count=Count("pk"))
        .order_by("-count", "folder")[:FOLDERS_SHOWN],
    }
    return render(
        request, "thoughts/sources/_imported.html" if request.htmx else "thoughts/sources/imported.html", context
    )


@require_POST
def imported_undo(request: OwnerRequest, pk: int) -> HttpResponse:
    file = get_object_or_404(ImportedFile, pk=pk)
    count = from_files.undo_import(file, timezone.now())
    remaining = "" if count == file.sources.count() else " What other files brought too stays."
    words = f"The import of “{file.name}” is undone: {count} sources are gone, and the ideas from them.{remaining}"
    return _answer_done(request, words, reverse("imported_file_redo", args=[pk]))


@require_POST
def imported_redo(request: OwnerRequest, pk: int) -> HttpResponse:
    file = get_object_or_404(ImportedFile, pk=pk)
    count = from_files.redo_import(file)
    return _answer_done(
        request, f"“{file.name}” is back, with {count} sources.", reverse("imported_file_undo", args=[pk])
    )


@require_POST
def imported_look(request: OwnerRequest, pk: int) -> HttpResponse:
    file = get_object_or_404(ImportedFile, pk=pk, undone_at=None)
    if (models_in_use().main is not None or file.is_waiting) and not file.runs.filter(state__in=Run.OPEN).exists():
        from_files.start_looking(file)
    return redirect("imported_file", pk)


@require_POST
def source_allow(request: OwnerRequest, pk: int) -> HttpResponse:
    """Grant reading the source's site without the owner's logins, which sources seldom need."""
    source = get_object_or_404(Source.objects.kept(), pk=pk)
    try:
        grant = grants.set_grant(source.domain, "read", "allowed", session="clean")
    except HostInvalid as error:
        messages.error(request, str(error))
        return redirect(next_below(request, "sources"))
    words = f"Penny may read pages of {grant.host} from now on, without your logins."
    return _answer_done(request, words, reverse("source_disallow", args=[pk]))


@require_POST
def source_disallow(request: OwnerRequest, pk: int) -> HttpResponse:
    source = get_object_or_404(Source, pk=pk)
    grants.revoke_grant(source.domain, "read")
    return _answer_done(request, f"Penny asks again before she reads {source.domain}.")
