"""One question for a step that needs several sites: all of them are shown together, and one yes is for all of them, for
this run.
"""

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from agents.gateway import approvals, questions
from agents.gateway.arguments import BrowseUrl, BrowseUrls
from agents.gateway.catalog import BROWSE_URL, BROWSE_URLS
from agents.llm.messages import ToolRequest
from agents.runs import context as runs_context
from agents.runs import failure_texts
from agents.runs.context import Context, Parked
from agents.runs.handles import HandleUnknown
from devices.db import in_db
from devices.grants import asks, grants
from devices.models import Ask, Device, Grant
from devices.web.hosts import HostInvalid, normalise_host

SEVERAL = 3
NAMED, NAMED_CHARACTERS = 8, 300  # of a question that says all of them, and what it is for


async def approve(context: Context, requests: tuple[ToolRequest, ...]) -> None:
    """Ask once about the sites that the calls of a step need and that nothing was said of. Raises Parked.

    After a yes they may be read in this run. After anything else each call is refused by itself, and none of them asks
    again in this run.
    """
    hosts = await in_db(_named)(context, requests)
    try:
        ask = await in_db(_new_ask)(context, hosts)
    except runs_context.ToolRefused:  # the owner has been asked enough today: each call says so by itself
        return
    if ask is None:
        return
    if ask.state == Ask.State.OPEN:
        await in_db(questions.tell)(context.run, ask)
        if context.run.is_background:
            raise Parked(ask)
        await context.say("Waiting for your answer")
        await approvals.answered(ask)
    await in_db(_take)(context, ask, hosts, requests)


def _named(context: Context, requests: tuple[ToolRequest, ...]) -> list[str]:
    """Return the hosts that one question names, in full: what is too much for it is asked about by itself."""
    hosts, length = list[str](), 0
    for host in _needed(context, requests)[:NAMED]:
        length += len(f"{host}, ")
        if length > NAMED_CHARACTERS:
            break
        hosts.append(host)
    return hosts


@transaction.atomic
def _new_ask(context: Context, hosts: list[str]) -> Ask | None:
    """Return the question, which may be answered already; None where there are not several sites to ask about."""
    if len(hosts) < SEVERAL or not Device.objects.capable(BROWSE_URL.name):
        return None
    run, act, is_now = context.run, _act(hosts), True
    if run.is_background and not asks.was_approval_asked(run.id, act):
        is_now = approvals.check_attention(run, hosts[0])
    about = "" if run.message else context.question
    text, seconds = failure_texts.plan(hosts, about), questions.answer_s(run)
    ask = asks.ask_approval(run.id, text, act, is_background=run.is_background, seconds=seconds)
    return ask if is_now else questions.held(ask, timezone.now())


def _needed(context: Context, requests: tuple[ToolRequest, ...]) -> list[str]:
    """Return the hosts of pages that calls would open and that no grant covers nor blocks, each once."""
    found = {host for request in requests for address in _addresses(request) if (host := _host(context, address))}
    return sorted(found - context.declined.keys())


def _addresses(request: ToolRequest) -> list[str]:
    """Return what a call would open."""
    try:
        if request.tool == BROWSE_URLS.name:
            return BrowseUrls.model_validate_json(request.arguments).urls
        return [BrowseUrl.model_validate_json(request.arguments).url] if request.tool == BROWSE_URL.name else []
    except ValidationError:
        return []


def _host(context: Context, address: str) -> str:
    """Return the host of an address that has to be asked about. One that nobody knows has a question of its own."""
    try:
        url, is_known = context.handles.resolve(address)
        decision = grants.decide(url, "read", context.run.id)
        return normalise_host(decision.host) if is_known and decision.grant is None else ""
    except (HandleUnknown, HostInvalid):
        return ""


def _act(hosts: list[str]) -> str:
    return "read " + " ".join(hosts)


@transaction.atomic
def _take(context: Context, ask: Ask, named: list[str], requests: tuple[ToolRequest, ...]) -> None:
    """Do what the answer says, of the sites that were named: meanwhile something else may have been said of some of
    them.
    """
    ask.refresh_from_db()
    if ask.state == Ask.State.OPEN:
        asks.expire(ask)
    hosts = [host for host in _needed(context, requests) if host in named]
    if ask.state != Ask.State.ALLOWED:
        context.declined |= dict.fromkeys(hosts, approvals.refusal(ask))
        return
    session = Grant.Session.CLEAN if context.run.is_background else Grant.Session.OWNER
    for host in hosts:
        grants.set_grant(host, "read", Grant.State.ALLOWED, Grant.Scope.RUN, session, run_id=context.run.id)
