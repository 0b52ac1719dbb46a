"""Sign in through another service, and link an account there.

Only the signed-in owner links an account.
"""

from typing import Any

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.models import SocialAccount, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST
from requests import RequestException

from devices.access import sign_ins
from devices.owner.account import the_owner
from penny_site.requests import HtmxRequest, OwnerRequest, here_or_feed
from penny_site.sign_in import challenge, oidc_session
from penny_site.sign_in.page import BACKEND, sign_in_page

NEXT_CHARACTERS = 500  # a cookie holds 4 kB
NOT_LINKED = (
    "Nobody is linked to that account. Sign in as you did before, then link it under “Where you are signed in”."
)
NOT_SIGNED_IN = "You were signed out meanwhile, so nothing was linked. Sign in, then link the account again."
AWAY = "{name} does not answer as it should. Sign in otherwise, or try again in a moment."
NOT_PROVEN = "{name} did not sign you in. Try again, or sign in otherwise."


class OwnersAccount(DefaultSocialAccountAdapter):
    """Decide about a sign-in at allauth's first hook: no other code of allauth acts on it."""

    def pre_social_login(self, request: HtmxRequest, sociallogin: SocialLogin) -> None:
        request.attempt = sociallogin  # type: ignore[attr-defined]
        raise ImmediateHttpResponse(HttpResponse())  # `callback` answers

    def on_authentication_error(self, request: HtmxRequest, provider: object, *_: object, **__: object) -> None:
        raise ImmediateHttpResponse(_refuse(request, NOT_PROVEN.format(name=settings.OIDC_NAME)))

    def get_requests_session(self) -> oidc_session.ServiceSession:
        return oidc_session.ServiceSession()

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        return False


@login_not_required
@require_POST
def begin(request: HtmxRequest) -> HttpResponse:
    """Lead to the service by a page with a link.

    The `form-action` rule of the content security policy also covers where a posted form redirects to.
    """
    provider = get_adapter(request).get_provider(request, provider=settings.OIDC_PROVIDER)
    process = AuthProcess.CONNECT if "link" in request.POST and request.user.is_authenticated else AuthProcess.LOGIN

    def redirection() -> str:
        next_page = here_or_feed(request.POST.get("next", "")[:NEXT_CHARACTERS])
        return str(provider.redirect(request, process, next_url=next_page).url)

    try:
        if request.user.is_authenticated:
            address, state = redirection(), None
        else:
            address, state = challenge.with_challenge_for_session(request, challenge.Challenge(), redirection)
    except (RequestException, ValueError, KeyError):
        return _refuse(request, AWAY.format(name=settings.OIDC_NAME), 502)
    response = render(request, "penny_site/oidc_leave.html", {"address": address, "name": settings.OIDC_NAME})
    if state is not None:
        challenge.write_challenge(response, state)
    return response


@login_not_required
@require_GET
def callback(request: HtmxRequest, provider_id: str) -> HttpResponse:
    """Answer what the service says; a stranger's attempt is in the cookie, an owner's in the session."""

    def take_attempt() -> HttpResponse:
        answer: HttpResponse = openid_connect.callback(request, settings.OIDC_PROVIDER)
        return answer

    response: HttpResponse
    try:
        if not request.user.is_authenticated and challenge.has_challenge(request):
            state = challenge.read_challenge(request)
            response, _ = challenge.with_challenge_for_session(request, state, take_attempt)
        else:
            response = take_attempt()
    except (ValueError, KeyError):  # the answer of the service breaks the standard
        return _refuse(request, NOT_PROVEN.format(name=settings.OIDC_NAME))
    attempt: SocialLogin | None = getattr(request, "attempt", None)
    if attempt is not None:
        wants_link = attempt.state.get("process") == AuthProcess.CONNECT
        response = _link(request, attempt) if wants_link else _sign_in(request, attempt)
        challenge.forget_challenge(response)
    return response


@require_POST
def unlink(request: OwnerRequest, pk: int) -> HttpResponse:
    get_object_or_404(SocialAccount, pk=pk, user=request.user).delete()
    messages.success(request, f"Your account at {settings.OIDC_NAME} signs you in no more.")
    return redirect("sign_ins")


def linked_accounts() -> list[SocialAccount]:
    return list(SocialAccount.objects.filter(user=the_owner(), provider=settings.OIDC_PROVIDER))


def _sign_in(request: HtmxRequest, attempt: SocialLogin) -> HttpResponse:
    if not _owner_accounts(attempt).exists():
        return _refuse(request, NOT_LINKED)
    login(request, the_owner(), backend=BACKEND)
    sign_ins.record_sign_in(request, "oidc")
    return redirect(here_or_feed(attempt.state.get("next") or ""))


def _link(request: HtmxRequest, attempt: SocialLogin) -> HttpResponse:
    if request.user != the_owner():
        return _refuse(request, NOT_SIGNED_IN)
    if not _owner_accounts(attempt).exists():
        account = attempt.account
        account.user, account.extra_data = (
            request.user,
            {"name": _account_name(account.get_provider_account().get_user_data() or {})},
        )
        account.save()
    messages.success(request, f"Your account at {settings.OIDC_NAME} signs you in from now on.")
    return redirect("sign_ins")


def _owner_accounts(attempt: SocialLogin) -> Any:
    return SocialAccount.objects.filter(provider=settings.OIDC_PROVIDER, uid=attempt.account.uid, user=the_owner())


def _account_name(claims: dict[str, Any]) -> str:
    names = ("email", "preferred_username", "name", "sub")
    return str(next((claims[name] for name in names if claims.get(name)), ""))[:100]


def _refuse(request: HtmxRequest, why: str, status: int = 403) -> HttpResponse:
    return sign_in_page(request, why, status)
