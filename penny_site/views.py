"""Signing in, setting up, and the page of the chat."""

import datetime
import time
from typing import Any
from uuid import UUID

from celery import current_app
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, logout, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from devices.access import passkeys, sign_ins
from devices.access.failed_attempts import is_too_often
from devices.access.pairing import open_code, paired_since
from devices.access.revoke import revoke
from devices.channels.signal import own_numbers
from devices.models import Device, Message, PairingCode, Passkey, SignIn
from devices.owner.account import redeem, the_owner
from devices.protocol import FIRST_MESSAGES
from penny_site.backups import make
from penny_site.backups.download import Download
from penny_site.context import PASSWORD_LATER
from penny_site.forms import SignalNumberForm, SignInForm, password_form
from penny_site.health import parts
from penny_site.requests import HtmxRequest, OwnerRequest, here_or_feed, is_from_here
from penny_site.setup.page import BUILDS, TESTABLE, build, setup_page
from thoughts.models import Thought

WORDS_MAX = 4000
BACKEND = "django.contrib.auth.backends.ModelBackend"
USED_LINK = "This link was used already, or it is older than 12 hours. Ask for a new one."


# Signing in -----------------------------------------------------------------------------------------------------------------


@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HtmxRequest) -> HttpResponse:
    if request.htmx:  # a fragment's session ended: the whole page goes to the sign-in page, not a part of it
        return HttpResponseClientRedirect(reverse("sign_in"))
    if request.user.is_authenticated:
        return redirect(_next(request))
    owner = the_owner()
    form = SignInForm(request, owner) if owner.has_usable_password() else None
    if form and form.is_valid():
        login(request, owner, backend=BACKEND)
        sign_ins.note(request, "password")
        return redirect(_next(request))
    status = 429 if form and form.is_too_often else 200
    return render(request, "penny_site/sign_in.html", _sign_in_context(request, form), status=status)


def sign_in_page(request: HtmxRequest, refused: str, status: int) -> HttpResponse:
    """Return the sign-in page that says why another way in did not lead in."""
    owner = the_owner()
    form = SignInForm(request, owner) if owner.has_usable_password() else None
    return render(request, "penny_site/sign_in.html", _sign_in_context(request, form) | {"refused": refused}, status=status)


def _sign_in_context(request: HtmxRequest, form: SignInForm | None) -> dict[str, Any]:
    has_passkeys = not passkeys.why_none() and Passkey.objects.exists()
    return {"form": form, "username": the_owner().username, "next": _next(request), "passkeys": has_passkeys, "oidc": settings.OIDC_NAME}


def _next(request: HtmxRequest) -> str:
    return here_or_feed(request.POST.get("next") or request.GET.get("next", ""))


@login_not_required
@require_GET
def sign_in_link(request: HtmxRequest, token: str) -> HttpResponse:
    owner = redeem(token)
    if owner is None:
        return sign_in_page(request, USED_LINK, 429 if is_too_often("link", request.META["REMOTE_ADDR"]) else 403)
    login(request, owner, backend=BACKEND)
    sign_ins.note(request, "link")
    return redirect("feed" if owner.has_usable_password() and _is_paired() else "setup" if owner.has_usable_password() else "password")


@require_POST
def sign_out(request: OwnerRequest) -> HttpResponse:
    logout(request)
    return redirect("sign_in")


@require_http_methods(["GET", "HEAD", "POST"])
def password(request: OwnerRequest) -> HttpResponse:
    has_password = request.user.has_usable_password()
    may_skip = settings.IS_LOOPBACK and not has_password
    if may_skip and "skip" in request.POST:
        request.session[PASSWORD_LATER] = True
        return redirect(_after_password())
    form = password_form(request.user, request.POST or None)
    if form.is_valid():
        before = request.session.session_key
        update_session_auth_hash(request, form.save())
        request.session.save()
        sign_ins.moved(before, request.session.session_key)
        sign_ins.end_others(request.session.session_key)
        return redirect(_after_password())
    return render(request, "penny_site/password.html", {"form": form, "has_password": has_password, "may_skip": may_skip})


