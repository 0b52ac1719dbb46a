"""The API of programs, its description, and the owner's page for both."""

import time
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.api import completions
from agents.api.completions import Refused
from agents.api.forms import TokenForm
from agents.api.openapi import description
from agents.api.schemas import Model, Models
from devices.access import api_tokens
from devices.access.revoke import revoke, undo_revoke
from devices.db import in_db
from devices.models.sign_in import ApiToken
from penny_site.requests import OwnerRequest, redirect_with_undo, shown_once
from thoughts.rendering import render_inline

EXAMPLE = (
    """curl {}/v1/chat/completions -H 'Authorization: Bearer TOKEN' -H 'Content-Type: application/json' """
    """-d '{{"model": "penny", "messages": [{{"role": "user", "content": "What is new?"}}]}}'"""
)
JUST_MADE, SHOWN_WITHIN_S, NUMBER_MAX = "token_just_made", 60.0, 2**31 - 1


@csrf_exempt  # no cookie is used here: a program authenticates by its token
@login_not_required
async def chat_completions(request: HttpRequest) -> HttpResponseBase:
    if request.method != "POST":
        return _not_allowed("POST")
    try:
        device = await in_db(completions.admit)(request)
        if request.content_type != "application/json":
            raise Refused(415, "not_json", "Send JSON with the content type application/json.")
        key = request.headers.get("Idempotency-Key")
        call = await completions.begin_call(device, await completions.parse_request(request), key)
        if call.request.stream:
            return StreamingHttpResponse(
                completions.answer_events(call),
                content_type="text/event-stream",
                headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},  # else proxies buffer the events
            )
        return JsonResponse(
            (await completions.whole_answer(call)).model_dump(mode="json"), headers={"Cache-Control": "no-store"}
        )
    except Refused as refused:
        return _error_response(refused)


@csrf_exempt  # as above
@login_not_required
async def models(request: HttpRequest) -> HttpResponse:
    return await _answer(request, Models(data=[Model()]).model_dump(mode="json"))


@csrf_exempt  # as above
@login_not_required
async def model(request: HttpRequest, name: str) -> HttpResponse:
    if name == Model().id:
        return await _answer(request, Model().model_dump(mode="json"))
    return await _answer(request, None)


@csrf_exempt  # as above
@login_not_required
async def picture(request: HttpRequest, sha256: str) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return _not_allowed("GET, HEAD")
    try:
        device = await in_db(completions.admit)(request)
        data = await in_db(completions.picture_for)(device, sha256)
        return HttpResponse(data, content_type="image/webp", headers={"Cache-Control": "private, no-store"})
    except Refused as refused:
        return _error_response(refused)


@csrf_exempt  # as above
@login_not_required
async def nothing_there(request: HttpRequest) -> HttpResponse:
    try:
        await in_db(completions.admit)(request)
        raise Refused(404, "not_found", "Penny answers at /v1/chat/completions and /v1/models alone.")
    except Refused as refused:
        return _error_response(refused)


async def _answer(request: HttpRequest, payload: dict[str, Any] | None) -> HttpResponse:
    if request.method not in ("GET", "HEAD"):
        return _not_allowed("GET, HEAD")
    try:
        await in_db(completions.admit)(request)
        if payload is None:
            raise Refused(404, "model_not_found", "There is one model here: penny.")
        return JsonResponse(payload)
    except Refused as refused:
        return _error_response(refused)


def _not_allowed(methods: str) -> JsonResponse:
    """No page of another site may call the API: there are no headers that would permit it."""
    response = _error_response(Refused(405, "method_not_allowed", f"Use {methods} here."))
    response["Allow"] = methods
    return response


def _error_response(refusal: Refused) -> JsonResponse:
    """Return the error. The headers tell a client whether to retry by itself."""
    headers = {"X-Should-Retry": "true" if refusal.status in (429, 503) else "false"}
    headers |= {"Retry-After": "5"} if refusal.status in (429, 503) else {}
    headers |= {"WWW-Authenticate": "Bearer"} if refusal.status == 401 else {}
    return JsonResponse(refusal.body().model_dump(mode="json"), status=refusal.status, headers=headers)


@login_not_required
@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Describe the API as OpenAPI; lead the owner's browser to the page. 404 while there is no token."""
    if not api_tokens.is_open() and not request.user.is_authenticated:
        return _error_response(Refused(404, "off", "Penny's API is off: its owner has made no token."))
    is_for_people = "text/html" in request.headers.get("Accept", "") and request.GET.get("form") != "json"
    if request.user.is_authenticated and is_for_people:
        return redirect(f"{reverse('programs')}#calls")
    return JsonResponse(description(), headers={"Vary": "Accept"})


@require_http_methods(["GET", "HEAD", "POST"])
def programs(request: OwnerRequest) -> HttpResponse:
    """List the tokens and make one. The next page shows it once, and not after a reload."""
    form = TokenForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        row, secret = api_tokens.new_token(form.cleaned_data["label"])
        request.session[JUST_MADE] = [str(row), secret, time.time()]
        return redirect("programs")
    label, token = _take_new_token(request) if request.method == "GET" else ("", "")
    spec = description()
    context = {
        "form": form,
        "made": label,
        "token": token,
        "rows": ApiToken.objects.good().select_related("device"),
        "address": f"{settings.HOME_URL}/v1",
        "paths": spec["paths"],
        "what": render_inline(spec["info"]["description"]),
        "example": EXAMPLE.format(settings.HOME_URL),
    }
    return shown_once(render(request, "agents/api/programs.html", context))


def _take_new_token(request: OwnerRequest) -> tuple[str, str]:
    """Return label and token of a new one, else empty texts, and remove it from the session."""
    label, token, at = request.session.pop(JUST_MADE, ("", "", 0.0))
    return (label, token) if time.time() - at < SHOWN_WITHIN_S else ("", "")


@require_POST
def token_revoke(request: OwnerRequest, pk: int) -> HttpResponse:
    token = get_object_or_404(ApiToken.objects.good(), pk=min(pk, NUMBER_MAX))
    revoke(token.device)
    undo_at = reverse("token_restore", args=[token.pk])
    return redirect_with_undo(request, f"“{token}” can no longer talk to Penny.", undo_at, home="programs")


@require_POST
def token_restore(request: OwnerRequest, pk: int) -> HttpResponse:
    """Let a program in again with the token that it has."""
    token = get_object_or_404(ApiToken, pk=min(pk, NUMBER_MAX))
    if undo_revoke(token.device):
        messages.success(request, f"“{token}” may talk to Penny again, with the same token.")
    else:
        messages.error(request, f"“{token}” cannot come back by itself. Make a new token.")
    return redirect("programs")
