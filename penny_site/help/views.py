"""The handbook's pages, pictures and search: open without sign-in, nothing of the owner's."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import condition, require_safe

from penny_site.frame.places import find_tab
from penny_site.help.handbook import CONTENTS, Page, handbook
from penny_site.help.search import QUERY_CHARACTERS, search
from penny_site.requests import HtmxRequest

_NEEDS_SESSION, _NEEDS_NONE = "base.html", "penny_site/help/stranger.html"


@login_not_required
@require_safe
def contents(request: HtmxRequest) -> HttpResponse:
    """Show the list of pages, or the results of `?q=`."""
    query = request.GET.get("q", "")
    context: dict[str, Any] = {"result": search(handbook(), query) if query.strip() else None}
    if request.htmx:
        return _add_headers(
            render(request, "penny_site/help/_answer.html", context | {"index": handbook().pages[CONTENTS]})
        )
    return _render_page(request, handbook().pages[CONTENTS], context)


@login_not_required
@require_safe
def handbook_page(request: HtmxRequest, name: str) -> HttpResponse:
    page = handbook().pages.get(name)
    if page is None or name == CONTENTS:
        raise Http404
    return _render_page(request, page, {})


def _picture_etag(request: HttpRequest, name: str) -> str | None:
    file = handbook().pictures.get(name)
    return file.etag if file else None


@login_not_required
@require_safe
@condition(etag_func=_picture_etag)
def picture(request: HttpRequest, name: str) -> HttpResponse:
    file = handbook().pictures.get(name)
    if file is None:
        raise Http404
    return HttpResponse(file.content, content_type="image/png", headers={"Cache-Control": "public, no-cache"})


def _render_page(request: HtmxRequest, page: Page, context: dict[str, Any]) -> HttpResponse:
    before, after = handbook().neighbours(page)
    context |= {
        "frame": _NEEDS_SESSION if _may_show_own_pages(request) else _NEEDS_NONE,
        "page": page,
        "groups": handbook().groups,
        "before": before,
        "after": after,
        "described": find_tab(page.name),
        "characters": QUERY_CHARACTERS,
    }
    return _add_headers(render(request, "penny_site/help/page.html", context))


def _may_show_own_pages(request: HtmxRequest) -> bool:
    """Whether the frame may show the owner's state: off loopback only after a password is set."""
    return request.user.is_authenticated and (settings.IS_LOOPBACK or request.user.has_usable_password())


def _add_headers(response: HttpResponse) -> HttpResponse:
    """Keep the page out of shared caches and search engines: its frame depends on the session."""
    response["Cache-Control"], response["X-Robots-Tag"] = "private, no-cache", "noindex"
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    return response
