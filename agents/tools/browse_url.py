"""What the browser tools do once the gateway let them: fetch through a device, store, read in the sandbox, answer with handles."""

from collections.abc import Awaitable, Callable
from typing import Any

from agents.answers import handed_over
from agents.gateway.catalog import (
    BROWSE_URL,
    GET_CURRENT_TAB,
    GET_HISTORY,
    HAND_OVER,
    READ_AGAIN,
    READ_LINKS,
    READ_METADATA,
    REMEMBER,
    SCREENSHOT_PAGE,
    SEARCH_WEB,
    SEARCH_YOUTUBE,
    USE_SKILL,
    WATCH,
    BrowseUrl,
    HandOver,
    ReadAgain,
    Remember,
    SearchWeb,
    Tool,
    UseSkill,
    WatchPage,
)
from agents.gateway.open_page import fetched, openable, resolve, spend
from agents.gateway.permits import Content, Context, Permit, ToolRefused, permit, permit_tab, pick_device
from agents.memory import remember as memory_remember
from agents.models import Memory, Run, SkillVersion, Step
from agents.pages.pictures import encode_picture
from agents.pages.read import read
from agents.pages.sandbox_client import SandboxFailed
from agents.pages.store import facts_of, link_addresses, new_page
from agents.skills import active
from agents.tools.get_history import get_history
from agents.tools.read_metadata import read_links, read_metadata
from agents.tools.screenshot_page import screenshot_page
from agents.tools.search_web import search_engines
from agents.tools.search_youtube import search_youtube
from agents.watches import wish
from agents.zones.inputs import Untrusted
from agents.zones.reader_answers import Reading, ReadingRequest
from devices import protocol
from devices.db import in_db
from devices.models import Message
from devices.sockets import browser_calls
from devices.web.hosts import HostInvalid, clean_url, grant_host
from thoughts.models import Page
from thoughts.text.cleaning import clean_line

LINKS_CHOSEN = 3
RESULTS_CHOSEN = 5
PAGES_AGAIN = 4


