"""Look up the page in front of the owner."""

from typing import Any

from agents.gateway.browser import call_tab
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.runs.context import Content, Context
from devices import protocol
from devices.web.hosts import clean_url


async def get_current_tab(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    tab, domain = await call_tab(context, tool, step, protocol.GetCurrentTabArguments(), protocol.CurrentTab)
    return {"handle": context.handles.add_place(clean_url(tab.url), domain), "domain": domain}
