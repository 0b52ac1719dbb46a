"""What a page says about itself, and where its links lead: looked up without reading it.

The planner learns typed values, handles and domains. What is words goes to the writer, labelled with the page's domain.
"""

from typing import Any

from agents.gateway.catalog import ReadLinks, ReadMetadata, Tool
from agents.gateway.open_page import openable, opened
from agents.gateway.permits import Content, Context, ToolRefused
from agents.models import Step
from agents.pages.read import read
from agents.pages.sandbox_client import SandboxFailed
from agents.runs.handles import Link
from agents.zones.inputs import Untrusted
from agents.zones.reader_answers import ReadingRequest
from devices import protocol
from devices.web.hosts import clean_url, grant_host
from thoughts.text.cleaning import clean_line

LINKS_SHOWN, LINKS_CHOSEN = 100, 10
LINE_CHARACTERS = 300


async def read_metadata(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look up a page's own facts. The planner learns the numbers, dates and codes among them; names and titles only the writer."""
    assert isinstance(arguments, ReadMetadata)
    found = (await opened(context, tool, arguments.url, step, protocol.PageMetadata, "Looking at")).result
    domain = grant_host(found.url)
    handle = context.handles.add_place(clean_url(found.url), domain)
    if words := _words(handle, found.metadata):
        context.handles.hand(Untrusted(words, _from(domain)))
    return {"handle": handle, "domain": domain} | _typed(found.metadata)


async def read_links(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look where a page's links lead. The planner learns how many there are and which are the most worth opening for the question."""
    assert isinstance(arguments, ReadLinks)
    found = (await opened(context, tool, arguments.url, step, protocol.PageLinks, "Looking at the links of")).result
    domain = grant_host(found.url)
    links = [Link(clean_line(link.text)[:LINE_CHARACTERS], url) for link in found.links if (url := openable(link.url))]
    handle = context.handles.add_place(clean_url(found.url), domain, links)
    content: Content = {"handle": handle, "domain": domain, "links": len(links)}
    if links:
        chosen = await _chosen(context, domain, links[:LINKS_SHOWN])
        named = [(f"{handle}.l{number}", links[number - 1]) for number in chosen]
        content["best"] = [{"handle": name, "domain": grant_host(link.url)} for name, link in named]
        listed = "\n".join(f"[{name}] {link.text}" for name, link in named)
        words = f"Of the {len(links)} links of the page [{handle}], those most to do with the question:\n{listed}"
        context.handles.hand(Untrusted(words, _from(domain)))
    return content


async def _chosen(context: Context, domain: str, links: list[Link]) -> list[int]:
    """Return the numbers (from 1) of the links that have most to do with the question."""
    listed = "\n".join(f"{number}. {link.text}" for number, link in enumerate(links, 1))
    request = ReadingRequest(title="", text=listed, domain=domain, question=context.question, choose=LINKS_CHOSEN)
    try:
        return (await read(context, request, use_model=context.use_model)).link_indices
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, domain) from None


def _typed(metadata: protocol.Metadata) -> Content:
    """Return what is a number, a date or one of a few words; each of a form that its type was checked for."""
    dated = {name: value.isoformat() for name in ("published", "modified") if (value := getattr(metadata, name))}
    named = {name: value for name in ("kind", "currency", "availability") if (value := getattr(metadata, name))}
    counted = {name: value for name in ("seconds", "views") if (value := getattr(metadata, name)) is not None}
    return {**named, **dated, **counted, **({"price": float(metadata.price)} if metadata.price else {}), "images": len(metadata.images)}


def _words(handle: str, metadata: protocol.Metadata) -> str:
    """Return for the writer what the page says about itself, one fact in a line."""
    said = metadata.model_dump(mode="json", exclude={"json_ld", "microdata", "open_graph", "images"})
    lines = [f"- {name}: {clean_line(str(value))[:LINE_CHARACTERS]}" for name, value in said.items()]
    return "\n".join([f"What the page [{handle}] says about itself:", *lines]) if lines else ""


def _from(domain: str) -> frozenset[str]:
    return frozenset({domain})
