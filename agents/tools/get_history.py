"""Look through the owner's browsing history for one question.

The owner shares the history and is asked each run. The reader sees it; its result goes to the writer.
"""

from typing import Any

from agents.gateway.approvals import approve
from agents.gateway.arguments import GetHistory
from agents.gateway.browser import call_without_page
from agents.gateway.catalog import Tool
from agents.gateway.decisions import count_call
from agents.gateway.permits import pick_device
from agents.models import Step
from agents.pages.read import read_item
from agents.pages.sandbox_client import SandboxFailed
from agents.runs.context import Content, Context, ToolRefused
from agents.zones.inputs import Untrusted
from agents.zones.reader_answers import DOMAINS_MAX, Reading
from agents.zones.sandbox_messages import ReadingRequest
from devices import protocol
from devices.models import Device
from devices.web.hosts import HostInvalid
from devices.web.visits import bare_domain, bare_title, is_private_visit

COUNTED_AS = "history"


async def get_history(context: Context, tool: Tool, arguments: Any, step: Step) -> Content:
    """Look up visits. The planner gets their number and whether they answer the question."""
    assert isinstance(arguments, GetHistory)
    step.device = device = await pick_device(context, tool)
    await approve(context, _question(device), f"history of {device.pk}")
    await count_call(context, COUNTED_AS)
    await context.say("Looking through your browsing history")
    visits = await _visits(context, tool, device, arguments)
    content: Content = {"visits": len(visits), "days": arguments.days}
    if not visits:
        return content | {"found": False}
    reading = await _read_visits(context, visits)
    if words := _writer_text(reading):
        context.handles.hand(Untrusted(words, frozenset(visit.domain for visit in visits)))
    return content | {"found": reading.found, "claims": len(reading.claims)}


def _question(device: Device) -> str:
    return (
        f"Look through the browsing history of “{device.label}” for this? Sites and titles go to Penny’s "
        "reader, no addresses, and nothing "
        "of what you leave out."
    )


async def _visits(context: Context, tool: Tool, device: Device, arguments: GetHistory) -> list[protocol.Visit]:
    """Return the visits that the browser sent, with at most DOMAINS_MAX domains.

    Raises ToolRefused.
    """
    query = protocol.GetHistoryArguments(words=arguments.words, days=arguments.days)
    answer = await call_without_page(context, tool, device, query, protocol.Visits)
    domains = dict[str, None]()
    visits = list[protocol.Visit]()
    for visit in map(_bare, answer.visits):
        is_telling = not visit.title or is_private_visit(visit.domain, visit.title)
        if not is_telling and (visit.domain in domains or len(domains) < DOMAINS_MAX):
            domains[visit.domain] = None
            visits.append(visit)
    return visits


def _bare(visit: protocol.Visit) -> protocol.Visit:
    """Return a visit with its domain and title only. Raises ToolRefused.

    One visit with more than that refuses the whole answer.
    """
    try:
        return protocol.Visit(
            domain=bare_domain(visit.domain), title=bare_title(visit.title), visited_at=visit.visited_at
        )
    except HostInvalid:
        raise ToolRefused("bad_result") from None


async def _read_visits(context: Context, visits: list[protocol.Visit]) -> Reading:
    lines = [f"{visit.visited_at:%Y-%m-%d} {visit.domain}: {visit.title}" for visit in visits]
    first, *others = dict.fromkeys(visit.domain for visit in visits)
    request = ReadingRequest(
        title="Pages that were visited", text="\n".join(lines), domain=first, others=others, question=context.question
    )
    try:
        return await read_item(context, request, use_model=context.use_model)
    except SandboxFailed as failed:
        raise ToolRefused(failed.code) from None


def _writer_text(reading: Reading) -> str:
    lines = [f"- {claim.text}" for claim in reading.claims]
    return "\n".join(filter(None, ["From the browsing history:", reading.headline, reading.summary, *lines]))
