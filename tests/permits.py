"""Calls to a browser past the gateway, for tests and benches of what lies below it."""

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

if TYPE_CHECKING:
    from devices import protocol
    from devices.models import Device
    from devices.sockets.permits import Permit


def any_permit(
    device: "Device",
    tool: str,
    arguments: "protocol.ToolArguments",
    deadline_s: float = 30.0,
    run_id: UUID | None = None,
) -> "Permit":
    """Return a permit for whatever the arguments ask for."""
    from devices.sockets.permits import PERMIT_SEAL, Permit

    address = getattr(arguments, "template", None) or getattr(arguments, "url", None) or ""
    url = address.replace("{query}", "x")
    return Permit(run_id or uuid4(), tool, device, deadline_s, url=url, with_logins=True, seal=PERMIT_SEAL)


async def call_past_gateway(
    device: "Device", tool: str, arguments: "protocol.ToolArguments", deadline_s: float = 30.0
) -> Any:
    """Return what the browser brought, unchecked. Raises CallFailed."""
    from devices.sockets import browser_calls
    from devices.sockets.permits import PERMIT_SEAL

    sealed = await browser_calls.call_browser(any_permit(device, tool, arguments, deadline_s), arguments)
    return sealed.opened(PERMIT_SEAL)