@require_safe
def all_sign_ins(request: OwnerRequest) -> HttpResponse:
    rows = SignIn.objects.standing()
    known = {"passkeys": Passkey.objects.all(), "no_passkeys": passkeys.why_none(), "oidc": settings.OIDC_NAME}
    if settings.OIDC_NAME:
        from penny_site.sign_in.oidc_views import linked

        known["linked"] = linked()
    return render(request, "penny_site/sign_ins.html", {"rows": rows, "here": request.session.session_key} | known)


@require_POST
def sign_in_end(request: OwnerRequest, pk: int) -> HttpResponse:
    """Sign out somewhere else, or here."""
    found = get_object_or_404(SignIn, pk=pk)
    if found.session_key == request.session.session_key:
        return sign_out(request)
    found.end()
    messages.success(request, f"{found} is signed out.")
    return redirect("sign_ins")


@require_POST
def sign_in_end_others(request: OwnerRequest) -> HttpResponse:
    count = sign_ins.end_others(request.session.session_key)
    messages.success(
        request, f"Signed out in {count} other place{'' if count == 1 else 's'}." if count else "You are signed in here alone."
    )
    return redirect("sign_ins")


def _after_password() -> str:
    return "feed" if _is_paired() else "setup"


def _is_paired() -> bool:
    return Device.objects.paired().exists()


# Setting up -----------------------------------------------------------------------------------------------------------------


@require_safe
def setup(request: OwnerRequest) -> HttpResponse:
    if not request.htmx:
        return render(request, "penny_site/setup.html", setup_page())
    page, shown = setup_page(), request.GET.get("linked")
    changed = shown is not None and page["signal"]["is_set"] and page["signal"]["is_linked"] != (shown == "yes")
    return render(request, "penny_site/_setup_state.html", page | {"has_link_changed": changed})


@require_POST
def setup_test(request: OwnerRequest, part: str) -> HttpResponse:
    if part not in (*TESTABLE, "signal"):
        raise Http404
    result = parts.test(part)
    if request.htmx:
        return render(request, "penny_site/_setup_result.html", {"result": result})
    return render(request, "penny_site/setup.html", setup_page() | {"results": [result]})


@require_http_methods(["GET", "POST"])
def setup_code(request: OwnerRequest) -> HttpResponse:
    """POST opens a code. GET, asked every two seconds, answers 204 until a device came in or the code ran out."""
    context = _opened() if request.method == "POST" else _since(request.GET.get("since", ""))
    if context is None:
        return HttpResponse(status=204)
    if request.htmx:
        return render(request, "penny_site/_setup_code.html", context)
    return render(request, "penny_site/setup.html", setup_page() | context)


def _opened() -> dict[str, Any]:
    now = timezone.now()
    code = open_code()
    return {"code": f"{code[:4]} {code[4:]}", "opened_at": now, "expires_at": now + PairingCode.LIFETIME}


def _since(text: str) -> dict[str, Any] | None:
    try:
        opened_at = parse_datetime(text)
    except ValueError:
        opened_at = None
    if opened_at is None or timezone.is_naive(opened_at):
        return {}
    device = paired_since(opened_at)
    if device:
        return {"paired": device}
    return {"is_over": True} if timezone.now() > opened_at + PairingCode.LIFETIME + datetime.timedelta(seconds=1) else None


@require_POST
def setup_signal(request: OwnerRequest) -> HttpResponse:
    """Take a number of the owner's: what comes from it over Signal is theirs."""
    form = SignalNumberForm(request.POST)
    if form.is_valid():
        number = form.save()
        if own_numbers.is_shown(number):
            messages.success(request, f"{number.address} is yours. Write to Penny from it.")
        else:
            messages.info(request, f"Now show that {number.address} is yours: write the code to Penny from it.")
        return redirect(f"{reverse('setup')}#signal")
    return render(request, "penny_site/setup.html", setup_page() | {"number_form": form}, status=422)


