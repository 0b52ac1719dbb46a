"""Look up the page in front of the owner."""

from typing import Any

from agents.gateway.catalog import Tool
from agents.gateway.permits import permit_tab, pick_device
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from devices import protocol
from devices.sockets import browser_calls
from devices.web.hosts import clean_url


async def get_current_tab(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    step.device = await pick_device(context, tool)
    deadline_s = float(context.numbers[tool.deadline])
    try:
        tab = await browser_calls.call_browser(
            step.device, context.run.id, tool.name, protocol.GetCurrentTabArguments(), deadline_s
        )
    except browser_calls.CallFailed as failed:
        raise ToolRefused(failed.code) from None
    if not isinstance(tab, protocol.CurrentTab):
        raise ToolRefused("bad_result")
    domain = await permit_tab(context, tool, tab.url)
    return {"handle": context.handles.add_place(clean_url(tab.url), domain), "domain": domain}
