"""The page Model: choose a model, test it, use none."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.model_choice.choose import forget_choice
from agents.model_choice.hand_over import hand_over
from agents.model_choice.in_use import is_set_by_environment
from agents.model_choice.models import ModelChoice
from penny_site.requests import OwnerRequest
from penny_site.settings_pages.model_forms import FORMS
from penny_site.settings_pages.model_page import TEMPLATE, found_models, model_page, model_state


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def model(request: OwnerRequest) -> HttpResponse:
    if request.method != "POST":
        return render(request, TEMPLATE, model_page())
    name = request.POST.get("form", "")
    if name not in FORMS:
        raise Http404
    if is_set_by_environment():
        messages.error(request, "The environment sets the model, and wins. Nothing was changed.")
        return redirect("settings_model")
    form = FORMS[name](request.POST)
    if not form.is_valid():
        return render(request, TEMPLATE, model_page(**{f"{name}_form": form, "opens": name}), status=422)
    chosen = form.save()
    hand_over()
    messages.success(request, f"Penny uses {chosen} from now on." if chosen else "Saved.")
    return redirect("settings_model")


@require_POST
def stop(request: OwnerRequest) -> HttpResponse:
    """Use no model any more, and delete the key."""
    had_key = ModelChoice.objects.exclude(sealed_key="").exists()
    forget_choice()
    hand_over()
    words = "Penny uses no model any more." + (" The key is deleted." if had_key else "")
    messages.success(request, words)
    return redirect("settings_model")


@require_safe
def state(request: OwnerRequest) -> HttpResponse:
    """Show whether the model answers. The page asks for it when it opens, and until the model was asked."""
    return render(request, "penny_site/settings/_model_state.html", model_state(asks=True))


@require_safe
def local_models(request: OwnerRequest) -> HttpResponse:
    """Show the model servers of this machine."""
    context = {"servers": found_models()}
    if request.htmx:
        return render(request, "penny_site/settings/_model_found.html", context)
    return render(request, TEMPLATE, model_page(**context))
