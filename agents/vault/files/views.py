"""Keep the files that the owner chose or dropped on the page of kept pages."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from agents.vault import keep
from agents.vault.keep import FILE_BYTES, NotKept
from devices import disk
from penny_site.requests import OwnerRequest, with_body_of

FILES_MAX = 8


@with_body_of(FILES_MAX * FILE_BYTES + disk.MB)
@require_POST
def keep_file(request: OwnerRequest) -> HttpResponse:
    """Keep each of the files, and say of each what became of it."""
    files = request.FILES.getlist("file")
    if not files:
        messages.error(request, "Choose a file first.")
    if len(files) > FILES_MAX:
        messages.error(request, f"{FILES_MAX} files are read at once. Keep the others afterwards.")
    for file in files[:FILES_MAX]:
        try:
            row = keep.keep_file(file.name or "", file.read(FILE_BYTES + 1))
            cut = ", its first million characters" if row.page.truncated else ""
            messages.success(request, f"“{row.name}” is kept{cut}.")
        except (NotKept, disk.DiskFull) as refusal:
            messages.error(request, str(refusal))
    return redirect("kept_pages")
