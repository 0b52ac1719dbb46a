import time

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from devices.access import passkeys, sign_ins
from devices.access.failed_attempts import is_too_often
from devices.models import Passkey, SignIn
from devices.owner.account import redeem, the_owner
from penny_site.forms import SignInForm, password_form
from penny_site.requests import HtmxRequest, OwnerRequest
from penny_site.setup.views import is_paired
from penny_site.sign_in.page import BACKEND, next_page, sign_in_context, sign_in_page

# In the session: until when the owner, who came by a link, may replace a forgotten password.
REPLACES_UNTIL, REPLACES_S = "password_replaces_until", 900
USED_LINK = "This link was used already, or it is older than 12 hours. Ask for a new one."


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HtmxRequest) -> HttpResponse:
    if request.htmx:  # the session of a fragment ended: redirect the whole page, not the fragment
        return HttpResponseClientRedirect(reverse("sign_in"))
    if request.user.is_authenticated:
        return redirect(next_page(request))
    owner = the_owner()
    form = SignInForm(request, owner) if owner.has_usable_password() else None
    if form and form.is_valid():
        login(request, owner, backend=BACKEND)
        sign_ins.record_sign_in(request, "password")
        return redirect(next_page(request))
    status = 429 if form and form.is_too_often else 200
    return render(request, "penny_site/sign_in.html", sign_in_context(request, form), status=status)


@login_not_required
@require_GET
def sign_in_link(request: HtmxRequest, token: str) -> HttpResponse:
    owner = redeem(token)
    if owner is None:
        return sign_in_page(request, USED_LINK, 429 if is_too_often("link", request.META["REMOTE_ADDR"]) else 403)
    login(request, owner, backend=BACKEND)
    sign_ins.record_sign_in(request, "link")
    request.session[REPLACES_UNTIL] = time.time() + REPLACES_S
    needs_password = not settings.IS_LOOPBACK and not owner.has_usable_password()
    return redirect("password" if needs_password else _first_page())


@require_POST
def sign_out(request: OwnerRequest) -> HttpResponse:
    logout(request)
    sign_ins.close_sockets()
    return redirect("sign_in")


@require_http_methods(["GET", "HEAD", "POST"])
def password(request: OwnerRequest) -> HttpResponse:
    has_password = request.user.has_usable_password()
    came_by_link = request.session.get(REPLACES_UNTIL, 0) > time.time()
    form = password_form(request.user, request.POST or None, asks_old=has_password and not came_by_link)
    if form.is_valid():
        request.session.pop(REPLACES_UNTIL, None)
        before = request.session.session_key
        update_session_auth_hash(request, form.save())
        request.session.save()
        sign_ins.follow_session(before, request.session.session_key)
        sign_ins.end_others(request.session.session_key)
        return redirect(_first_page())
    is_guess = "old_password" in form.errors and is_too_often("password", request.META["REMOTE_ADDR"])
    context = {"form": form, "has_password": has_password, "came_by_link": came_by_link}
    return render(request, "penny_site/password.html", context, status=429 if is_guess else 200)


@require_safe
def all_sign_ins(request: OwnerRequest) -> HttpResponse:
    rows = SignIn.objects.standing()
    ways = {"passkeys": Passkey.objects.all(), "no_passkeys": passkeys.why_none(), "oidc": settings.OIDC_NAME}
    if settings.OIDC_NAME:
        from penny_site.sign_in.oidc_views import linked_accounts

        ways["linked"] = linked_accounts()
    return render(request, "penny_site/sign_ins.html", {"rows": rows, "here": request.session.session_key} | ways)


@require_POST
def sign_in_end(request: OwnerRequest, pk: int) -> HttpResponse:
    entry = get_object_or_404(SignIn, pk=pk)
    if entry.session_key == request.session.session_key:
        return sign_out(request)
    sign_ins.end(entry)
    messages.success(request, f"{entry} is signed out.")
    return redirect("sign_ins")


@require_POST
def sign_in_end_others(request: OwnerRequest) -> HttpResponse:
    count = sign_ins.end_others(request.session.session_key)
    messages.success(
        request,
        f"Signed out in {count} other place{'' if count == 1 else 's'}." if count else "You are signed in here alone.",
    )
    return redirect("sign_ins")


def _first_page() -> str:
    return "feed" if is_paired() else "setup"
