"""Open an address for a tool: resolve it, check it, call the browser, check the result."""

import asyncio
from dataclasses import dataclass
from typing import TypeVar

from agents.gateway.catalog import Tool
from agents.gateway.decisions import recheck
from agents.gateway.other_browser import call_one_of
from agents.gateway.permits import permit
from agents.models import Step
from agents.runs.context import Context, ToolRefused
from agents.runs.handles import HandleUnknown
from devices import protocol
from devices.db import in_db
from devices.grants import grants
from devices.models import Grant
from devices.sockets import browser_calls
from devices.sockets.permits import Permit
from devices.web.acting_addresses import acts
from devices.web.hosts import HostInvalid, clean_url, grant_host, normalise_host

R = TypeVar(
    "R", bound=protocol.Page | protocol.PageMetadata | protocol.PageLinks | protocol.SearchResults | protocol.Videos
)


async def open_page(context: Context, tool: Tool, address: str, step: Step, kind: type[R], doing: str = "Reading") -> R:
    """Open an address or a handle; return the tool's result of it. Raises ToolRefused, Parked."""
    permission = await permit_address(context, tool, address)
    step.device = permission.device
    await context.say(f"{doing} {grant_host(permission.url)}")
    try:
        return await fetch_result(context, tool, permission, kind)
    finally:
        await spend(context)


async def permit_address(context: Context, tool: Tool, address: str) -> Permit:
    """Check a call on an address or a handle. Raises ToolRefused, Parked.

    A page or a search chose what stands behind a handle: addresses that act are not opened, and other sites than those
    that the owner asked for are opened without logins.
    """
    url, is_known = resolve(context, address)
    refuse_act(context, address, url)
    is_asked_for = context.handles.is_asked_for(address)
    return await permit(context, tool, url, is_known=is_known, is_asked_for=is_asked_for)


def refuse_act(context: Context, address: str, url: str) -> None:
    """Raise ToolRefused for a handle of an address that does something when it is opened."""
    if address in context.handles.urls and acts(url):
        raise ToolRefused("acting_address", grant_host(url))


async def spend(context: Context) -> None:
    """Use up grants with the scope `once`, whatever the call returned."""
    await asyncio.shield(in_db(grants.spend)(context.run.id))


@dataclass
class Trial:
    """The selectors to try on one page, and that page, which is neither stored nor read."""

    selectors: list[protocol.Selector]
    page: protocol.Page | None = None


@dataclass
class Opening:
    """How a run opens pages, where that differs from a turn. `is_for_list`: for their list of posts or links."""

    is_for_list: bool = False
    trial: Trial | None = None


def resolve(context: Context, text: str) -> tuple[str, bool]:
    """Return the URL of an address or handle, and whether it is known. Raises ToolRefused."""
    try:
        return context.handles.resolve(text)
    except HandleUnknown:
        raise ToolRefused("unknown_handle") from None
    except HostInvalid:
        raise ToolRefused("bad_url") from None


async def fetch_result(
    context: Context, tool: Tool, permission: Permit, kind: type[R], selectors: list[protocol.Selector] | None = None
) -> R:
    """Return the result of the call. A redirect to a host without a grant becomes an ask.

    After a yes the call is made once more.
    """
    arguments = protocol.BrowseUrlArguments(
        url=permission.url,
        session="owner" if permission.with_logins else "clean",
        selectors=selectors,
        scrolls=context.of(Opening).is_for_list or None,
        keeps=context.caller == "vault" or None,
    )
    try:
        return await call_browser(context, tool, permission, arguments, kind)
    except ToolRefused as refused:
        if refused.code != "redirect_not_granted" or not refused.host:
            raise
        await permit(context, tool, f"https://{refused.host}/")
        return await call_browser(context, tool, permission, arguments, kind)


async def call_browser(
    context: Context,
    tool: Tool,
    permission: Permit,
    arguments: protocol.BrowseUrlArguments | protocol.SearchWebArguments,
    kind: type[R],
) -> R:
    """Return the browser's result, if its type and address are allowed. Raises ToolRefused.

    What a redirect reached with logins, and may be read without only, is dropped and read again without.
    """

    async def check(result: R) -> Grant | None:
        return await recheck(context, tool, result.url, "redirect_not_granted") if result.url else None

    try:
        result, grant = await call_one_of(context, tool, permission, arguments, kind, check)
    except browser_calls.CallFailed as failed:
        raise ToolRefused(failed.code, _host_of(failed)) from None
    if grant and grant.session == Grant.Session.CLEAN and arguments.session != "clean":
        clean = arguments.model_copy(update={"session": "clean"})
        return await call_browser(context, tool, permission, clean, kind)
    return result


def openable(url: str) -> str:
    """Return the normal form of an address that can be opened, or ""."""
    try:
        return clean_url(url)
    except HostInvalid:
        return ""


def _host_of(failed: browser_calls.CallFailed) -> str:
    """Return the host of a redirect from the error's detail, or "" if no grant may name it."""
    if failed.code != "redirect_not_granted":
        return ""
    try:
        return normalise_host(failed.detail)
    except HostInvalid:
        return ""


def template_address(template: str) -> str:
    """Return an address of the search engine, to look up grants with."""
    return template.replace("{query}", "x")
