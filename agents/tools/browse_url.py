"""Open a page and have it read.

Other tools read pages through `have_read` and `read_or_refuse`.
"""

from typing import Any

from agents.gateway.arguments import BrowseUrl
from agents.gateway.catalog import Tool
from agents.gateway.open_page import Opening, fetch_result, permit_address, spend
from agents.gateway.permits import Permit
from agents.models import SkillVersion, Step
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.pages.store import facts_of, link_addresses, store_page
from agents.runs.context import Content, Context, ToolRefused
from agents.runs.failure_texts import NOTICES
from agents.runs.met import Met
from agents.skills import active
from agents.zones.reader_answers import Reading
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.db import in_db
from devices.web.address import Address
from devices.web.hosts import grant_host
from thoughts.models import Page

LINKS_CHOSEN = 3


async def browse_url(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Open a page and have it read.

    The planner gets a handle, the domain, whether the question is answered, and counts.
    """
    assert isinstance(arguments, BrowseUrl)
    permission = await permit_address(context, tool, arguments.url)
    url = permission.url
    step.device = permission.device
    await context.say(f"Reading {grant_host(url)}")
    skill = await skill_for(context, url)
    try:
        page = await fetch_result(context, tool, permission, protocol.Page, _selectors(context, skill, permission))
        _refuse_notice(context, page, url)
        if trial := context.of(Opening).trial:
            trial.page = page
            return {"domain": grant_host(page.url), "characters": len(page.text)}
        skill = await skill_for(context, page.url)  # a redirect may have led to another page
    finally:
        await spend(context)
    row, domain = await store_page(page, permission.device.label)
    if context.run.message is not None and context.run.message.is_temporary:
        await in_db(context.run.message.sources.add)(row)  # so that it is deleted with the question
    handle = context.handles.add_page(row, page.url, domain, link_addresses(page))
    if context.caller == "watch":  # a visit compares the page first, and has it read only if necessary
        context.handles.facts[handle] = facts_of(page)
        return {"handle": handle, "domain": domain, "characters": len(row.text), "links": len(row.links)}
    return await have_read(context, handle, row, domain, skill)


def _refuse_notice(context: Context, page: protocol.Page, url: str) -> None:
    """Keep for the owner what stood in the way. Raise ToolRefused if the page shows nothing else."""
    if page.notice is None:
        return
    code, site = NOTICES[page.notice.kind], grant_host(page.url)
    context.of(Met).notices[site] = (code, Address.parse(url).stored)
    if not page.text.strip():
        raise ToolRefused(code, site)


async def skill_for(context: Context, url: str) -> SkillVersion | None:
    """Return the active skill for a page.

    Visits of a watch use none, so that a changed skill does not look like a changed page.
    """
    return (
        None if context.caller in ("watch", "trial", "vault") else await in_db(active.active_for)(url, context.run.id)
    )


def _selectors(context: Context, skill: SkillVersion | None, permission: Permit) -> list[protocol.Selector] | None:
    if trial := context.of(Opening).trial:
        return trial.selectors or None
    if skill is None or not skill.selectors or protocol.RUNS_SELECTORS not in permission.device.tools:
        return None
    return [protocol.Selector(**selector) for selector in skill.selectors]


async def read_or_refuse(context: Context, request: ReadingRequest) -> Reading:
    try:
        return await read_item(context, request, use_model=context.use_model)
    except SandboxFailed as failed:
        raise ToolRefused(failed.code, request.domain) from None


async def have_read(
    context: Context, handle: str, page: Page, domain: str, skill: SkillVersion | None, *, with_links: bool = False
) -> Content:
    """Have a page read for the question; return what the planner may see of it.

    The best links are chosen if the page does not answer, or with `with_links`.
    """
    request = ReadingRequest(
        title=page.title,
        text=page.text,
        domain=domain,
        question=context.question,
        candidates=_asks_candidates(context),
        skill=skill.instructions if skill else "",
        skill_name=str(skill or ""),
    )
    reading = await read_or_refuse(context, request)
    context.handles.add_reading(handle, domain, reading)
    content: Content = {"handle": handle, "domain": domain, "found": reading.found, "claims": len(reading.claims)}
    content |= {"characters": len(page.text), "truncated": page.truncated, "links": len(page.links)}
    if page.links and (with_links or not reading.found):
        content["best_links"] = await _choose_links(context, handle, page, domain)
    return content


def _asks_candidates(context: Context) -> bool:
    """Whether to ask for related likes too: only in thinking, where no one waits."""
    return context.caller == "thinking" and context.use_model and bool(context.numbers["CANDIDATES"])


async def _choose_links(context: Context, handle: str, page: Page, domain: str) -> list[str]:
    entries = "\n".join(f"{number}. {link['text']}" for number, link in enumerate(page.links[:100], 1))
    reading = await read_or_refuse(
        context, ReadingRequest(title="", text=entries, domain=domain, question=context.question, choose=LINKS_CHOSEN)
    )
    return [f"{handle}.l{index}" for index in reading.link_indices]
