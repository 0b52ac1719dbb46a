"""Opening an address for a tool: what it stands for, whether that is allowed, and what the browser brought of it."""

import asyncio
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from agents.gateway.catalog import Tool
from agents.gateway.decisions import recheck
from agents.gateway.other_browser import call_one_of
from agents.gateway.permits import Permit, permit
from agents.models import Step
from agents.runs.context import Context, ToolRefused
from agents.runs.handles import HandleUnknown
from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.sockets import browser_calls
from devices.web.hosts import HostInvalid, clean_url, grant_host, normalise_host

R = TypeVar(
    "R", bound=protocol.Page | protocol.PageMetadata | protocol.PageLinks | protocol.SearchResults | protocol.Videos
)


@dataclass(frozen=True)
class Opened(Generic[R]):
    """What a browser brought. `allowed` is what let it: the device, the grant, the address that was asked for."""

    result: R
    allowed: Permit


async def opened(
    context: Context, tool: Tool, address: str, step: Step, kind: type[R], doing: str = "Reading"
) -> Opened[R]:
    """Open what the owner or a handle names, and return what the tool makes of it. Raises ToolRefused, Parked."""
    url, is_known = resolve(context, address)
    allowed = await permit(context, tool, url, is_known=is_known)
    step.device = allowed.device
    await context.say(f"{doing} {grant_host(url)}")
    try:
        return Opened(await fetched(context, tool, allowed, kind), allowed)
    finally:
        await spend(context)


async def spend(context: Context) -> None:
    """A grant for once is over, whatever became of the call."""
    await asyncio.shield(in_db(grants.spend)(context.run.id))


def resolve(context: Context, text: str) -> tuple[str, bool]:
    """Return the URL that an address or a handle means, and whether the owner knows it. Raises ToolRefused."""
    try:
        return context.handles.resolve(text)
    except HandleUnknown:
        raise ToolRefused("unknown_handle") from None
    except HostInvalid:
        raise ToolRefused("bad_url") from None


async def fetched(
    context: Context, tool: Tool, allowed: Permit, kind: type[R], selectors: list[protocol.Selector] | None = None
) -> R:
    """Return what is there. A redirect to a host that is not granted becomes an ask, and after a yes one more try."""
    session = "clean" if allowed.grant.session == "clean" else "owner"
    arguments = protocol.BrowseUrlArguments.model_validate(
        {"url": allowed.url, "session": session, "selectors": selectors}
    )
    try:
        return await called(context, tool, allowed, arguments, kind)
    except ToolRefused as refused:
        if refused.code != "redirect_not_granted" or not refused.host:
            raise
        await permit(context, tool, f"https://{refused.host}/")
        return await called(context, tool, allowed, arguments, kind)


async def called(context: Context, tool: Tool, allowed: Permit, arguments: protocol.ToolArguments, kind: type[R]) -> R:
    """Return what the browser answered, if it is of that kind and from where it may be. Raises ToolRefused."""
    try:
        result: Any = await call_one_of(context, tool, allowed, arguments)
    except browser_calls.CallFailed as failed:
        raise ToolRefused(failed.code, _host_of(failed)) from None
    if not isinstance(result, kind):
        raise ToolRefused("bad_result")
    if result.url is not None:
        await recheck(context, tool, result.url, "redirect_not_granted")
    return result


def openable(url: str) -> str:
    """Return an address that can be opened, in its normal form; nothing for any other."""
    try:
        return clean_url(url)
    except HostInvalid:
        return ""


def _host_of(failed: browser_calls.CallFailed) -> str:
    """Return the host that a redirect led to, which the browser names in the detail: a host that a grant may name, or
    nothing.
    """
    if failed.code != "redirect_not_granted":
        return ""
    try:
        return normalise_host(failed.detail)
    except HostInvalid:
        return ""


def address_of(template: str) -> str:
    """Return an address of the engine, by which grants are looked up."""
    return template.replace("{query}", "x")
