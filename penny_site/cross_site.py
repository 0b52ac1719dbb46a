"""What a page of another site may have the owner's browser request.

A browser sends the owner's cookie along with a link of another site's page. Such a link may open a page that changes
nothing and costs little. Everything else is refused, with a link that only the owner can follow.
"""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

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
    """Refuse reads that a page of another site causes. Browsers say so; programs send no such header.

    `middleware.own_writes` refuses writes.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        is_read = request.method in ("GET", "HEAD", "OPTIONS")
        if not is_read or request.headers.get("Sec-Fetch-Site") != "cross-site":
            return answer(request)
        name, is_link = _name(request), _is_followed_link(request)
        if name in OWN_RULES or (is_link and name in SHOWN):
            return answer(request)
        if is_link:
            return render(request, "cross_site.html", {"address": request.get_full_path()}, status=403)
        return HttpResponse("Only Penny's own pages may ask for this.\n", status=403, content_type="text/plain")

    return middleware


def _name(request: HttpRequest) -> str | None:
    try:
        return resolve(request.path_info).url_name
    except Resolver404:
        return None


def _is_followed_link(request: HttpRequest) -> bool:
    """Whether the browser opens a page in a tab, and not a part of another page."""
    is_page = request.headers.get("Sec-Fetch-Dest", "document") == "document"
    return request.method == "GET" and request.headers.get("Sec-Fetch-Mode") == "navigate" and is_page
