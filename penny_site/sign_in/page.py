import shlex
import sys
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from devices.access import passkeys
from devices.models import Passkey
from devices.owner.account import the_owner
from penny_site.environment import ROOT
from penny_site.forms import SignInForm
from penny_site.requests import HtmxRequest, here_or_feed

BACKEND = "django.contrib.auth.backends.ModelBackend"


def sign_in_page(request: HtmxRequest, reason: str, status: int) -> HttpResponse:
    owner = the_owner()
    form = SignInForm(request, owner) if owner.has_usable_password() else None
    return render(
        request, "penny_site/sign_in.html", sign_in_context(request, form) | {"reason": reason}, status=status
    )


def sign_in_context(request: HtmxRequest, form: SignInForm | None) -> dict[str, Any]:
    has_passkeys = not passkeys.why_none() and Passkey.objects.exists()
    return {
        "form": form,
        "username": the_owner().username,
        "next": next_page(request),
        "passkeys": has_passkeys,
        "oidc": settings.OIDC_NAME,
        "command": link_command(),
    }


def link_command() -> str:
    """Return the command that prints a sign-in link of this Penny.

    Anybody who reaches Penny from elsewhere sees it: there it names no folder of her machine.
    """
    if settings.MANAGE:
        return f"{settings.MANAGE} sign_in_link"
    python, manage, data = sys.executable, str(ROOT / "manage.py"), str(settings.DATA.absolute())
    options = [] if data == str(ROOT / "data") else ["--data", data]
    if not settings.IS_LOOPBACK:
        python, manage, options = ".venv/bin/python", "manage.py", ["--data", "DATA_FOLDER"] if options else []
    return shlex.join([python, manage, "sign_in_link", *options])


def next_page(request: HtmxRequest) -> str:
    return here_or_feed(request.POST.get("next") or request.GET.get("next", ""))