@require_POST
def setup_signal_name(request: OwnerRequest) -> HttpResponse:
    if parts.name_on_signal():
        messages.success(request, "Signal shows Penny's name and picture now.")
    else:
        messages.error(request, "Signal did not take them: its server refused, or the account is a number of yours.")
    return redirect(f"{reverse('setup')}#signal")


@require_POST
def setup_signal_trust(request: OwnerRequest) -> HttpResponse:
    if parts.trust_on_signal():
        messages.success(request, "Trusted. What waited is on its way.")
    else:
        messages.error(request, "Signal's server did not take that. Look whether it runs, and try again.")
    return redirect(f"{reverse('setup')}#signal")


@require_POST
def setup_signal_forget(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(Device.objects.active(), pk=pk, kind=Device.Kind.SIGNAL)
    revoke(device)
    messages.success(request, f"What comes from {device.address} is refused from now on. Enter it again to undo that.")
    return redirect(f"{reverse('setup')}#signal")


@require_GET
def setup_signal_code(request: OwnerRequest) -> HttpResponse:
    """Answer with the picture that a phone scans. It is a new one each time, and good for a minute or so."""
    found = parts.signal_qr() if settings.SIGNAL_URL else None
    if found is None:
        raise Http404
    response = HttpResponse(found, content_type="image/png")
    response["Cache-Control"] = "no-store"
    return response


@require_GET
def setup_signal_new_code(request: OwnerRequest) -> HttpResponse:
    """Answer with the part of the page that shows a code: under another address, or browsers show the picture that they have."""
    return render(request, "penny_site/_signal_code.html", {"at": time.time_ns()})


@require_GET
def setup_models(request: OwnerRequest) -> HttpResponse:
    context = {"servers": parts.local_models()}
    if request.htmx:
        return render(request, "penny_site/_setup_models.html", context)
    return render(request, "penny_site/setup.html", setup_page() | context)


@require_GET
def extension(request: OwnerRequest, browser: str) -> HttpResponseBase:
    if browser not in BUILDS:
        raise Http404
    found = build(browser)
    if not found.is_file():
        return render(request, "penny_site/not_built.html", {"browser": browser}, status=404)
    return Download(found)


@require_POST
def back_up(request: OwnerRequest) -> HttpResponse:
    """Have a backup made by the worker: it may take longer than a page should."""
    current_app.send_task("penny.back_up", queue="runs")
    if request.htmx:
        return render(request, "penny_site/_setup_backing_up.html")
    messages.success(request, "A backup is being made. It stands in the list when it is done.")
    return redirect("setup")


@require_GET
def backup(request: OwnerRequest, name: str) -> HttpResponseBase:
    found = make.find(name)
    if found is None:
        raise Http404
    return Download(found)


# Chat -----------------------------------------------------------------------------------------------------------------------


@require_safe
def chat(request: OwnerRequest) -> HttpResponse:
    newest = Message.objects.filter(owner=request.user).order_by("-seq")[: FIRST_MESSAGES + 1]
    messages = list(newest)[::-1]
    context = {
        "history": messages[-FIRST_MESSAGES:],
        "has_more": len(messages) > FIRST_MESSAGES,
        "about": _about(request),
        "words": _proposed(request),
    }
    return render(request, "devices/chat.html", context)


def _proposed(request: OwnerRequest) -> str:
    """Return the words that stand in the composer at first, `?words=`; no other site's page puts any into the owner's mouth."""
    return request.GET.get("words", "")[:WORDS_MAX] if is_from_here(request) else ""


def _about(request: OwnerRequest) -> Thought | None:
    """Return the thought that the next message is about, `?about=` its id."""
    try:
        return Thought.objects.filter(pk=UUID(request.GET.get("about", ""))).first()
    except ValueError:
        return None
