"""Penny as an app on a phone or a desktop: what makes her pages installable, what stands in for them, and what is
shared with her.
"""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from penny_site.requests import OwnerRequest
from thoughts.text.addresses import addresses

SHARED_MAX = 2000


@login_not_required  # a browser asks for it without cookies
@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Answer with the web app manifest (W3C): nothing in it is the owner's."""
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
    """Answer with the script that shows a page of its own where there is no connection; it keeps nothing of the
    owner's.
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
    """Take what another app shared to the chat, where the owner looks at it and sends it. Programs put an address into
    any of these.
    """
    given = [request.GET.get(name, "")[:SHARED_MAX].strip() for name in ("url", "text", "title")]
    found = next((address for text in given for address in addresses(text)), None)
    words = f"Look into this: {found}" if found else " ".join(filter(None, reversed(given)))
    return redirect(f"{reverse('chat')}?{urlencode({'words': words})}" if words else "chat")
