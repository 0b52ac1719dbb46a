"""What the browser tools do once the gateway let them: fetch through a device, store, read in the sandbox, answer with handles."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from agents import handed, wished
from agents.handles import HandleUnknown
from agents.models import Run, Step
from agents.moving import call_one_of
from agents.pages import facts_of, link_addresses, new_page
from agents.permits import Content, Context, Permit, ToolRefused, permit, permit_tab, pick_device, recheck
from agents.pictures import encode_picture
from agents.reading import read
from agents.readings import Reading, ReadingRequest
from agents.sandbox_client import SandboxFailed
from agents.tools import (
    BROWSE_URL,
    GET_CURRENT_TAB,
    HAND_OVER,
    READ_AGAIN,
    SEARCH_WEB,
    WATCH,
    BrowseUrl,
    HandOver,
    ReadAgain,
    SearchWeb,
    Tool,
    WatchPage,
)
from agents.zones import Untrusted
from devices import calls, grants, protocol
from devices.db import in_db
from devices.hosts import HostInvalid, clean_url, grant_host, normalise_host
from devices.models import Message
from thoughts.cleaning import clean_line
from thoughts.models import Page

LINKS_CHOSEN = 3
RESULTS_CHOSEN = 5


async def browse_url(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Open a page and have it read. The planner learns a handle, the domain, whether the question is answered, and counts."""
    assert isinstance(arguments, BrowseUrl)
    url, is_known = _resolve(context, arguments.url)
    allowed = await permit(context, tool, url, is_known=is_known)
    step.device = allowed.device
    await context.say(f"Reading {grant_host(url)}")
    try:
        page = await _fetch(context, tool, allowed)
    finally:
        await asyncio.shield(in_db(grants.spend)(context.run.id))
    stored, domain = await store_page(page, allowed.device.label)
    handle = context.handles.add_page(stored, page.url, domain, link_addresses(page))
    if context.caller == "watch":  # whether it has to be read at all shows when it is compared with the last visit
        context.handles.facts[handle] = facts_of(page)
        return {"handle": handle, "domain": domain, "characters": len(stored.text), "links": len(stored.links)}
    return await _have_read(context, handle, stored, domain)


