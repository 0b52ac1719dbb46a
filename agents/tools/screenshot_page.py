"""Have a vision model look at the page in front of the owner, in the reader's zone."""

from typing import Any

from agents.gateway.arguments import ScreenshotPage
from agents.gateway.browser import call_tab
from agents.gateway.catalog import Tool
from agents.models import Step
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs.context import Content, Context, ToolRefused
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.web.hosts import clean_url


async def screenshot_page(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Have the current page looked at.

    The planner gets a handle, the domain, whether the question is answered, and the size.
    """
    assert isinstance(arguments, ScreenshotPage)
    if context.models.vision is None:
        raise ToolRefused("no_vision_model")
    await context.say("Taking a picture of the page in front of you")
    call_arguments = protocol.ScreenshotPageArguments(
        area=arguments.area, selector=arguments.selector if arguments.area == "element" else None
    )
    screenshot, domain = await call_tab(context, tool, step, call_arguments, protocol.Screenshot, shows_logins=True)
    await context.say(f"Looking at {domain}")
    handle = context.handles.add_place(clean_url(screenshot.url), domain)
    request = ReadingRequest(
        title="", text="", domain=domain, question=context.question, picture=_base64(screenshot.image)
    )
    try:
        reading = await read_item(context, request, use_model=True)
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, domain) from None
    context.handles.add_reading(handle, domain, reading)
    size = {"width": screenshot.width, "height": screenshot.height, "masked": screenshot.masked}
    return {"handle": handle, "domain": domain, "found": reading.found} | size


def _base64(image: str) -> str:
    """Return the data of a data: URL. Raises ToolRefused."""
    head, comma, data = image.partition(",")
    if not comma or not head.startswith("data:image/") or not head.endswith(";base64"):
        raise ToolRefused("bad_result")
    return data
