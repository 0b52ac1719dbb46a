"""The page Permissions › Sites: which sites Penny may open, and how."""

import json
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from devices.grants.forms import SiteForm
from devices.grants.grants import current_infos, revoke_grant, set_grant
from devices.grants.sites import is_unused, sites
from devices.models import Grant
from devices.web.hosts import HostInvalid
from penny_site.requests import OwnerRequest, redirect_with_undo

SITES_SHOWN = 100
HOST_CHARACTERS = 260
NONE = "none"  # the state of a site without a decision


@require_http_methods(["GET", "HEAD", "POST"])
def all_sites(request: OwnerRequest) -> HttpResponse:
    form = SiteForm(request.POST or None)
    if form.is_valid():
        return _decide(request, form.cleaned_data["host"], Grant.Capability.READ, **form.decision())
    words, unused_only = request.GET.get("q", "").strip()[:HOST_CHARACTERS], "unused" in request.GET
    page = Paginator(sites(words, unused_only=unused_only), SITES_SHOWN).get_page(request.GET.get("page"))
    grants = Grant.objects.current()
    context = {
        "form": form,
        "page": page,
        "words": words,
        "unused_only": unused_only,
        "count": grants.count(),
        "unused": grants.filter(is_unused(timezone.now())).count(),
    }
    return render(request, "devices/sites.html", context, status=400 if form.errors else 200)


@require_POST
def decide_site(request: OwnerRequest) -> HttpResponse:
    """Set or remove the decision about a site. The address of an undo carries the fields itself."""
    fields = request.POST if "host" in request.POST else request.GET
    host, capability, state = (fields.get(name, "") for name in ("host", "capability", "state"))
    session = fields.get("session", Grant.Session.OWNER)
    is_known = state in (*Grant.State.values, NONE) and session in Grant.Session.values
    if capability not in Grant.Capability.values or not is_known or len(host) > HOST_CHARACTERS:
        raise BadRequest("That is no decision about a site. Go back and press the button again.")
    return _decide(request, host, capability, state, session)


@require_safe
def export_sites(request: OwnerRequest) -> HttpResponse:
    rows = [info.model_dump(mode="json") for info in current_infos()]
    text = json.dumps({"sites": rows}, indent=2)
    disposition = 'attachment; filename="penny-sites.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})


def _decide(request: OwnerRequest, host: str, capability: str, state: str, session: str) -> HttpResponse:
    earlier = Grant.objects.current().filter(host=host, capability=capability, run_id=None).first()
    try:
        if state == NONE:
            revoke_grant(host, capability)
        else:
            set_grant(host, capability, state, session=session)
    except HostInvalid as error:
        raise BadRequest(str(error)) from None
    before = {"state": earlier.state, "session": earlier.session} if earlier else {"state": NONE}
    undo = urlencode({"host": host, "capability": capability} | before)
    words = _WORDS[state].format(host=host, how="without your logins" if session == Grant.Session.CLEAN else "")
    return redirect_with_undo(request, words.replace(" .", "."), f"{reverse('site_decide')}?{undo}", home="sites")


_WORDS = {
    Grant.State.ALLOWED: "Penny may read {host} {how}.",
    Grant.State.BLOCKED: "Penny opens {host} no more.",
    NONE: "{host} is no longer listed. Penny asks before she opens it.",
}
