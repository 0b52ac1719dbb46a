"""Look up what a page says about itself, without reading it.

The planner gets typed values; words go to the writer, labelled with the page's domain.
"""

from typing import Any

from agents.gateway.arguments import ReadMetadata
from agents.gateway.catalog import Tool
from agents.gateway.open_page import open_page
from agents.models import Step
from agents.runs.context import Content, Context
from agents.zones.inputs import Untrusted
from devices import protocol
from devices.web.hosts import clean_url, grant_host
from thoughts.text.cleaning import clean_line

LINE_CHARACTERS = 300


async def read_metadata(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look up a page's metadata. The planner gets its numbers, dates and codes."""
    assert isinstance(arguments, ReadMetadata)
    page = await open_page(context, tool, arguments.url, step, protocol.PageMetadata, "Looking at")
    domain = grant_host(page.url)
    handle = context.handles.add_place(clean_url(page.url), domain)
    if words := _metadata_text(handle, page.metadata):
        context.handles.hand(Untrusted(words, origin_of(domain)))
    return {"handle": handle, "domain": domain} | _typed(page.metadata)


def _typed(metadata: protocol.Metadata) -> Content:
    """Return the values that are numbers, dates or codes. Their types were checked on arrival."""
    dates = {name: value.isoformat() for name in ("published", "modified") if (value := getattr(metadata, name))}
    codes = {name: value for name in ("kind", "currency", "availability") if (value := getattr(metadata, name))}
    numbers = {name: value for name in ("seconds", "views") if (value := getattr(metadata, name)) is not None}
    return {
        **codes,
        **dates,
        **numbers,
        **({"price": float(metadata.price)} if metadata.price else {}),
        "images": len(metadata.images),
    }


def _metadata_text(handle: str, metadata: protocol.Metadata) -> str:
    fields = metadata.model_dump(mode="json", exclude={"struck", "json_ld", "microdata", "open_graph", "images"})
    lines = [f"- {name}: {clean_line(str(value))[:LINE_CHARACTERS]}" for name, value in fields.items()]
    return "\n".join([f"What the page [{handle}] says about itself:", *lines]) if lines else ""


def origin_of(domain: str) -> frozenset[str]:
    return frozenset({domain})