async def search_web(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Search with the owner's engine. The planner learns handles and domains; which are worth opening is chosen in the sandbox."""
    assert isinstance(arguments, SearchWeb)
    template = str(context.numbers["SEARCH_TEMPLATE"])
    try:
        engine = grant_host(template.replace("{query}", "x"))
    except HostInvalid:
        raise ToolRefused("bad_search_template") from None
    allowed = await permit(context, tool, template.replace("{query}", "x"))
    step.device = allowed.device
    await context.say(f"Searching on {engine}")
    query = protocol.SearchWebArguments(query=arguments.query, template=template)
    try:
        found = await _call(context, tool, allowed, query)
    finally:
        await asyncio.shield(in_db(grants.spend)(context.run.id))
    results = _openable(found.results)
    handle = context.handles.add_search([(url, domain) for _, url, domain in results])
    content: Content = {"handle": handle, "count": len(results)}
    content["results"] = [{"handle": f"{handle}.r{number}", "domain": domain} for number, (_, _, domain) in enumerate(results, 1)]
    if results:
        listed = "\n".join(
            f"{number}. {clean_line(f'{result.title} — {result.snippet}')}" for number, (result, _, _) in enumerate(results, 1)
        )
        chosen = await _read(context, ReadingRequest(title="", text=listed, domain=engine, question=arguments.query, choose=RESULTS_CHOSEN))
        content["best"] = [f"{handle}.r{index}" for index in chosen.link_indices]
    return content


async def get_current_tab(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look where the owner is. The planner learns a handle and the domain, if the owner allowed it."""
    step.device = await pick_device(context, tool)
    deadline_s = float(context.numbers[tool.deadline])
    try:
        found = await calls.call(step.device, context.run.id, tool.name, protocol.GetCurrentTabArguments(), deadline_s)
    except calls.CallFailed as failed:
        raise ToolRefused(failed.code) from None
    if not isinstance(found, protocol.CurrentTab):
        raise ToolRefused("bad_result")
    domain = await permit_tab(context, tool, found.url)
    return {"handle": context.handles.add_tab(clean_url(found.url), domain), "domain": domain}


async def hand_over(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Give the writer an earlier answer or a thought, which the planner itself may not see."""
    assert isinstance(arguments, HandOver)
    item = await in_db(_item)(context, arguments.handle)
    if item is None:
        raise ToolRefused("unknown_handle")
    context.handles.hand(item)
    return {"handle": arguments.handle, "characters": len(item.text)}


async def read_again(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Have a page that the owner shared earlier read for the question of now. It is the stored page: nothing is opened.

    From then on its links have handles as those of a page that was browsed.
    """
    assert isinstance(arguments, ReadAgain)
    page = await in_db(_page_behind)(context, arguments.handle)
    if page is None:
        raise ToolRefused("no_page")
    await context.say(f"Reading {page.domain} again")
    return await _have_read(context, context.handles.add_page(page, page.url, page.domain), page, page.domain)


async def watch_page(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Watch a page from now on. It acts inside Penny only: each visit needs a grant for its site, as everything that is opened."""
    assert isinstance(arguments, WatchPage)
    url, is_known = _resolve(context, arguments.page)
    if not is_known:
        raise ToolRefused("unknown_address", grant_host(url))
    try:
        watch, is_new = await in_db(wished.store)(url, arguments)
    except wished.WishRefused as refused:
        raise ToolRefused(refused.code) from None
    content: Content = {"domain": watch.domain, "is_new": is_new, "every_minutes": watch.every_minutes}
    if watch.below is not None:
        content |= {"below": float(watch.below)} | ({"currency": watch.currency} if watch.currency else {})
    return content


RUNNERS: dict[str, Callable[[Context, Tool, Any, Step], Awaitable[Content]]] = {
    BROWSE_URL.name: browse_url,
    SEARCH_WEB.name: search_web,
    GET_CURRENT_TAB.name: get_current_tab,
    HAND_OVER.name: hand_over,
    READ_AGAIN.name: read_again,
    WATCH.name: watch_page,
}


async def store_page(page: protocol.Page, device_label: str) -> tuple[Page, str]:
    """Store what was extracted, with its label. Raises ToolRefused for an address that Penny does not open."""
    try:
        row = new_page(page, device_label)
    except HostInvalid:
        raise ToolRefused("bad_url") from None
    row.picture = await encode_picture(page.image) if page.image else None
    await row.asave()
    return row, row.domain


def _resolve(context: Context, text: str) -> tuple[str, bool]:
    try:
        return context.handles.resolve(text)
    except HandleUnknown:
        raise ToolRefused("unknown_handle") from None
    except HostInvalid:
        raise ToolRefused("bad_url") from None


def _item(context: Context, handle: str) -> Untrusted | None:
    assert context.run.message is not None
    if handle.startswith("a"):
        return handed.answer(context.run.message.owner_id, int(handle[1:]))
    key = context.handles.thoughts.get(handle)
    return handed.thought(key) if key else None


def _page_behind(context: Context, handle: str) -> Page | None:
    """Return the page that was shared for an earlier answer."""
    assert context.run.message is not None
    answers = Message.objects.filter(owner=context.run.message.owner_id, seq=int(handle[1:]), direction=Message.Direction.OUT)
    run = Run.objects.filter(message__in=answers.values("parent")).select_related("page").first()
    return run.page if run else None


async def _fetch(context: Context, tool: Tool, allowed: Permit) -> protocol.Page:
    """Return the page. A redirect to a host that is not granted becomes an ask, and after a yes one more try."""
    session = "clean" if allowed.grant.session == "clean" else "owner"
    arguments = protocol.BrowseUrlArguments.model_validate({"url": allowed.url, "session": session})
    try:
        page: protocol.Page = await _call(context, tool, allowed, arguments)
    except ToolRefused as refused:
        if refused.code != "redirect_not_granted" or not refused.host:
            raise
        await permit(context, tool, f"https://{refused.host}/")
        page = await _call(context, tool, allowed, arguments)
    return page


async def _call(context: Context, tool: Tool, allowed: Permit, arguments: protocol.BrowseUrlArguments | protocol.SearchWebArguments) -> Any:
    try:
        result = await call_one_of(context, tool, allowed, arguments)
        if not isinstance(result, protocol.Page if isinstance(arguments, protocol.BrowseUrlArguments) else protocol.SearchResults):
            raise ToolRefused("bad_result")
        if result.url is not None:
            await recheck(context, tool, result.url, "redirect_not_granted")
        return result
    except calls.CallFailed as failed:
        raise ToolRefused(failed.code, _host_of(failed)) from None


async def _read(context: Context, request: ReadingRequest) -> Reading:
    try:
        return await read(context, request, use_model=context.use_model)
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, request.domain) from None


async def _have_read(context: Context, handle: str, page: Page, domain: str) -> Content:
    """Have a page read for the question, and return what the planner may learn of it."""
    asked = ReadingRequest(title=page.title, text=page.text, domain=domain, question=context.question, candidates=_asks_candidates(context))
    reading = await _read(context, asked)
    context.handles.add_reading(handle, domain, reading)
    content: Content = {"handle": handle, "domain": domain, "found": reading.found, "claims": len(reading.claims)}
    content |= {"characters": len(page.text), "truncated": page.truncated, "links": len(page.links)}
    if not reading.found and page.links:
        content["best_links"] = await _choose_links(context, handle, page, domain)
    return content


def _asks_candidates(context: Context) -> bool:
    """Whether a page is also read for what else the owner may like: in thinking alone, where nobody waits for it."""
    return context.caller == "thinking" and context.use_model and bool(context.numbers["CANDIDATES"])


async def _choose_links(context: Context, handle: str, page: Page, domain: str) -> list[str]:
    entries = "\n".join(f"{number}. {link['text']}" for number, link in enumerate(page.links[:100], 1))
    chosen = await _read(context, ReadingRequest(title="", text=entries, domain=domain, question=context.question, choose=LINKS_CHOSEN))
    return [f"{handle}.l{index}" for index in chosen.link_indices]


def _openable(results: list[protocol.SearchResult]) -> list[tuple[protocol.SearchResult, str, str]]:
    """Return the results whose addresses can be opened, each address once, with its domain."""
    found: dict[str, tuple[protocol.SearchResult, str, str]] = {}
    for result in results:
        if url := _cleaned(result.url):
            found.setdefault(url, (result, url, grant_host(url)))
    return list(found.values())


def _cleaned(url: str) -> str:
    try:
        return clean_url(url)
    except HostInvalid:
        return ""


def _host_of(failed: calls.CallFailed) -> str:
    """Return the host that a redirect led to, which the browser names in the detail: a host that a grant may name, or nothing."""
    if failed.code != "redirect_not_granted":
        return ""
    try:
        return normalise_host(failed.detail)
    except HostInvalid:
        return ""
