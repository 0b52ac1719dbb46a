"""Decide whether a run may use a tool on a URL, on which device, and until when."""

from datetime import timedelta

from django.utils import timezone

from agents.gateway.approvals import approve_address, new_ask, wait_for_answer
from agents.gateway.catalog import Tool
from agents.gateway.decisions import count_call, decide_for_run, grantable
from agents.runs.context import Context, ToolRefused
from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.models import Device, Grant, idlest
from devices.sockets.permits import PERMIT_SEAL
from devices.sockets.permits import Permit as Permit
from devices.web.hosts import grant_host

# What a browser has to list for these runs, and the refusal if none does.
NEEDED = {
    "trial": (protocol.RUNS_SELECTORS, "no_selectors"),
    "vault": (protocol.READS_TO_KEEP, "not_to_keep"),
}


async def permit(context: Context, tool: Tool, url: str, *, is_known: bool = True, is_asked_for: bool = True) -> Permit:
    """Check one call on one URL, asking the owner where needed. Raises ToolRefused, Parked.

    The owner's logins are used only where the grant says so and the owner asked for the site.
    """
    assert tool.capability is not None
    device = await pick_device(context, tool)
    if not is_known:
        await approve_address(context, tool, url)
    grant = await _grant_for(context, tool, url)
    await count_call(context, grant_host(url))
    with_logins = is_asked_for and grant.session != Grant.Session.CLEAN
    return Permit(
        context.run.id,
        tool.name,
        device,
        float(context.numbers[tool.deadline]),
        url=url,
        granted_host=grant.host,
        with_logins=with_logins,
        seal=PERMIT_SEAL,
    )


async def pick_device(context: Context, tool: Tool) -> Device:
    """Return the device to call. Raises ToolRefused.

    For a turn: the device that asked, else the last used. For background work: one that is always on and idle.
    """
    capable = await in_db(Device.objects.capable)(tool.name)
    if not capable:
        is_off = tool.name in await in_db(Device.objects.runnable_tools)()
        raise ToolRefused("switched_off" if is_off else "no_browser")
    if needed := NEEDED.get(context.caller):
        name, refusal = needed
        capable = [device for device in capable if name in device.tools]
        if not capable:
            raise ToolRefused(refusal)
    if context.run.is_background:
        return idlest(capable, timedelta(seconds=context.numbers["IDLE_S"]), timezone.now())
    asking = context.run.message.device_id if context.run.message else None
    return next((device for device in capable if device.id == asking), capable[0])


async def _grant_for(context: Context, tool: Tool, url: str) -> Grant:
    """Return the grant for an address, asking the owner if there is none.

    Raises ToolRefused, Parked.
    """
    decision = await decide_for_run(context, tool, url)
    if decision.grant is None:
        if ask := await new_ask(context, tool, url, grantable(decision.host)):
            await wait_for_answer(context, ask)
        decision = await decide_for_run(context, tool, url)
        await grants.send_grants()
    if decision.is_blocked:
        raise ToolRefused("blocked", decision.host)
    if decision.grant is None:
        raise ToolRefused("not_granted", decision.host)
    await in_db(grants.mark_used)(decision.grant)
    return decision.grant
