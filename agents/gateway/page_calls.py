"""Calls on the tab of an errand: fenced by the site's grant before the call, and again by the address of its answer.

Nothing else reaches a page that Penny acts on.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from agents.gateway.arguments import Nothing
from agents.gateway.browser import call_permitted
from agents.gateway.catalog import Tool
from agents.gateway.decisions import decide_for_run, recheck
from agents.gateway.permits import permit
from agents.gateway.rate_limits import act_refusal
from agents.models import Errand, Run
from agents.runs.context import Context, ToolRefused
from agents.runs.steps import record_step
from devices import protocol
from devices.db import in_db
from devices.models import Device
from devices.owner import stop
from devices.sockets import browser_calls
from devices.sockets.permits import PERMIT_SEAL, Permit
from devices.web.hosts import grant_host
from thoughts.text.covering import covers

# What asks for the grant of a site, and finds the browsers that can act.
ON_PAGES = Tool(
    protocol.ACT_ON_PAGE.name,
    "",
    Nothing,
    "browser",
    "act",
    frozenset({"planner", "task", "hands"}),
    "TOOL_DEADLINE_S",
    does="do what you asked for",
)
RELEASE_S = 15.0

A = TypeVar("A", bound=protocol.ActingArguments)
R = TypeVar("R", bound=protocol.Part)


@dataclass
class Place:
    """The tab of an errand: who has it, and the site that it may not leave."""

    errand: UUID
    device: Device
    site: str
    tab: str = ""
    url: str = ""
    with_logins: bool = False


async def permit_site(context: Context, url: str, *, is_known: bool) -> Permit:
    """Ask for the site of an address to be acted on, where there is no grant. Raises ToolRefused, Parked."""
    return await permit(context, ON_PAGES, url, is_known=is_known)


async def call_page(
    context: Context,
    place: Place,
    tool: protocol.PageCall[A, R],
    arguments: A,
    *,
    more_s: float = 0.0,
    number: int | None = None,
    controls: Mapping[str, str] | None = None,
) -> R:
    """Return what a page tool brought of the errand's site. Raises ToolRefused, also for what came from elsewhere.

    `more_s`: what it may take besides the tool's own time. `number`: of an act, whose step is stored before the call
    leaves, with the names of its `controls` by their refs.
    """

    async def check(outcome: R) -> None:
        if url := getattr(outcome, "url", None):
            await _require_here(context, place, url)

    step_of = record_step(
        context,
        kind="tool",
        zone="operator",
        name=tool.name,
        origin=frozenset({"owner", place.site}),
        request={"arguments": arguments.model_dump(mode="json")} | ({"controls": dict(controls)} if controls else {}),
        key=f"{place.errand}:{number}" if number is not None else "",
    )
    async with step_of as step:
        step.device = place.device
        if await in_db(stop.is_stopped)():
            raise ToolRefused("stopped", place.site)
        await _require_granted(context, place)
        permission = Permit(
            context.run.id,
            tool.name,
            place.device,
            tool.deadline_s + more_s,
            url=place.url,
            with_logins=place.with_logins,
            seal=PERMIT_SEAL,
        )
        if number is not None and (code := await asyncio.to_thread(act_refusal, place.site, context.numbers)):
            raise ToolRefused(code, place.site)
        try:
            result, _ = await call_permitted(permission, arguments, tool.outcome, check)
        except browser_calls.CallFailed as failed:
            raise ToolRefused(failed.code, place.site) from None
        step.result = result.model_dump(mode="json", exclude={"image"})
        return result


async def release_tab(run: Run, errand: Errand) -> None:
    """Give the tab of an errand that is over back; one that was opened for it is closed.

    That needs no grant: the owner may have taken it away meanwhile.
    """
    if errand.device is None or not errand.tab:
        return
    arguments = protocol.ManageTabArguments(errand=errand.pk, do="release", host=errand.site, session="clean")
    with suppress(browser_calls.CallFailed):  # the browser is gone, or everything is stopped
        await browser_calls.call_browser(
            Permit(run.id, protocol.MANAGE_TAB.name, errand.device, RELEASE_S, seal=PERMIT_SEAL), arguments
        )


async def _require_granted(context: Context, place: Place) -> None:
    decision = await decide_for_run(context, ON_PAGES, place.url)
    if decision.grant is None or not decision.is_allowed:
        raise ToolRefused("blocked" if decision.is_blocked else "not_granted", place.site)


async def _require_here(context: Context, place: Place, url: str) -> None:
    """Raise ToolRefused for an answer from another site than the errand's, whatever grants there are."""
    if not covers(place.site, grant_host(url)):
        raise ToolRefused("left_site", grant_host(url))
    await recheck(context, ON_PAGES, url, "left_site")
    place.url = url