async def browse_url(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Open a page and have it read. The planner learns a handle, the domain, whether the question is answered, and counts."""
    assert isinstance(arguments, BrowseUrl)
    url, is_known = resolve(context, arguments.url)
    allowed = await permit(context, tool, url, is_known=is_known)
    step.device = allowed.device
    await context.say(f"Reading {grant_host(url)}")
    skill = await _skill_for(context, url)
    try:
        page = await fetched(context, tool, allowed, protocol.Page, _selectors(context, skill, allowed))
        if context.trial is not None:
            context.trial.page = page
            return {"domain": grant_host(page.url), "characters": len(page.text)}
        skill = await _skill_for(context, page.url)  # the page may be another one than was asked for
    finally:
        await spend(context)
    stored, domain = await store_page(page, allowed.device.label)
    if context.run.message is not None and context.run.message.is_temporary:
        await in_db(context.run.message.sources.add)(stored)  # it goes with the question
    handle = context.handles.add_page(stored, page.url, domain, link_addresses(page))
    if context.caller == "watch":  # whether it has to be read at all shows when it is compared with the last visit
        context.handles.facts[handle] = facts_of(page)
        return {"handle": handle, "domain": domain, "characters": len(stored.text), "links": len(stored.links)}
    return await _have_read(context, handle, stored, domain, skill)


async def search_web(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Search with the owner's engine. The planner learns handles and domains; which are worth opening is chosen in the sandbox."""
    assert isinstance(arguments, SearchWeb)
    found, engine = await search_engines(context, tool, arguments.query, step)
    results = _openable(found.results)
    said = [clean_line(f"{result.title} — {result.snippet}") for result, _, _ in results]
    handle = context.handles.add_search([(url, domain, words) for (_, url, domain), words in zip(results, said, strict=True)])
    content: Content = {"handle": handle, "count": len(results)}
    content["results"] = [{"handle": f"{handle}.r{number}", "domain": domain} for number, (_, _, domain) in enumerate(results, 1)]
    if results:
        listed = "\n".join(f"{number}. {words}" for number, words in enumerate(said, 1))
        chosen = await _read(context, ReadingRequest(title="", text=listed, domain=engine, question=arguments.query, choose=RESULTS_CHOSEN))
        content["best"] = [f"{handle}.r{index}" for index in chosen.link_indices]
    return content


async def get_current_tab(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look where the owner is. The planner learns a handle and the domain, if the owner allowed it."""
    step.device = await pick_device(context, tool)
    deadline_s = float(context.numbers[tool.deadline])
    try:
        found = await browser_calls.call(step.device, context.run.id, tool.name, protocol.GetCurrentTabArguments(), deadline_s)
    except browser_calls.CallFailed as failed:
        raise ToolRefused(failed.code) from None
    if not isinstance(found, protocol.CurrentTab):
        raise ToolRefused("bad_result")
    domain = await permit_tab(context, tool, found.url)
    return {"handle": context.handles.add_place(clean_url(found.url), domain), "domain": domain}


async def hand_over(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Give the writer an earlier answer or a thought, which the planner itself may not see."""
    assert isinstance(arguments, HandOver)
    item = await in_db(_item)(context, arguments.handle)
    if item is None:
        raise ToolRefused("unknown_handle")
    context.handles.hand(item)
    return {"handle": arguments.handle, "characters": len(item.text)}


async def read_again(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Have a page that the owner shared earlier, or those of a thought, read for the question of now. They are the stored pages: nothing
    is opened.

    From then on their links have handles as those of a page that was browsed.
    """
    assert isinstance(arguments, ReadAgain)
    if arguments.handle.startswith("t"):
        pages = await in_db(_pages_of)(context, arguments.handle)
        return {"pages": [await _read_stored(context, page, with_links=True) for page in pages]}
    page = await in_db(_page_behind)(context, arguments.handle)
    if page is None:
        raise ToolRefused("no_page")
    return await _read_stored(context, page)


async def watch_page(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Watch a page from now on. It acts inside Penny only: each visit needs a grant for its site, as everything that is opened."""
    assert isinstance(arguments, WatchPage)
    url, is_known = resolve(context, arguments.page)
    if not is_known:
        raise ToolRefused("unknown_address", grant_host(url))
    try:
        came_of = await in_db(wish.came_of)(context.run.message)
        watch, is_new = await in_db(wish.store)(url, arguments, came_of)
    except wish.WishRefused as refused:
        raise ToolRefused(refused.code) from None
    content: Content = {"domain": watch.domain, "is_new": is_new, "every_minutes": watch.every_minutes}
    if watch.below is not None:
        content |= {"below": float(watch.below)} | ({"currency": watch.currency} if watch.currency else {})
    return content


async def use_skill(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Give the planner a skill's instructions, which the owner approved, for the rest of the run."""
    assert isinstance(arguments, UseSkill)
    skill = await in_db(active.loaded)(arguments.name, context.run.id)
    if skill is None or skill.instructions is None:
        raise ToolRefused("unknown_skill")
    context.skills = [skill if offered.name == skill.name else offered for offered in context.skills]
    return {"characters": len(skill.instructions.text)}


async def remember(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Keep what the owner asked to remember: a planner knows no other words than theirs."""
    assert isinstance(arguments, Remember)
    try:
        _, is_new = await in_db(memory_remember.remember)(arguments.text, Memory.Source.CHAT)
    except memory_remember.NotRemembered as refused:
        raise ToolRefused(refused.code) from None
    return {"is_new": is_new}


RUNNERS: dict[str, Callable[[Context, Tool, Any, Step], Awaitable[Content]]] = {
    BROWSE_URL.name: browse_url,
    SEARCH_WEB.name: search_web,
    SEARCH_YOUTUBE.name: search_youtube,
    READ_METADATA.name: read_metadata,
    READ_LINKS.name: read_links,
    GET_CURRENT_TAB.name: get_current_tab,
    GET_HISTORY.name: get_history,
    SCREENSHOT_PAGE.name: screenshot_page,
    HAND_OVER.name: hand_over,
    READ_AGAIN.name: read_again,
    WATCH.name: watch_page,
    USE_SKILL.name: use_skill,
    REMEMBER.name: remember,
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


def _item(context: Context, handle: str) -> Untrusted | None:
    assert context.run.message is not None
    if handle.startswith("a") and context.run.message.is_temporary:
        return context.handles.earlier.get(handle)
    if handle.startswith("a"):
        return handed_over.answer(context.run.message.owner_id, int(handle[1:]))
    key = context.handles.thoughts.get(handle)
    return handed_over.thought(key) if key else None


def _page_behind(context: Context, handle: str) -> Page | None:
    """Return the page that was shared for an earlier answer. Of a temporary one nothing is left."""
    assert context.run.message is not None
    if context.run.message.is_temporary:
        return None
    answers = Message.objects.filter(owner=context.run.message.owner_id, seq=int(handle[1:]), direction=Message.Direction.OUT)
    run = Run.objects.filter(message__in=answers.values("parent")).select_related("page").first()
    return run.page if run else None


def _pages_of(context: Context, handle: str) -> list[Page]:
    """Return the pages that a thought of the conversation came from. Raises ToolRefused where there are none any more."""
    key = context.handles.thoughts.get(handle)
    if key is None:
        raise ToolRefused("unknown_handle")
    found = list(Page.objects.filter(thoughts=key).order_by("pk")[:PAGES_AGAIN])
    if not found:
        raise ToolRefused("no_page")
    return found


async def _skill_for(context: Context, url: str) -> SkillVersion | None:
    """Return the skill that is active for a page. Visits of a watch have none: what they compare stays the same when a skill changes."""
    return None if context.caller in ("watch", "trial") else await in_db(active.active_for)(url, context.run.id)


def _selectors(context: Context, skill: SkillVersion | None, allowed: Permit) -> list[protocol.Selector] | None:
    """Return what the browser shall look for on a page besides its text, if it can."""
    if context.trial is not None:
        return context.trial.selectors
    if skill is None or not skill.selectors or protocol.RUNS_SELECTORS not in allowed.device.tools:
        return None
    return [protocol.Selector(**each) for each in skill.selectors]


async def _read(context: Context, request: ReadingRequest) -> Reading:
    try:
        return await read(context, request, use_model=context.use_model)
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, request.domain) from None


async def _read_stored(context: Context, page: Page, *, with_links: bool = False) -> Content:
    await context.say(f"Reading {page.domain} again")
    handle = context.handles.add_page(page, page.url, page.domain)
    return await _have_read(context, handle, page, page.domain, await _skill_for(context, page.url), with_links=with_links)


async def _have_read(
    context: Context, handle: str, page: Page, domain: str, skill: SkillVersion | None, *, with_links: bool = False
) -> Content:
    """Have a page read for the question, by an active skill if there is one, and return what the planner may learn of it.

    Which links are the best is asked where nothing was found, and where what is wanted is more than the page says.
    """
    asked = ReadingRequest(
        title=page.title,
        text=page.text,
        domain=domain,
        question=context.question,
        candidates=_asks_candidates(context),
        skill=skill.instructions if skill else "",
        skill_name=str(skill or ""),
    )
    reading = await _read(context, asked)
    context.handles.add_reading(handle, domain, reading)
    content: Content = {"handle": handle, "domain": domain, "found": reading.found, "claims": len(reading.claims)}
    content |= {"characters": len(page.text), "truncated": page.truncated, "links": len(page.links)}
    if page.links and (with_links or not reading.found):
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
        if url := openable(result.url):
            found.setdefault(url, (result, url, grant_host(url)))
    return list(found.values())
