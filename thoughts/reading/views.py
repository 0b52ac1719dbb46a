"""Show the stored text of a page in its form; take, list, export and delete the owner's complaints about it."""

from contextlib import suppress
from uuid import UUID

from constance import config
from django.contrib import messages
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from penny_site.requests import OwnerRequest
from thoughts.models import Page, Thought, WrongReading
from thoughts.models.pages import complains_of
from thoughts.rendering import render_page
from thoughts.text.addresses import of_the_web

COMPLAINT_CHARACTERS = 2_000
SHOWN = 200
FORGOTTEN = Page.objects.filter(kept__deleted_at__isnull=False)


@require_safe
def show_page(request: OwnerRequest, pk: int) -> HttpResponse:
    """Show what was read, and what was left out. Asks nothing of the web."""
    page = get_object_or_404(Page, pk=pk)
    if page.is_forgotten:
        raise Http404
    context = {
        "page": page,
        "find": _find(request.GET.get("find", ""), page),
        "href": of_the_web(page.url),
        "html": render_page(page.text, 0, 0, as_written=page.is_text_file),
        "complaint_characters": COMPLAINT_CHARACTERS,
        "how_long": _how_long(),
    }
    return render(request, "thoughts/reading/page.html", context)


def _find(key: str, page: Page) -> Thought | None:
    """Return the find that the owner came from."""
    with suppress(ValueError):
        return Thought.objects.filter(pk=UUID(key), claims__page=page).first()
    return None


@require_POST
def report_wrong(request: OwnerRequest, pk: int) -> HttpResponse:
    page = get_object_or_404(Page, pk=pk)
    if page.is_forgotten:
        raise Http404
    complaint = request.POST.get("complaint", "").strip()[:COMPLAINT_CHARACTERS]
    WrongReading.objects.create(
        url=page.url,
        domain=page.domain,
        title=page.title,
        text=page.text,
        left_out=page.left_out,
        extracted_with=page.extracted_with,
        complaint=complaint,
        fetched_at=page.fetched_at,
    )
    messages.success(request, f"Thank you. The page and your words are kept here {_how_long()}, and go nowhere.")
    return redirect("wrong_readings")


@require_safe
def wrong_readings(request: OwnerRequest) -> HttpResponse:
    rows = WrongReading.objects.exclude(complains_of(FORGOTTEN)).defer("text", "left_out")[:SHOWN]
    return render(request, "thoughts/reading/wrong.html", {"rows": rows, "how_long": _how_long()})


@require_safe
def export_wrong(request: OwnerRequest, pk: int) -> HttpResponse:
    """Return a complaint as a test case: the page as it was read, and what is wrong with it."""
    row = get_object_or_404(WrongReading.objects.exclude(complains_of(FORGOTTEN)), pk=pk)
    case = {
        "url": row.url,
        "title": row.title,
        "text": row.text,
        "left_out": row.left_out,
        "extracted_with": row.extracted_with,
        "fetched_at": row.fetched_at.isoformat(),
        "complaint": row.complaint,
    }
    response = JsonResponse(case, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="penny-reading-{row.pk}.json"'
    return response


@require_POST
def delete_wrong(request: OwnerRequest, pk: int) -> HttpResponse:
    get_object_or_404(WrongReading, pk=pk).delete()
    messages.success(request, "Deleted.")
    return redirect("wrong_readings")


def _how_long() -> str:
    days = config.KEEP_COMPLAINTS_DAYS
    return f"for {days} days" if days else "until you delete them"
