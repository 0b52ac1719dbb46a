from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from devices.access import passkeys
from devices.models import Passkey
from devices.owner.account import the_owner
from penny_site.forms import SignInForm
from penny_site.manage_command import manage_command
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
        "command": manage_command("sign_in_link"),
    }


def next_page(request: HtmxRequest) -> str:
    return here_or_feed(request.POST.get("next") or request.GET.get("next", ""))
