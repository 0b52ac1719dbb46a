"""The admin of devices: an operator's window, read-only where history must not change."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from devices.access.revoke import revoke
from devices.grants.forms import GrantForm
from devices.grants.grants import revoke_grant, set_grant
from devices.models import Ask, Delivery, Device, Grant, Message, MessageClaim
from devices.owner import clock
from penny_site.admin_pages.filters import whether
from penny_site.admin_pages.lists import Button, ListAdmin
from penny_site.admin_pages.read_only import ReadOnlyAdmin, ReadOnlyInline, join_labels


@admin.register(Device)
class DeviceAdmin(ListAdmin):
    title = "Browsers, phones and programs that talk to Penny"
    list_display = ["label", "kind", "state", "tool_use", "client", "seen_at", "created_at"]
    list_filter = ["kind", ("revoked_at", whether("revoked", "revoked", "let in"))]
    search_fields = ["label", "client"]
    readonly_fields = [
        "state", "kind", "shares_history", "keeping", "client", "runs_tools", "origin", "created_at", "seen_at",
        "on_since", "used_at", "revoked_at",
    ]  # fmt: skip
    fields = ["label", "tool_use", "act_use", *readonly_fields]
    actions = ["revoke"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False  # devices are added by pairing

    def has_delete_permission(self, request: HttpRequest, obj: Device | None = None) -> bool:
        return False  # a revoked device stays: its messages still name it

    @admin.display(description="state")
    def state(self, device: Device) -> str:
        if device.waits:
            return "waits since a restore"
        return "revoked" if device.revoked_at else "connected" if device.is_connected else "not connected"

    @admin.display(description="tools")
    def runs_tools(self, device: Device) -> str:
        return join_labels(device.tools)

    @admin.action(description="Revoke: disconnect now and never let in again", permissions=["change"])
    def revoke(self, request: HttpRequest, rows: QuerySet[Device]) -> HttpResponse | None:
        going = rows.filter(revoked_at=None).exclude(kind=Device.Kind.WEB)  # signing out ends the web page's access
        if "sure" not in request.POST:
            context = self.admin_site.each_context(request) | {
                "title": "Revoke",
                "devices": going,
                "opts": self.model._meta,
            }
            return TemplateResponse(request, "admin/devices/device/revoke.html", context)
        for device in going:
            revoke(device)
            messages.success(request, f"{device} is revoked. Pair it again to let it back in.")
        return None


@admin.register(Grant)
class GrantAdmin(ListAdmin):
    title = "Sites Penny may open"
    add_label = "Allow a site"
    is_undoable = True
    form = GrantForm
    list_display = ["host", "decision", "ends", "used_at"]
    list_filter = ["state", "session"]
    search_fields = ["host"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Grant]:
        return Grant.objects.current()

    def has_change_permission(self, request: HttpRequest, obj: Grant | None = None) -> bool:
        """Leave alone what holds for one task: saved here it would hold for good."""
        return not (obj and obj.run_id) and super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Grant | None = None) -> list[str]:
        return ["decision", "ends", "used_at", "created_at"] if obj else []

    def get_fields(self, request: HttpRequest, obj: Grant | None = None) -> list[Any]:
        if obj is None:
            return ["host", "how", "scope"]
        facts = ["ends", "used_at", "created_at"]
        is_plain = not obj.run_id and obj.capability == Grant.Capability.READ
        return [*([] if obj.run_id else ["how", "scope"]), *([] if is_plain else ["decision"]), *facts]

    def buttons(self, row: Grant) -> list[Button]:
        """Return the other decision and Revoke. What holds for one task alone can only be revoked."""
        other = ("Block", Grant.State.BLOCKED) if row.state == Grant.State.ALLOWED else ("Allow", Grant.State.ALLOWED)
        decisions = [("Revoke", "none")] if row.run_id else [other, ("Revoke", "none")]
        fields = {"host": row.host, "capability": row.capability, "session": row.session}
        address = reverse("site_decide")
        return [Button(label, f"{address}?{urlencode(fields | {'state': state})}") for label, state in decisions]

    @admin.display(description="decision", ordering="state")
    def decision(self, grant: Grant) -> SafeString:
        if grant.state == Grant.State.BLOCKED:
            return format_html('<span class="chip stop">{}</span>', "blocked")
        if grant.capability == Grant.Capability.KEEP:
            return format_html('<span class="chip ok">{}</span>', "pages are kept")
        if grant.capability == Grant.Capability.ACT:
            return format_html('<span class="chip warn">{}</span>', "clicks and types")
        logins = "without your logins" if grant.session == Grant.Session.CLEAN else "with your logins"
        return format_html('<span class="chip ok">{}</span>', f"reads {logins}")

    @admin.display(description="until", ordering="expires_at")
    def ends(self, grant: Grant) -> str:
        if grant.run_id:
            return "the end of one task"
        return clock.time_in_words(grant.expires_at, timezone.now()) if grant.expires_at else "you change it"

    def save_model(self, request: HttpRequest, obj: Grant, form: Any, change: bool) -> None:
        grant = set_grant(obj.host, obj.capability, scope=form.cleaned_data["scope"], **form.decision())
        obj.pk = grant.pk

    def delete_model(self, request: HttpRequest, obj: Grant) -> None:
        revoke_grant(obj.host, obj.capability)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Grant]) -> None:
        for grant in queryset:
            revoke_grant(grant.host, grant.capability)


@admin.register(Ask)
class AskAdmin(ReadOnlyAdmin):
    title = "Questions Penny asked you"
    list_display = ["text", "state", "host", "is_background", "answered_by", "created_at"]
    list_filter = ["state", "is_background"]
    search_fields = ["text", "host"]
    fields = ["text", "state", "host", "is_background", "answered_by", "created_at", "prompt_until", "expires_at"]


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    title = "What Penny sent to your phone and other channels"
    list_display = [
        "created_at",
        "device",
        "state",
        "reason",
        "beginning",
        "attempts",
        "accepted_at",
        "arrived_at",
        "error",
    ]
    list_filter = ["state", "is_proactive", "device"]
    list_select_related = ["device", "message"]
    fields = [
        "device", "state", "reason", "is_proactive", "message", "text", "attempts", "error", "not_before",
        "created_at", "tried_at",
        "accepted_at", "arrived_at", "read_at",
    ]  # fmt: skip

    @admin.display(description="text")
    def beginning(self, delivery: Delivery) -> str:
        return (delivery.message.text if delivery.message else delivery.text or delivery.sign)[:80]


class MessageClaimInline(ReadOnlyInline):
    model = MessageClaim
    fields = ["number", "text", "quote", "page", "from_where"]
    verbose_name_plural = "claims and what supports them"

    @admin.display(description="labels")
    def from_where(self, claim: MessageClaim) -> str:
        return join_labels(claim.origin)


@admin.register(Message)
class MessageAdmin(ReadOnlyAdmin):
    title = "The conversation"
    inlines = [MessageClaimInline]
    list_display = ["seq", "direction", "kind", "beginning", "from_where", "device_label", "created_at"]
    list_display_links = ["seq", "beginning"]
    list_filter = ["direction", "kind", "device_label"]
    search_fields = ["text"]
    date_hierarchy = "created_at"
    ordering = ["-seq"]
    fields = [
        "seq",
        "created_at",
        "direction",
        "kind",
        "device_label",
        "text",
        "from_where",
        "is_extractive",
        "page",
        "thought",
    ]

    @admin.display(description="text")
    def beginning(self, message: Message) -> str:
        return message.text[:80] + ("…" if len(message.text) > 80 else "")

    @admin.display(description="labels")
    def from_where(self, message: Message) -> str:
        return join_labels(message.origin)
