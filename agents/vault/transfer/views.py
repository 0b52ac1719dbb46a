"""The pages that move what is kept: export, import, and what came of an import."""

from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.models import Memory, Run, VaultImport
from agents.vault.transfer.archive import stream_archive
from agents.vault.transfer.forms import FILE_BYTES, ExportForm
from agents.vault.transfer.imports import decide_facts, take_export
from devices import disk
from penny_site.requests import OwnerRequest, with_body_of
from thoughts.models import Kept

IMPORTS_SHOWN = 5
DIGITS = 4  # of the number of a fact


@with_body_of(FILE_BYTES + disk.MB)
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: OwnerRequest) -> HttpResponse:
    """Say what an export holds, and take a file to import."""
    form = ExportForm(request.POST, request.FILES) if request.method == "POST" else ExportForm()
    if request.method == "POST" and form.is_valid():
        try:
            file = form.cleaned_data["file"]
            return redirect("kept_import", take_export(file, form.name, file.size).pk)
        except disk.DiskFull as full:
            form.add_error("file", str(full))
    facts = Memory.objects.kept()
    context = {
        "form": form,
        "pages": Kept.objects.kept().count(),
        "sentences": facts.sentences().count(),
        "slots": facts.exclude(name="").count(),
        "imports": VaultImport.objects.all()[:IMPORTS_SHOWN],
    }
    return render(request, "agents/vault/move.html", context)


@require_safe
def export_kept(request: OwnerRequest) -> HttpResponseBase:
    """Stream everything that is kept, and what Penny remembers, as a zip."""
    response = StreamingHttpResponse(stream_archive(), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="penny-kept-{timezone.localdate():%Y-%m-%d}.zip"'
    response["Cache-Control"] = "no-store"
    return response


@require_safe
def show_import(request: OwnerRequest, pk: int) -> HttpResponse:
    """Show what came of an import. While it is read the page asks again every two seconds."""
    row = get_object_or_404(VaultImport.objects.select_related("run"), pk=pk)
    is_open = row.run is not None and row.run.state in Run.OPEN
    context = {
        "file": row,
        "is_reading": row.is_waiting and is_open,
        "is_stopped": row.is_waiting and not is_open,
        "waiting": Kept.objects.kept().filter(indexed_at=None).count(),
    }
    return render(request, "agents/vault/_import.html" if request.htmx else "agents/vault/import.html", context)


@require_POST
def decide_imported_facts(request: OwnerRequest, pk: int) -> HttpResponse:
    """Take the chosen facts as the owner's words, and drop the others."""
    row = get_object_or_404(VaultImport, pk=pk)
    numbers = [int(text) for text in request.POST.getlist("fact") if text.isdecimal() and len(text) <= DIGITS]
    try:
        decide_facts(row, numbers if request.POST.get("then") == "remember" else [])
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)
        return redirect("kept_import", pk)
    words = f"{row.facts_added} facts are remembered." if row.facts_added != 1 else "1 fact is remembered."
    messages.success(request, words)
    return redirect("kept_import", pk)
