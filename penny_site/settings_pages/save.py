"""Save, reset and undo settings. The session keeps the last change, for its undo."""

import secrets
from collections.abc import Iterable
from typing import Any

from constance.utils import get_values_for_keys
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from agents.schedules.zone import moved_in_words
from penny_site.requests import OwnerRequest
from penny_site.settings_pages.forms import SettingsForm, store
from penny_site.settings_pages.groups import SETTINGS

CHANGE = "settings_change"  # in the session: the last change


def save_or_reset(
    request: OwnerRequest, form: SettingsForm, home: str, reset: str | None = None
) -> tuple[HttpResponse | None, SettingsForm]:
    """Do what a posted form asks for. Return where that leads, or None and the form to show.

    `home`: the address of the page. `reset`: what goes back to its default, if not what the pressed button says.
    All of a form is saved or, with an error in it, nothing.
    """
    if not form.is_bound:
        return None, form
    if names := form.names_of(request.POST.get("reset", "") if reset is None else reset):
        return _reset(request, form, home, names)
    if not form.is_valid():
        return None, form
    before = store(form.new_values())
    announce(request, "Saved." if before else "Saved. Nothing was different.", before, home)
    return redirect(home), form


def _reset(
    request: OwnerRequest, form: SettingsForm, home: str, names: list[str]
) -> tuple[HttpResponse | None, SettingsForm]:
    before = store({name: form.settings[name].default for name in names})
    label = f"“{form.settings[names[0]].label}” is" if len(names) == 1 else "These settings are"
    announce(request, f"{label} back to the default.", before, home)
    edited = set(form.changed_data) - {field for name in names for field in form.fields_of(name)}
    if not edited:
        return redirect(home), form
    return None, form.with_reset(names)


def announce(request: OwnerRequest, words: str, before: dict[str, Any], home: str) -> None:
    """Say what was changed, with an undo if there is something to undo."""
    address = ""
    if before:
        token = secrets.token_urlsafe(8)
        after = get_values_for_keys(list(before))
        request.session[CHANGE] = {"token": token, "before": before, "after": after, "home": home}
        address = reverse("settings_undo", args=[token])
    if "TIMEZONE" in before:
        words += moved_in_words(timezone.now())
    messages.success(request, words, extra_tags=address)


def undo_change(request: OwnerRequest, token: str) -> str:
    """Undo the last change, where nothing changed since; return the address of its page."""
    change = request.session.get(CHANGE)
    if not change or not is_of_last_change(token, change):
        messages.error(request, "Something else was changed since. Nothing was undone.")
        return reverse("settings")
    unchanged = _unchanged_since(change["after"])
    announce(request, "Undone.", store({name: change["before"][name] for name in unchanged}), change["home"])
    return str(change["home"])


def is_of_last_change(token: str, change: dict[str, Any]) -> bool:
    return secrets.compare_digest(change["token"].encode(), token.encode())


def _unchanged_since(after: dict[str, Any]) -> Iterable[str]:
    names = [name for name in after if name in SETTINGS]
    now = get_values_for_keys(names)
    return [name for name in names if now[name] == after[name]]
