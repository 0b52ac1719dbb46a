"""List the links of a page without reading it."""

from typing import Any

from agents.gateway.arguments import ReadLinks
from agents.gateway.catalog import Tool
from agents.gateway.open_page import open_page, openable
from agents.models import Step
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs.context import Content, Context, ToolRefused
from agents.runs.handles import Link
from agents.tools.read_metadata import LINE_CHARACTERS, origin_of
from agents.zones.inputs import Untrusted
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.web.hosts import clean_url, grant_host
from thoughts.text.cleaning import clean_line

LINKS_SHOWN, LINKS_CHOSEN = 100, 10


async def read_links(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look up where a page's links lead.

    The planner gets their number and the handles of those most worth opening.
    """
    assert isinstance(arguments, ReadLinks)
    page = await open_page(context, tool, arguments.url, step, protocol.PageLinks, "Looking at the links of")
    domain = grant_host(page.url)
    links = [Link(clean_line(link.text)[:LINE_CHARACTERS], url) for link in page.links if (url := openable(link.url))]
    handle = context.handles.add_place(clean_url(page.url), domain, links)
    content: Content = {"handle": handle, "domain": domain, "links": len(links)}
    if links:
        numbers = await _choose_best(context, domain, links[:LINKS_SHOWN])
        best = [(f"{handle}.l{number}", links[number - 1]) for number in numbers]
        content["best"] = [{"handle": name, "domain": grant_host(link.url)} for name, link in best]
        listing = "\n".join(f"[{name}] {link.text}" for name, link in best)
        words = f"Of the {len(links)} links of the page [{handle}], those most to do with the question:\n{listing}"
        context.handles.hand(Untrusted(words, origin_of(domain)))
    return content


async def _choose_best(context: Context, domain: str, links: list[Link]) -> list[int]:
    """Return the numbers (from 1) of the links that fit the question best."""
    listing = "\n".join(f"{number}. {link.text}" for number, link in enumerate(links, 1))
    request = ReadingRequest(title="", text=listing, domain=domain, question=context.question, choose=LINKS_CHOSEN)
    try:
        return (await read_item(context, request, use_model=context.use_model)).link_indices
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, domain) from None
