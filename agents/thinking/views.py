"""Look now, and the line that shows how far a search is. Without a script the buttons lead back to their page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from agents.gateway.catalog import SEARCH_WEB
from agents.thinking.look_rows import looking_now
from agents.thinking.looking import look_for
from devices import disk
from devices.models import Device
from devices.owner.stop import is_stopped
from penny_site.requests import OwnerRequest, here_or_feed
from thoughts.models import Preference

ALREADY = "Penny is looking already."


@require_safe
def looking(request: OwnerRequest) -> HttpResponse:
    """Render the searches under way. With the `mark` of what the page shows, 204 means no change."""
    if not request.htmx:
        return redirect("feed")
    context = looking_now(timezone.now(), here_or_feed(request.htmx.current_url_abs_path or ""))
    if request.GET.get("mark") == context["mark"]:
        return HttpResponse(status=204)
    return render(request, "agents/_looking.html", context)


@require_POST
def look_now(request: OwnerRequest) -> HttpResponse:
    """Start a search for an interest, or for the one that waited longest. A second press starts no second one."""
    back = redirect(here_or_feed(request.POST.get("back", "")))
    key = request.POST.get("preference", "")
    row = Preference.objects.filter(pk=int(key), muted=False).first() if key.isdecimal() and len(key) < 16 else None
    if is_stopped():
        messages.warning(request, "Everything is stopped. Let Penny go on, then look again.", extra_tags="stopped")
        return back
    if not Device.objects.capable(SEARCH_WEB.name):
        messages.warning(request, "No browser is connected. Connect one, then look again.", extra_tags="no_browser")
        return back
    try:
        if look_for(row) is None:
            messages.info(request, ALREADY)
    except disk.DiskFull as full:
        messages.error(request, str(full), extra_tags=full.code)
    return back
