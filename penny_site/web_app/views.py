"""Penny as an installable web app: manifest, service worker, offline page and share target."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from penny_site.requests import OwnerRequest

SHARED_MAX = 2000


@login_not_required  # browsers request the manifest without cookies
@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the web app manifest (W3C). It holds nothing of the owner's."""
    icons = [("penny-192", 192, "any"), ("penny-512", 512, "any"), ("penny-maskable-512", 512, "maskable")]
    return JsonResponse(
        {
            "id": reverse("feed"),
            "name": "Penny",
            "short_name": "Penny",
            "description": "What Penny found for you, and a chat with her.",
            "start_url": reverse("feed"),
            "scope": reverse("feed"),
            "display": "standalone",
            "background_color": "#fbfaf8",
            "theme_color": "#a84f23",
            "icons": [
                {
                    "src": static(f"penny/icons/{name}.png"),
                    "sizes": f"{size}x{size}",
                    "type": "image/png",
                    "purpose": purpose,
                }
                for name, size, purpose in icons
            ],
            "shortcuts": [{"name": "Chat", "url": reverse("chat")}, {"name": "Saved", "url": reverse("saved")}],
            "share_target": {
                "action": reverse("share"),
                "method": "GET",
                "params": {"title": "title", "text": "text", "url": "url"},
            },
        },
        content_type="application/manifest+json",
    )


@login_not_required
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the script that shows the offline page without a connection.

    The script caches nothing of the owner's.
    """
    response = render(request, "penny_site/service_worker.js", content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@login_not_required
@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return render(request, "offline.html")


@require_safe
def share(request: OwnerRequest) -> HttpResponse:
    """Attach what another app shared to the next message in the chat, which the owner checks and sends."""
    values = [request.GET.get(name, "")[:SHARED_MAX].strip() for name in ("title", "text", "url")]
    shared = "\n".join(dict.fromkeys(filter(None, values)))
    return redirect(f"{reverse('chat')}?{urlencode({'shared': shared})}" if shared else "chat")
