"""The page of the search, and its parts for the palette. They read only, and only for Penny's own pages."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from agents.embeddings.search import NoSemanticSearch
from penny_site.requests import OwnerRequest
from penny_site.search.sections import MEANING_CHARACTERS, QUERY_CHARACTERS, clean_query, find_by_meaning, find_sections

IN_PALETTE, ON_PAGE = 5, 20


@require_safe
def search_all(request: OwnerRequest) -> HttpResponse:
    """Show what `?q=` finds; with `?first=finds`, finds before all else."""
    query = clean_query(request.GET.get("q", ""))
    most = IN_PALETTE if request.htmx else ON_PAGE
    sections = find_sections(request.user, query, most, finds_first=request.GET.get("first") == "finds")
    context: dict[str, Any] = {"query": query, "sections": sections, "query_characters": QUERY_CHARACTERS}
    context["has_meaning"] = len(query) >= MEANING_CHARACTERS and not query.startswith("/")
    return render(
        request, "penny_site/search/_options.html" if request.htmx else "penny_site/search/search.html", context
    )


@require_safe
def search_meaning(request: OwnerRequest) -> HttpResponse:
    """Show the finds and the kept pages of a similar meaning: options of the palette, a part of the page, or a page."""
    query = clean_query(request.GET.get("q", ""))
    context: dict[str, Any] = {"query": query, "query_characters": QUERY_CHARACTERS, "is_meaning": True}
    try:
        context["sections"] = find_by_meaning(query, IN_PALETTE if request.htmx else ON_PAGE) if query else []
    except NoSemanticSearch as error:
        context |= {"failed": str(error), "sections": []}
    if not request.htmx:
        return render(request, "penny_site/search/search.html", context)
    is_palette = "palette" in request.GET
    return render(request, f"penny_site/search/_{'options' if is_palette else 'sections'}.html", context)
