"""What a page of another site may have the owner's browser request.

A browser sends the owner's cookie along with a link of another site's page. Such a link may open a page that changes
nothing and costs little. Everything else is refused, with a link that only the owner can follow.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

from penny_site.requests import is_api, is_from_here

READS = ("GET", "HEAD", "OPTIONS")
# By the names of their addresses: pages that change nothing and cost about one query of their own.
SHOWN = {
    "feed", "thought", "thought_evidence", "answer_evidence", "chat", "help", "help_page", "sign_in", "sign_in_link",
    "oidc_begin", "openid_connect_callback",
}  # fmt: skip
# Another rule decides: a token in a header or in the address, a checked Origin, or nothing of the owner's to show.
OWN_RULES = {
    "pair", "chat_completions", "models", "model", "program_picture", "program_nothing", "api_docs", "subscription",
    "healthz", "readyz",
}  # fmt: skip


def own_reads(answer: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse reads that a page of another site causes. Browsers say so; programs send no such header."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method not in READS or request.headers.get("Sec-Fetch-Site") != "cross-site":
            return answer(request)
        name, is_link = _name(request), request.method == "GET" and _is_page(request)
        if name in OWN_RULES or (is_link and name in SHOWN):
            return answer(request)
        if is_link:
            return render(request, "cross_site.html", {"address": request.get_full_path()}, status=403)
        return HttpResponse("Only Penny's own pages may ask for this.\n", status=403, content_type="text/plain")

    return middleware


def own_writes(answer: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Refuse a write that a page of another site sends.

    Pairing has its own rule. Programs (/v1) authenticate with a token that no page has.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_own = is_from_here(request) or request.path_info == "/api/pair" or is_api(request)
        if is_own or request.method in READS:
            return answer(request)
        if _is_page(request):
            return render(request, "cross_site_form.html", status=403)
        return HttpResponse("Only Penny's own pages may send this.\n", status=403, content_type="text/plain")

    return middleware


def _name(request: HttpRequest) -> str | None:
    try:
        return resolve(request.path_info).url_name
    except Resolver404:
        return None


def _is_page(request: HttpRequest) -> bool:
    """Whether the browser opens the answer in a tab, and not as a part of another page."""
    is_document = request.headers.get("Sec-Fetch-Dest", "document") == "document"
    return request.headers.get("Sec-Fetch-Mode") == "navigate" and is_document
