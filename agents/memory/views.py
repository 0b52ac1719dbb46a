"""The page of what Penny remembers: add, change, confirm, forget."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from agents.memory import remember
from agents.memory.forms import MemoryForm
from agents.memory.remember import NotRemembered
from agents.models import Memory
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
    context = {"form": form, "proposed": Memory.objects.proposed(), "rows": Memory.objects.confirmed()}
    return render(request, "agents/memory/memories.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def memory(request: OwnerRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Memory.objects.kept(), pk=pk)
    form = MemoryForm(request.POST or None, initial={"text": row.text})
    if request.method == "POST" and form.is_valid():
        try:
            remember.confirm(row, form.cleaned_data["text"])
            messages.success(request, "Penny remembers that in your words.")
            return redirect("memories")
        except NotRemembered as error:
            form.add_error("text", str(error))
    return render(request, "agents/memory/memory.html", {"form": form, "memory": row})


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
    get_object_or_404(Memory, pk=pk).set_deleted(None)
    messages.success(request, "Penny remembers that again.")
    return redirect("memories")
