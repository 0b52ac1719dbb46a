"""One call to a browser. What it brings is handed on once its address is checked."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from agents.gateway.catalog import Tool
from agents.gateway.decisions import count_call, recheck
from agents.gateway.permits import pick_device
from agents.models import Step
from agents.runs.context import Context, ToolRefused
from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.models import Device, Grant
from devices.sockets import browser_calls
from devices.sockets.permits import PERMIT_SEAL, Permit
from devices.web.hosts import grant_host

R = TypeVar("R", bound=protocol.Part)
OfTab = TypeVar("OfTab", protocol.CurrentTab, protocol.Screenshot)
Checked = TypeVar("Checked")


async def call_permitted(
    permission: Permit, arguments: protocol.ToolArguments, kind: type[R], check: Callable[[R], Awaitable[Checked]]
) -> tuple[R, Checked]:
    """Return what a browser brought, and what the check of it returned. Raises ToolRefused, CallFailed."""
    outcome = (await browser_calls.call_browser(permission, arguments)).opened(PERMIT_SEAL)
    if not isinstance(outcome, kind):
        raise ToolRefused("bad_result")
    return outcome, await check(outcome)


async def call_tab(
    context: Context,
    tool: Tool,
    step: Step,
    arguments: protocol.ToolArguments,
    kind: type[OfTab],
    *,
    shows_logins: bool = False,
) -> tuple[OfTab, str]:
    """Return what a browser brought of the page in front of the owner, and the host of that page. Raises ToolRefused.

    Only the answer tells which page it is. `shows_logins`: the call brings what the owner sees there, signed in.
    """

    async def check(outcome: OfTab) -> str:
        return await _check_tab(context, tool, outcome.url, shows_logins=shows_logins)

    step.device = await pick_device(context, tool)
    return await _call_somewhere(context, tool, step.device, arguments, kind, check)


async def call_without_page(
    context: Context, tool: Tool, device: Device, arguments: protocol.ToolArguments, kind: type[R]
) -> R:
    """Return what a browser brought of itself, of no page. Raises ToolRefused."""

    async def check(_: R) -> None:
        pass

    outcome, _ = await _call_somewhere(context, tool, device, arguments, kind, check)
    return outcome


async def _call_somewhere(
    context: Context,
    tool: Tool,
    device: Device,
    arguments: protocol.ToolArguments,
    kind: type[R],
    check: Callable[[R], Awaitable[Checked]],
) -> tuple[R, Checked]:
    permission = Permit(context.run.id, tool.name, device, float(context.numbers[tool.deadline]), seal=PERMIT_SEAL)
    try:
        return await call_permitted(permission, arguments, kind, check)
    except browser_calls.CallFailed as failed:
        raise ToolRefused(failed.code) from None


async def _check_tab(context: Context, tool: Tool, url: str, *, shows_logins: bool) -> str:
    """Check the page in front of the owner, count the call there, return its host. Raises ToolRefused."""
    grant = await recheck(context, tool, url, "not_granted")
    host = grant_host(url)
    if shows_logins and grant.session == Grant.Session.CLEAN:
        raise ToolRefused("shows_logins", host)
    context.handles.ask_for(host)
    await count_call(context, host)
    await in_db(grants.mark_used)(grant)
    return host
