"""Search on the sites in the settings: the owner's engine, and others if it cannot answer."""

from typing import Any, TypeVar
from urllib.parse import quote

from agents.gateway.arguments import SearchWeb
from agents.gateway.catalog import Tool
from agents.gateway.open_page import call_browser, openable, spend, template_address
from agents.gateway.permits import permit
from agents.models import Step
from agents.runs.context import Content, Context, ToolRefused
from agents.runs.failure_texts import WALLS
from agents.runs.met import Met
from agents.tools.browse_url import read_or_refuse
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.grants.engines import known_name
from devices.web.hosts import HostInvalid, grant_host
from thoughts.text.cleaning import clean_line

RESULTS_CHOSEN = 5
R = TypeVar("R", bound=protocol.SearchResults | protocol.Videos)
# Errors after which another engine is tried. A refusal of the owner or a limit holds for all engines.
UNABLE = frozenset({"empty_page", "load_failed", "timeout", *WALLS})


async def search_site(
    context: Context, tool: Tool, template: str, query: str, step: Step, kind: type[R]
) -> tuple[R, str]:
    """Return the results of the search at a template, and its site. Raises ToolRefused, Parked."""
    address = template_address(template)
    site = _site(address)
    permission = await permit(context, tool, address)
    step.device = permission.device
    await context.say(f"Searching with {known_name(site)}")
    session = "owner" if permission.with_logins else "clean"
    arguments = protocol.SearchWebArguments.model_validate({"query": query, "template": template, "session": session})
    try:
        return await call_browser(context, tool, permission, arguments, kind), site
    except ToolRefused as refused:
        if refused.code in WALLS:
            context.of(Met).walls[site] = (refused.code, template.replace("{query}", quote(query, "")))
        raise
    finally:
        await spend(context)


async def search_engines(context: Context, tool: Tool, query: str, step: Step) -> tuple[protocol.SearchResults, str]:
    """Return the results of the first engine that has any, and its site.

    Only the first engine may cause an ask. Raises Parked, and ToolRefused with the first engine's code.
    """
    first, others = str(context.numbers["SEARCH_TEMPLATE"]), str(context.numbers["SEARCH_MORE"]).split()
    answer, failure = None, None
    try:
        answer = await search_site(context, tool, first, query, step, protocol.SearchResults)
    except ToolRefused as refusal:
        if refusal.code not in UNABLE:
            raise
        failure = refusal
    for template in others if answer is None or not answer[0].results else []:
        other = await _search_other_engine(context, tool, template, query, step)
        if other and other[0].results:
            return other
    if answer is None:
        assert failure is not None
        raise failure
    return answer


async def _search_other_engine(
    context: Context, tool: Tool, template: str, query: str, step: Step
) -> tuple[protocol.SearchResults, str] | None:
    try:
        decision = await in_db(grants.decide)(template_address(template), "read", context.run.id)
        if not decision.is_allowed:
            return None
        async with context.budget.spending(pages=tool.pages):
            return await search_site(context, tool, template, query, step, protocol.SearchResults)
    except (ToolRefused, HostInvalid):
        return None


def _site(address: str) -> str:
    try:
        return grant_host(address)
    except HostInvalid:
        raise ToolRefused("bad_search_template") from None


async def search_web(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Search the web. The planner gets handles and domains; the reader chooses the best results."""
    assert isinstance(arguments, SearchWeb)
    answer, engine = await search_engines(context, tool, arguments.query, step)
    results = _openable(answer.results)
    lines = [clean_line(f"{result.title} — {result.snippet}") for result, _, _ in results]
    handle = context.handles.add_search(
        [(url, domain, words) for (_, url, domain), words in zip(results, lines, strict=True)], engine
    )
    content: Content = {"handle": handle, "count": len(results)}
    content["results"] = [
        {"handle": f"{handle}.r{number}", "domain": domain} for number, (_, _, domain) in enumerate(results, 1)
    ]
    if results:
        listing = "\n".join(f"{number}. {words}" for number, words in enumerate(lines, 1))
        reading = await read_or_refuse(
            context,
            ReadingRequest(title="", text=listing, domain=engine, question=arguments.query, choose=RESULTS_CHOSEN),
        )
        content["best"] = [f"{handle}.r{index}" for index in reading.link_indices]
    return content


def _openable(results: list[protocol.SearchResult]) -> list[tuple[protocol.SearchResult, str, str]]:
    """Return the results with an address that can be opened, each address once, with its domain."""
    by_url: dict[str, tuple[protocol.SearchResult, str, str]] = {}
    for result in results:
        if url := openable(result.url):
            by_url.setdefault(url, (result, url, grant_host(url)))
    return list(by_url.values())
