"""The page of what Penny remembers: add, change, confirm, forget."""

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from agents.memory import remember
from agents.memory.forms import MemoryForm, SlotForm
from agents.memory.remember import NotRemembered
from agents.models import Memory
from agents.zones.slots import READY_NAMES
from devices.disk import DiskFull
from penny_site.requests import OwnerRequest


@require_http_methods(["GET", "HEAD", "POST"])
def memories(request: OwnerRequest) -> HttpResponse:
    form = MemoryForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            row, is_new = remember.remember(form.cleaned_data["text"], Memory.Source.OWNER)
            undo = reverse("memory_forget", args=[row.pk]) if is_new else ""
            messages.success(request, f"Penny {'remembers' if is_new else 'remembers already'}: {row}", extra_tags=undo)
            return redirect("memories")
        except (NotRemembered, DiskFull) as error:
            form.add_error("text", str(error))
    return _memories(request, form)


@require_http_methods(["GET", "HEAD", "POST"])
def memory(request: OwnerRequest, pk: int) -> HttpResponse:
    """Change a memory in its row. The address of an undo carries the words, of the owner's own memories alone."""
    row = get_object_or_404(Memory.objects.kept().sentences(), pk=pk)
    is_own = row.state == Memory.State.CONFIRMED
    words = request.POST if "text" in request.POST or not is_own else request.GET
    form = MemoryForm(words if request.method == "POST" else None, initial={"text": row.text}, auto_id=f"id_%s_{pk}")
    if request.method == "POST" and form.is_valid():
        try:
            remember.confirm(row, form.cleaned_data["text"])
            undo = f"{reverse('memory', args=[pk])}?{urlencode({'text': row.text})}" if is_own else ""
            messages.success(request, "Penny remembers that in your words.", extra_tags=undo)
            return redirect(f"{reverse('memories')}#memory-{pk}")
        except NotRemembered as error:
            form.add_error("text", str(error))
    if request.htmx:
        return render(request, "agents/memory/_edit.html", {"editing": form, "memory": row})
    return _memories(request, MemoryForm(), form, row)


@require_POST
def keep_slot(request: OwnerRequest) -> HttpResponse:
    """Keep a fact with a name, or its new value. Its value stands in no address, so this has no undo."""
    form = SlotForm(request.POST)
    if form.is_valid():
        try:
            words = form.cleaned_data
            row = remember.keep_slot(words["name"], words["value"], Memory.Source.OWNER, words["sites"])
            messages.success(request, f"Penny keeps {row}.")
            return redirect("memories")
        except (NotRemembered, DiskFull) as error:
            form.add_error("value", str(error))
    return _memories(request, MemoryForm(), slot_form=form)


def _memories(
    request: OwnerRequest,
    form: MemoryForm,
    editing: MemoryForm | None = None,
    row: Memory | None = None,
    slot_form: SlotForm | None = None,
) -> HttpResponse:
    """Render the page. `editing`: the form of the row that is being changed."""
    context = {
        "form": form,
        "editing": editing,
        "edited": row,
        "proposed": Memory.objects.proposed().sentences(),
        "rows": Memory.objects.confirmed().sentences(),
        "slots": Memory.objects.kept().exclude(name="").order_by("name", "-state"),
        "slot_form": slot_form or SlotForm(auto_id="id_slot_%s"),
        "ready_names": READY_NAMES,
    }
    return render(request, "agents/memory/memories.html", context)


@require_POST
def forget_memory(request: OwnerRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Memory.objects.kept(), pk=pk)
    row.set_deleted(timezone.now())
    messages.success(
        request,
        "Penny forgets that. In ten minutes it is gone for good.",
        extra_tags=reverse("memory_restore", args=[pk]),
    )
    return redirect("memories")


@require_POST
def restore_memory(request: OwnerRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Memory, pk=pk)
    if row.name and Memory.objects.confirmed().filter(name=row.name).exists():
        messages.error(request, f"Penny keeps another value as {row} now. Forget that one first.")
        return redirect("memories")
    row.set_deleted(None)
    messages.success(request, "Penny remembers that again.")
    return redirect("memories")
