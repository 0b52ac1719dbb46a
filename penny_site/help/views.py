"""The handbook's pages, pictures and search. They hold nothing of the owner's: whoever reaches Penny may read them."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import condition, require_safe

from penny_site.help import places
from penny_site.help.handbook import CONTENTS, Page, handbook
from penny_site.help.search import QUERY_CHARACTERS, search
from penny_site.requests import HtmxRequest

_NEEDS_SESSION, _NEEDS_NONE = "base.html", "penny_site/help/stranger.html"


@login_not_required
@require_safe
def contents(request: HtmxRequest) -> HttpResponse:
    """Answer with the list of pages, or with what `?q=` finds."""
    query = request.GET.get("q", "")
    context: dict[str, Any] = {"found": search(handbook(), query) if query.strip() else None}
    if request.htmx:
        return _with_headers(
            render(request, "penny_site/help/_answer.html", context | {"index": handbook().pages[CONTENTS]})
        )
    return _answer(request, handbook().pages[CONTENTS], context)


@login_not_required
@require_safe
def page(request: HtmxRequest, name: str) -> HttpResponse:
    found = handbook().pages.get(name)
    if found is None or name == CONTENTS:
        raise Http404
    return _answer(request, found, {})


def _picture_etag(request: HttpRequest, name: str) -> str | None:
    found = handbook().pictures.get(name)
    return found.etag if found else None


@login_not_required
@require_safe
@condition(etag_func=_picture_etag)
def picture(request: HttpRequest, name: str) -> HttpResponse:
    found = handbook().pictures.get(name)
    if found is None:
        raise Http404
    return HttpResponse(found.content, content_type="image/png", headers={"Cache-Control": "public, no-cache"})


def _answer(request: HtmxRequest, shown: Page, context: dict[str, Any]) -> HttpResponse:
    before, after = handbook().neighbours(shown)
    context |= {
        "frame": _NEEDS_SESSION if _may_see_own_pages(request) else _NEEDS_NONE,
        "page": shown,
        "groups": handbook().groups,
        "before": before,
        "after": after,
        "place": places.shown_by(shown.name),
        "characters": QUERY_CHARACTERS,
    }
    return _with_headers(render(request, "penny_site/help/page.html", context))


def _may_see_own_pages(request: HtmxRequest) -> bool:
    """Whether the frame may show what is the owner's: off loopback only once a password is set, as everywhere else."""
    return request.user.is_authenticated and (settings.IS_LOOPBACK or request.user.has_usable_password())


def _with_headers(response: HttpResponse) -> HttpResponse:
    """Keep the page out of shared caches, for its frame depends on who asks, and its address out of search engines."""
    response["Cache-Control"], response["X-Robots-Tag"] = "private, no-cache", "noindex"
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    return response
