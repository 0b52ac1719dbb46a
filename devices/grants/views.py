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
LASTING = (Grant.Scope.ALWAYS, Grant.Scope.HOUR)  # the scopes that need no run
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
    session, scope = fields.get("session", Grant.Session.OWNER), fields.get("scope", Grant.Scope.ALWAYS)
    is_known = state in (*Grant.State.values, NONE) and session in Grant.Session.values and scope in LASTING
    if capability not in Grant.Capability.values or not is_known or len(host) > HOST_CHARACTERS:
        raise BadRequest("That is no decision about a site. Go back and press the button again.")
    return _decide(request, host, capability, state, session, scope)


@require_safe
def export_sites(request: OwnerRequest) -> HttpResponse:
    rows = [info.model_dump(mode="json") for info in current_infos()]
    text = json.dumps({"sites": rows}, indent=2)
    disposition = 'attachment; filename="penny-sites.json"'
    return HttpResponse(text, content_type="application/json", headers={"Content-Disposition": disposition})


def _decide(
    request: OwnerRequest, host: str, capability: str, state: str, session: str, scope: str = Grant.Scope.ALWAYS
) -> HttpResponse:
    try:
        undo_at = change_decision(host, capability, state, session, scope)
    except HostInvalid as error:
        raise BadRequest(str(error)) from None
    words = _WORDS[capability, state].format(host=host, how=" without your logins" * (session == Grant.Session.CLEAN))
    return redirect_with_undo(request, words, undo_at, home="sites")


def change_decision(
    host: str, capability: str, state: str, session: str = Grant.Session.OWNER, scope: str = Grant.Scope.ALWAYS
) -> str:
    """Set or remove a decision; return the address that brings the one before back. Raises HostInvalid.

    Undo gives back an hour as an hour, never as a decision for good.
    """
    undo_at = decision_now(host, capability)
    if state == NONE:
        revoke_grant(host, capability)
    else:
        set_grant(host, capability, state, scope, session)
    return undo_at


def decision_now(host: str, capability: str) -> str:
    """Return the address that brings back what is decided now."""
    earlier = Grant.objects.current().filter(host=host, capability=capability, run_id=None).first()
    before = {"state": NONE}
    if earlier:
        before = {"state": earlier.state, "session": earlier.session, "scope": earlier.scope}
    return f"{reverse('site_decide')}?{urlencode({'host': host, 'capability': capability} | before)}"


_WORDS = {
    ("read", "allowed"): "Penny may read {host}{how}.",
    ("read", "blocked"): "Penny opens {host} no more.",
    ("read", NONE): "{host} is no longer listed. Penny asks before she opens it.",
    ("act", "allowed"): "Penny may click and type on {host}.",
    ("act", "blocked"): "Penny clicks and types on {host} no more.",
    ("act", NONE): "Penny asks before she clicks or types on {host}.",
    ("keep", "allowed"): "Pages of {host} are kept where a browser keeps pages by itself.",
    ("keep", "blocked"): "Pages of {host} are kept no more by themselves.",
    ("keep", NONE): "{host} is no longer among the sites that are kept by themselves or left out.",
}
