"""Look up grants for a call and count it against the rate limits. Asks nothing."""

import asyncio

from agents.gateway.catalog import Tool
from agents.gateway.rate_limits import rate_refusal
from agents.runs import failure_texts
from agents.runs.context import Context, ToolRefused
from devices.db import in_db
from devices.grants import grants
from devices.models import Grant
from devices.owner import muted_sites
from devices.web.hosts import HostInvalid, grant_host, normalise_host


async def recheck(context: Context, tool: Tool, url: str, code: str) -> Grant:
    """Return the grant of an address that the browser reports, such as after a redirect.

    Raises ToolRefused with `code` if there is none: nothing is asked here.
    """
    decision = await decide_for_run(context, tool, url)
    if decision.grant is None or not decision.is_allowed:
        raise ToolRefused(code, decision.host)
    return decision.grant


async def decide_for_run(context: Context, tool: Tool, url: str) -> grants.Decision:
    """Return the decision of the grants on an address for this run. Raises ToolRefused.

    Thinking also leaves out muted sites.
    """
    assert tool.capability is not None
    try:
        if context.caller == "thinking" and await in_db(muted_sites.is_muted)(url):
            raise ToolRefused("muted_site", grant_host(url))
        return await in_db(grants.decide)(url, tool.capability, context.run.id)
    except HostInvalid:
        raise ToolRefused("bad_url") from None


async def count_call(context: Context, host: str) -> None:
    """Count a call on a host; tell the owner when there are too many. Raises ToolRefused."""
    if too_much := await asyncio.to_thread(rate_refusal, host, context.numbers):
        await context.say(failure_texts.tool_failure(too_much, host))
        raise ToolRefused(too_much, host)


def grantable(host: str) -> str:
    """Return the host as a grant names it. Raises ToolRefused."""
    try:
        return normalise_host(host)
    except HostInvalid:
        raise ToolRefused("bad_url") from None
