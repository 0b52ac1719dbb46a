"""Searches on the sites that the settings name: the owner's engine first, and others that they allowed where it cannot
answer.
"""

from typing import Any, TypeVar

from agents.gateway.arguments import SearchWeb
from agents.gateway.catalog import Tool
from agents.gateway.open_page import address_of, called, openable, spend
from agents.gateway.permits import permit
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from agents.tools.browse_url import read_or_refuse
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.web.hosts import HostInvalid, grant_host
from thoughts.text.cleaning import clean_line

RESULTS_CHOSEN = 5


R = TypeVar("R", bound=protocol.SearchResults | protocol.Videos)
# What another engine may do better; a no of the owner's, or a limit, holds for all of them.
UNABLE = frozenset({"blocked_by_site", "empty_page", "load_failed", "needs_sign_in", "timeout"})


async def searched(context: Context, tool: Tool, template: str, query: str, step: Step, kind: type[R]) -> tuple[R, str]:
    """Return what the search at a template found, and its site. Raises ToolRefused, Parked."""
    address = address_of(template)
    site = _site(address)
    allowed = await permit(context, tool, address)
    step.device = allowed.device
    await context.say(f"Searching on {site}")
    arguments = protocol.SearchWebArguments(query=query, template=template)
    try:
        return await called(context, tool, allowed, arguments, kind), site
    finally:
        await spend(context)


async def search_engines(context: Context, tool: Tool, query: str, step: Step) -> tuple[protocol.SearchResults, str]:
    """Return what the first engine found that found anything, and its site. Only for the first one the owner is asked.

    Raises ToolRefused, as the first engine was, and Parked.
    """
    first, others = str(context.numbers["SEARCH_TEMPLATE"]), str(context.numbers["SEARCH_MORE"]).split()
    found, refused = None, None
    try:
        found = await searched(context, tool, first, query, step, protocol.SearchResults)
    except ToolRefused as refusal:
        if refusal.code not in UNABLE:
            raise
        refused = refusal
    for template in others if found is None or not found[0].results else []:
        other = await _searched_there(context, tool, template, query, step)
        if other and other[0].results:
            return other
    if found is None:
        assert refused is not None
        raise refused
    return found


async def _searched_there(
    context: Context, tool: Tool, template: str, query: str, step: Step
) -> tuple[protocol.SearchResults, str] | None:
    """Return the same of another engine; None where it is not allowed, or cannot answer either."""
    try:
        decision = await in_db(grants.decide)(address_of(template), "read", context.run.id)
        if not decision.is_allowed:
            return None
        async with context.budget.spending(pages=tool.pages):
            return await searched(context, tool, template, query, step, protocol.SearchResults)
    except (ToolRefused, HostInvalid):
        return None


def _site(address: str) -> str:
    try:
        return grant_host(address)
    except HostInvalid:
        raise ToolRefused("bad_search_template") from None


async def search_web(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Search with the owner's engine. The planner learns handles and domains; which are worth opening is chosen in the
    sandbox.
    """
    assert isinstance(arguments, SearchWeb)
    found, engine = await search_engines(context, tool, arguments.query, step)
    results = _openable(found.results)
    said = [clean_line(f"{result.title} — {result.snippet}") for result, _, _ in results]
    handle = context.handles.add_search(
        [(url, domain, words) for (_, url, domain), words in zip(results, said, strict=True)]
    )
    content: Content = {"handle": handle, "count": len(results)}
    content["results"] = [
        {"handle": f"{handle}.r{number}", "domain": domain} for number, (_, _, domain) in enumerate(results, 1)
    ]
    if results:
        listed = "\n".join(f"{number}. {words}" for number, words in enumerate(said, 1))
        chosen = await read_or_refuse(
            context,
            ReadingRequest(title="", text=listed, domain=engine, question=arguments.query, choose=RESULTS_CHOSEN),
        )
        content["best"] = [f"{handle}.r{index}" for index in chosen.link_indices]
    return content


def _openable(results: list[protocol.SearchResult]) -> list[tuple[protocol.SearchResult, str, str]]:
    """Return the results whose addresses can be opened, each address once, with its domain."""
    found: dict[str, tuple[protocol.SearchResult, str, str]] = {}
    for result in results:
        if url := openable(result.url):
            found.setdefault(url, (result, url, grant_host(url)))
    return list(found.values())
