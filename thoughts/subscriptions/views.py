"""The page that creates and revokes subscriptions, and the documents for programs."""

import hashlib
from dataclasses import dataclass

import segno
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import condition, require_http_methods, require_POST, require_safe

from devices.access.failed_attempts import is_too_often
from penny_site.requests import OwnerRequest, redirect_with_undo, shown_once
from thoughts.models import Page, Thought, ThoughtQuerySet
from thoughts.subscriptions.documents import TITLES, atom, json_feed
from thoughts.subscriptions.forms import SubscriptionForm
from thoughts.subscriptions.models import UNDO_FOR, Subscription

ITEMS = 50
FORMS = {"atom": "Atom", "json": "JSON Feed"}


@dataclass(frozen=True)
class Address:
    """One address of a new subscription, with its picture for a phone's camera."""

    view: str
    form: str
    url: str

    @property
    def picture(self) -> SafeString:
        """Return a QR code as SVG: dark on a light plate in every theme, because cameras want that."""
        code = segno.make(self.url, micro=False)
        plate = code.svg_inline(dark="#000", light="#fff", border=3, omitsize=True, svgclass="", lineclass="")
        return mark_safe(plate)  # noqa: S308  of numbers and colours alone


@require_http_methods(["GET", "HEAD", "POST"])
def subscriptions(request: OwnerRequest) -> HttpResponse:
    """List subscriptions, and create one. Its addresses appear only now."""
    form = SubscriptionForm(request.POST or None)
    subscription: Subscription | None = None
    addresses: list[Address] = []
    if request.method == "POST" and form.is_valid():
        subscription, token = Subscription.objects.open(form.cleaned_data["name"])
        form = SubscriptionForm()
        addresses = [Address(view, form_, _subscription_url(token, view, form_)) for view in TITLES for form_ in FORMS]
    context = {
        "form": form,
        "made": subscription,
        "addresses": addresses,
        "views": {"new": "New", "saved": "Saved", "archive": "Archive"},
        "forms": FORMS,
        "rows": Subscription.objects.standing().filter(waits=False),
    }
    return shown_once(render(request, "thoughts/subscriptions/subscriptions.html", context))


@require_POST
def subscription_revoke(request: OwnerRequest, pk: int) -> HttpResponse:
    subscription = get_object_or_404(Subscription.objects.standing(), pk=pk)
    subscription.set_revoked(timezone.now())
    words = f"“{subscription.name}” can no longer read your feed."
    return redirect_with_undo(request, words, reverse("subscription_restore", args=[pk]), home="subscriptions")


@require_POST
def subscription_restore(request: OwnerRequest, pk: int) -> HttpResponse:
    """Undo a revocation of the last hour. The address is the same as before."""
    rows = Subscription.objects.filter(revoked_at__gte=timezone.now() - UNDO_FOR)
    subscription = get_object_or_404(rows, pk=pk)
    subscription.set_revoked(None)
    return redirect_with_undo(request, f"“{subscription.name}” may read your feed again.", home="subscriptions")


@login_not_required
@require_safe
def document(request: HttpRequest, token: str, view: str, form: str) -> HttpResponse:
    """Serve the feed to a program with a valid token, else 404. Too many wrong tokens get 429."""
    if not Subscription.objects.redeem(token, timezone.now()):
        status = 429 if is_too_often("subscription", request.META["REMOTE_ADDR"]) else 404
        return HttpResponse(
            "There is no such subscription. The owner can make one.\n", status=status, content_type="text/plain"
        )
    return _document(request, view, form, _subscription_url(token, view, form))


def _feed_etag(request: HttpRequest, view: str, *_: str) -> str:
    keys = ",".join(str(key) for key in _rows(view).values_list("pk", flat=True)[:ITEMS])
    return f'"{hashlib.sha256(f"{view},{keys}".encode()).hexdigest()[:32]}"'


@condition(etag_func=_feed_etag)
def _document(request: HttpRequest, view: str, form: str, address: str) -> HttpResponse:
    thoughts = list(
        _rows(view).prefetch_related(Prefetch("pages", Page.objects.only("url", "title", "domain")))[:ITEMS]
    )
    if form == "json":
        return JsonResponse(json_feed(view, thoughts, address), content_type="application/feed+json")
    return HttpResponse(atom(view, thoughts, address), content_type="application/atom+xml; charset=utf-8")


def _rows(view: str) -> ThoughtQuerySet:
    rows = {"new": Thought.objects.unread, "archive": Thought.objects.archived, "saved": Thought.objects.saved}[view]()
    return rows.order_by("-created_at", "-id")


def _subscription_url(token: str, view: str, form: str) -> str:
    return str(settings.PUBLIC_URL) + reverse("subscription", kwargs={"token": token, "view": view, "form": form})
