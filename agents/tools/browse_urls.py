"""Read several pages in one call."""

import asyncio
from typing import Any

from agents.gateway.arguments import BrowseUrl, BrowseUrls
from agents.gateway.call import call_tool
from agents.gateway.catalog import BROWSE_URL, Tool
from agents.llm.messages import ToolRequest
from agents.models import Step
from agents.runs.context import Content, Context, Parked

PAGES_AT_ONCE = 3


async def browse_urls(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Read several pages side by side, a few at a time.

    Each is a call of its own: granted, counted, asked about and recorded.
    """
    assert isinstance(arguments, BrowseUrls)
    places = asyncio.Semaphore(PAGES_AT_ONCE)

    async def one(url: str) -> Content | Parked:
        async with places:
            try:
                return await call_tool(
                    context, ToolRequest("batch", BROWSE_URL.name, BrowseUrl(url=url).model_dump_json())
                )
            except Parked as parked:
                return parked

    async with asyncio.TaskGroup() as group:
        reading = [group.create_task(one(url)) for url in dict.fromkeys(arguments.urls)]
    pages = list[Content]()
    for result in (task.result() for task in reading):
        if isinstance(result, Parked):  # after all of them, so that every ask is made
            raise result
        pages.append(result)
    return {"pages": pages, "read": sum("error" not in content for content in pages)}
