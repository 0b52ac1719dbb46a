"""Addresses of pages that moved: bookmarks and links of earlier versions."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import path
from django.views.decorators.http import require_safe

# The beginning of the old address and of the new one. Feed readers go on with their addresses below subscriptions/.
MOVED = {
    "preferences/": "interests/",
    "sources/": "interests/sources/",
    "taste/": "interests/learned/",
    "history/": "memory/history/",
    "schedules/": "activity/routine/",
    "skills/": "permissions/skills/",
    "programs/": "permissions/programs/",
    "subscriptions/": "permissions/feeds/",
    "notifications/": "settings/notifications/",
    "sign-ins/": "settings/signing-in/",
    "digest/": "digests/",
    "setup/models/": "settings/model/found/",
}


@require_safe
def moved(request: HttpRequest, beginning: str, rest: str = "") -> HttpResponse:
    query = request.META.get("QUERY_STRING", "")
    address = f"{settings.BASE_PATH}/{MOVED[beginning]}{rest}"
    return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)


urlpatterns = [path(beginning, moved, {"beginning": beginning}) for beginning in MOVED] + [
    path(f"{beginning}<path:rest>", moved, {"beginning": beginning})
    for beginning in MOVED
    if beginning != "subscriptions/"
]
