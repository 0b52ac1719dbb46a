"""The pages that forget what is kept: the choice, its consequences, the act and its undo."""

from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from agents.vault.forget.entries import consequences, forget, moment_key, moment_of, restore_forgotten
from agents.vault.forget.forms import ForgetForm
from penny_site.requests import OwnerRequest
from thoughts.models import Kept

TOO_LATE = "The ten minutes are over: that is gone for good."


@require_http_methods(["GET", "HEAD", "POST"])
def forget_several(request: OwnerRequest) -> HttpResponse:
    """Ask what to forget, show what goes with it, and forget it once that is confirmed."""
    form = ForgetForm(request.POST if request.method == "POST" else request.GET or None)
    if not form.is_valid():
        return render(request, "agents/vault/forget.html", {"form": form, "count": Kept.objects.kept().count()})
    if request.method != "POST":
        back = {"next": request.GET.get("next", ""), "back": list_before(request.GET)}
        return render(request, "agents/vault/forget_confirm.html", _what_goes(form) | back)
    for_good = "for_good" in request.POST
    moment, count = forget(
        request.user, form.selection(), with_answers="with_answers" in request.POST, for_good=for_good
    )
    undo = reverse("kept_undo", args=[moment_key(moment)]) if count and not for_good else ""
    end = "That is for good." if for_good else "In ten minutes that is for good."
    messages.success(request, f"Forgotten: {_number_of_pages(count)}. {end}", extra_tags=undo)
    return redirect(list_before(request.POST))


def list_before(fields: QueryDict) -> str:
    """Return the list of kept pages from which the owner came, by default all."""
    there, top = fields.get("next", ""), reverse("kept_pages")
    if there.startswith(f"{top}?") and url_has_allowed_host_and_scheme(there, allowed_hosts=None):
        return there
    return top


def _what_goes(form: ForgetForm) -> dict[str, Any]:
    selection = form.selection()
    chosen = [
        (field.label, dict(form.fields["device"].choices).get(value, value) if field.name == "device" else value)  # type: ignore[attr-defined]
        for field in form.visible_fields()
        if (value := form.cleaned_data[field.name]) and value is not True
    ]
    hidden = [field.as_hidden() for field in form if form.cleaned_data[field.name]]
    return {"goes": consequences(selection), "chosen": chosen, "hidden": hidden, "everything": selection.everything}


@require_POST
def undo_forgetting(request: OwnerRequest, key: int) -> HttpResponse:
    try:
        count = restore_forgotten(request.user, moment_of(key))
    except OverflowError:
        count = 0
    if count:
        messages.success(request, f"Kept again: {_number_of_pages(count)}.")
    else:
        messages.error(request, TOO_LATE)
    return redirect("kept_pages")


def _number_of_pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"
