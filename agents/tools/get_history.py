"""The owner's browsing history, looked up for one question: shared, asked about, read in the sandbox, told to the
writer alone.
"""

from typing import Any

from agents.gateway.approvals import approve
from agents.gateway.arguments import GetHistory
from agents.gateway.catalog import Tool
from agents.gateway.decisions import count
from agents.gateway.permits import pick_device
from agents.models import Step
from agents.pages.read import read
from agents.pages.sandbox_client import SandboxFailed
from agents.runs.context import Content, Context, ToolRefused
from agents.zones.inputs import Untrusted
from agents.zones.reader_answers import DOMAINS_MAX, Reading
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.models import Device
from devices.sockets import browser_calls
from devices.web.hosts import HostInvalid
from devices.web.visits import bare_domain, bare_title

COUNTED_AS = "history"


async def get_history(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look up visits. The planner learns how many there were, and whether they answer the question; not which."""
    assert isinstance(arguments, GetHistory)
    step.device = device = await pick_device(context, tool)
    await approve(context, _question(device), f"history of {device.pk}")
    await count(context, COUNTED_AS)
    await context.say("Looking through your browsing history")
    found = await _visits(context, tool, device, arguments)
    content: Content = {"visits": len(found), "days": arguments.days}
    if not found:
        return content | {"found": False}
    reading = await _read(context, found)
    if words := _words(reading):
        context.handles.hand(Untrusted(words, frozenset(visit.domain for visit in found)))
    return content | {"found": reading.found, "claims": len(reading.claims)}


def _question(device: Device) -> str:
    return (
        f"Look through the browsing history of “{device.label}” for this? Sites and titles go to Penny’s "
        "reader, no addresses, and nothing "
        "of what you leave out."
    )


async def _visits(context: Context, tool: Tool, device: Device, arguments: GetHistory) -> list[protocol.Visit]:
    """Return what the browser says, as far as it says no more than it may. Raises ToolRefused."""
    wanted = protocol.GetHistoryArguments(words=arguments.words, days=arguments.days)
    try:
        found = await browser_calls.call(
            device, context.run.id, tool.name, wanted, float(context.numbers[tool.deadline])
        )
    except browser_calls.CallFailed as failed:
        raise ToolRefused(failed.code) from None
    if not isinstance(found, protocol.Visits):
        raise ToolRefused("bad_result")
    domains = dict[str, None]()
    kept = list[protocol.Visit]()
    for visit in map(_bare, found.visits):
        if visit.title and (visit.domain in domains or len(domains) < DOMAINS_MAX):
            domains[visit.domain] = None
            kept.append(visit)
    return kept


def _bare(visit: protocol.Visit) -> protocol.Visit:
    """Return a visit with its domain and its title alone. One that says more refuses them all: so would the others.
    Raises ToolRefused.
    """
    try:
        return protocol.Visit(
            domain=bare_domain(visit.domain), title=bare_title(visit.title), visited_at=visit.visited_at
        )
    except HostInvalid:
        raise ToolRefused("bad_result") from None


async def _read(context: Context, visits: list[protocol.Visit]) -> Reading:
    lines = [f"{visit.visited_at:%Y-%m-%d} {visit.domain}: {visit.title}" for visit in visits]
    first, *others = dict.fromkeys(visit.domain for visit in visits)
    request = ReadingRequest(
        title="Pages that were visited", text="\n".join(lines), domain=first, others=others, question=context.question
    )
    try:
        return await read(context, request, use_model=context.use_model)
    except SandboxFailed as failed:
        raise ToolRefused(failed.code) from None


def _words(reading: Reading) -> str:
    """Return for the writer what the reader found."""
    lines = [f"- {claim.text}" for claim in reading.claims]
    return "\n".join(filter(None, ["From the browsing history:", reading.headline, reading.summary, *lines]))
