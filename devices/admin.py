"""The admin of devices: an operator's window, read-only where history must not change."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from devices.access.revoke import revoke
from devices.grants.forms import GrantForm
from devices.grants.grants import revoke_grant, set_grant
from devices.models import Ask, Delivery, Device, Grant, Message, MessageClaim
from penny_site.admin_pages.read_only import ReadOnlyAdmin, ReadOnlyInline, join_labels


@admin.register(Device)
class DeviceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["label", "kind", "state", "tool_use", "client", "seen_at", "created_at"]
    list_filter = ["kind", ("revoked_at", admin.EmptyFieldListFilter)]
    search_fields = ["label", "client"]
    readonly_fields = [
        "state", "kind", "shares_history", "client", "runs_tools", "origin", "created_at", "seen_at", "on_since",
        "used_at", "revoked_at",
    ]  # fmt: skip
    fields = ["label", "tool_use", *readonly_fields]
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
class GrantAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    form = GrantForm
    list_display = ["host", "capability", "state", "scope", "session", "expires_at", "used_at"]
    list_filter = ["state", "capability", "scope"]
    search_fields = ["host"]

    def get_readonly_fields(self, request: HttpRequest, obj: Grant | None = None) -> list[str]:
        fields = ["host", "capability", "expires_at", "used_at", "created_at"]
        return [*fields, "scope"] if obj and obj.run_id else fields if obj else []

    def get_fields(self, request: HttpRequest, obj: Grant | None = None) -> list[Any]:
        return [*GrantForm.Meta.fields, *(["expires_at", "used_at", "created_at"] if obj else [])]

    def save_model(self, request: HttpRequest, obj: Grant, form: Any, change: bool) -> None:
        grant = set_grant(obj.host, obj.capability, obj.state, obj.scope, obj.session, obj.run_id)
        obj.pk = grant.pk

    def delete_model(self, request: HttpRequest, obj: Grant) -> None:
        revoke_grant(obj.host, obj.capability)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Grant]) -> None:
        for grant in queryset:
            revoke_grant(grant.host, grant.capability)


@admin.register(Ask)
class AskAdmin(ReadOnlyAdmin):
    list_display = ["text", "state", "host", "capability", "is_background", "answered_by", "created_at"]
    list_filter = ["state", "kind", "is_background"]
    search_fields = ["text", "host"]


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = [
        "id",
        "device",
        "state",
        "reason",
        "beginning",
        "attempts",
        "created_at",
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
        "turn_id",
    ]

    @admin.display(description="text")
    def beginning(self, message: Message) -> str:
        return message.text[:80] + ("…" if len(message.text) > 80 else "")

    @admin.display(description="labels")
    def from_where(self, message: Message) -> str:
        return join_labels(message.origin)
