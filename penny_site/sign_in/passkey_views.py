"""Add, use and remove passkeys.

A browser requests a challenge, and sends the signed credential, both as JSON.
"""

import json
from typing import Any

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from devices.access import passkeys, sign_ins
from devices.access.failed_attempts import is_too_often
from devices.access.passkeys import PasskeyRefused
from devices.models.sign_in import Passkey
from devices.owner.account import the_owner
from penny_site.requests import OwnerRequest, here_or_feed
from penny_site.sign_in import challenge

ADDING, SIGNING_IN = "passkey_adding", "passkey_signing_in"
BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_POST
def begin_adding(request: OwnerRequest) -> JsonResponse:
    _check_possible()
    options, request.session[ADDING] = passkeys.begin_adding(request.user)
    return JsonResponse(options)


@require_POST
def add(request: OwnerRequest) -> JsonResponse:
    try:
        body = _parse_body(request)
        passkey = passkeys.add_passkey(
            request.session.pop(ADDING, {}), body.get("credential", {}), str(body.get("name", ""))
        )
    except PasskeyRefused as refused:
        return JsonResponse({"message": str(refused)}, status=400)
    messages.success(request, f"“{passkey}” signs you in from now on.")
    return JsonResponse({}, status=201)


@require_POST
def remove(request: OwnerRequest, pk: int) -> HttpResponse:
    passkey = get_object_or_404(Passkey, pk=pk)
    passkey.delete()
    messages.success(request, f"“{passkey}” signs nobody in any more.")
    return redirect("sign_ins")


@login_not_required
@require_POST
def begin_signing_in(request: HttpRequest) -> JsonResponse:
    _check_possible()
    options, state = passkeys.begin_signing_in()
    response, begun = JsonResponse(options), challenge.Challenge()
    begun[SIGNING_IN] = state
    challenge.write_challenge(response, begun)
    return response


@login_not_required
@require_POST
def sign_in(request: HttpRequest) -> JsonResponse:
    """Sign in with a passkey's credential. A challenge works once."""
    try:
        body = _parse_body(request)
        state = challenge.read_challenge(request).get(SIGNING_IN, {})
        passkeys.check_passkey(state, body.get("credential", {}))
    except PasskeyRefused as refused:
        return JsonResponse(
            {"message": str(refused)}, status=429 if is_too_often("passkey", request.META["REMOTE_ADDR"]) else 403
        )
    login(request, the_owner(), backend=BACKEND)
    sign_ins.record_sign_in(request, "passkey")
    response = JsonResponse({"next": here_or_feed(str(body.get("next", "")))})
    challenge.forget_challenge(response)
    return response


def _check_possible() -> None:
    if passkeys.why_none():
        raise Http404


def _parse_body(request: HttpRequest) -> dict[str, Any]:
    try:
        body = json.loads(request.body)
    except ValueError:
        body = None
    if not isinstance(body, dict) or not isinstance(body.get("credential"), dict):
        raise PasskeyRefused("That is no passkey's answer.")
    return body
