"""What a page says about itself, and where its links lead: looked up without reading it.

The planner learns typed values, handles and domains. What is words goes to the writer, labelled with the page's domain.
"""

from typing import Any

from agents.gateway.arguments import ReadMetadata
from agents.gateway.catalog import Tool
from agents.gateway.open_page import opened
from agents.models import Step
from agents.runs.context import Content, Context
from agents.zones.inputs import Untrusted
from devices import protocol
from devices.web.hosts import clean_url, grant_host
from thoughts.text.cleaning import clean_line

LINE_CHARACTERS = 300


async def read_metadata(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look up a page's own facts. The planner learns the numbers, dates and codes among them; names and titles only the
    writer.
    """
    assert isinstance(arguments, ReadMetadata)
    found = await opened(context, tool, arguments.url, step, protocol.PageMetadata, "Looking at")
    domain = grant_host(found.url)
    handle = context.handles.add_place(clean_url(found.url), domain)
    if words := _words(handle, found.metadata):
        context.handles.hand(Untrusted(words, origin_of(domain)))
    return {"handle": handle, "domain": domain} | _typed(found.metadata)


def _typed(metadata: protocol.Metadata) -> Content:
    """Return what is a number, a date or one of a few words; each of a form that its type was checked for."""
    dated = {name: value.isoformat() for name in ("published", "modified") if (value := getattr(metadata, name))}
    named = {name: value for name in ("kind", "currency", "availability") if (value := getattr(metadata, name))}
    counted = {name: value for name in ("seconds", "views") if (value := getattr(metadata, name)) is not None}
    return {
        **named,
        **dated,
        **counted,
        **({"price": float(metadata.price)} if metadata.price else {}),
        "images": len(metadata.images),
    }


def _words(handle: str, metadata: protocol.Metadata) -> str:
    """Return for the writer what the page says about itself, one fact in a line."""
    said = metadata.model_dump(mode="json", exclude={"json_ld", "microdata", "open_graph", "images"})
    lines = [f"- {name}: {clean_line(str(value))[:LINE_CHARACTERS]}" for name, value in said.items()]
    return "\n".join([f"What the page [{handle}] says about itself:", *lines]) if lines else ""


def origin_of(domain: str) -> frozenset[str]:
    return frozenset({domain})
