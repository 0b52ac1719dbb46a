"""The page Permissions › Browsers: the browsers and phones, what each may be used for, and who is let in."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from agents.gateway.catalog import TOOLS
from devices.access.revoke import revoke, undo_revoke
from devices.models import Device
from devices.models.devices import HISTORY_TOOL
from devices.owner.acting import look_at_acting
from penny_site.requests import OwnerRequest, redirect_with_undo

# Stands for all tools of acting: they are of use together alone. It is off until the owner switches it on.
ACTING = "act_on_page"
ACTING_DOES, ACTING_NOTE = "act on pages", "For messages in Act mode. She asks before anything that reaches others."
BROWSER_TOOLS = {tool.name: tool for tool in TOOLS.values() if tool.runs_on == "browser"}
LABEL_CHARACTERS = 64
UNPAIRED_SHOWN = 10


@dataclass(frozen=True)
class Switch:
    """The switch of one tool. `note`: why the tool does not run though its switch is on."""

    tool: str
    label: str
    is_on: bool
    note: str = ""


@dataclass(frozen=True)
class BrowserRow:
    device: Device

    @property
    def switches(self) -> list[Switch]:
        acting = [Switch(ACTING, "Act on pages", self.device.act_use, ACTING_NOTE)]
        return self._reading + (acting if ACTING in self.device.tools else [])

    @property
    def off_count(self) -> int:
        return sum(not switch.is_on for switch in self._reading)

    @property
    def _reading(self) -> list[Switch]:
        return [
            Switch(name, f"{tool.does[0].upper()}{tool.does[1:]}", name not in self.device.tools_off, self._note(name))
            for name, tool in BROWSER_TOOLS.items()
            if name in self.device.tools
        ]

    def _note(self, name: str) -> str:
        is_shared = name != HISTORY_TOOL or self.device.shares_history
        return "" if is_shared else "This browser does not share its history."


def _devices() -> QuerySet[Device]:
    """Return the browsers, phones and outlets. Programs with a token stand on their own page."""
    return Device.objects.active().exclude(kind=Device.Kind.WEB).filter(token=None)


@require_safe
def all_browsers(request: OwnerRequest) -> HttpResponse:
    former = Device.objects.filter(kind=Device.Kind.BROWSER, waits=False).exclude(revoked_at=None)
    context = {
        "rows": [BrowserRow(device) for device in _devices()],
        "unpaired": former.order_by("-revoked_at")[:UNPAIRED_SHOWN],
    }
    return render(request, "devices/browsers.html", context)


@require_POST
def switch_tool(request: OwnerRequest, pk: UUID) -> HttpResponse:
    tool, is_on = request.POST.get("tool", ""), request.POST.get("on") == "yes"
    if tool not in BROWSER_TOOLS and tool != ACTING:
        raise BadRequest("There is no such switch. Go back and press it again.")
    with transaction.atomic():
        device = get_object_or_404(_devices().select_for_update(of=("self",)), pk=pk)
        others = set(device.tools_off) - {tool}
        off = {"tools_off": sorted(others if is_on else others | {tool})}
        Device.objects.filter(pk=pk).update(**({"act_use": is_on} if tool == ACTING else off))
        look_at_acting()
    words = "may" if is_on else "may not"
    does = ACTING_DOES if tool == ACTING else BROWSER_TOOLS[tool].does
    messages.success(request, f"Penny {words} use {device} to {does}.")
    return redirect(f"{reverse('browsers')}?open={pk}#device-{pk}")


@require_POST
def rename_browser(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(_devices(), pk=pk)
    label = " ".join(request.POST.get("label", "").split())[:LABEL_CHARACTERS]
    if not label:
        messages.error(request, f"{device} keeps its name: the new one was empty.")
        return redirect("browsers")
    Device.objects.filter(pk=pk).update(label=label)
    messages.success(request, f"{device} is called {label} now.")
    return redirect("browsers")


@require_POST
def stop_keeping(request: OwnerRequest, pk: UUID) -> HttpResponse:
    """It is switched on in that browser alone, where the owner reads what it means."""
    device = get_object_or_404(_devices(), pk=pk)
    Device.objects.filter(pk=pk).update(keeping=Device.Keeping.OFF)
    messages.success(request, f"{device} keeps no pages by itself any more. What it kept stays under Kept pages.")
    return redirect("browsers")


@require_POST
def unpair_browser(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(_devices(), pk=pk)
    revoke(device)
    words = f"{device} is unpaired. It is let in no more."
    return redirect_with_undo(request, words, reverse("browser_restore", args=[pk]), home="browsers")


@require_POST
def restore_browser(request: OwnerRequest, pk: UUID) -> HttpResponse:
    device = get_object_or_404(Device.objects.exclude(kind=Device.Kind.WEB), pk=pk)
    if undo_revoke(device):
        messages.success(request, f"{device} may connect again. In a browser, press Try now in the sidebar.")
    else:
        messages.error(request, f"{device} cannot come back by itself: pair it again.")
    return redirect("programs" if device.has_only_a_token else "browsers")
