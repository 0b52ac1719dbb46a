"""Ask one question for a step that needs several sites: one yes allows all in this run."""

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from agents.gateway import approvals, questions
from agents.gateway.arguments import BrowseUrl, BrowseUrls
from agents.gateway.catalog import BROWSE_URL, BROWSE_URLS
from agents.llm.messages import ToolRequest
from agents.runs import context as runs_context
from agents.runs import failure_texts
from agents.runs.context import Context, ParkedAtAsk
from agents.runs.handles import HandleUnknown
from devices.db import in_db
from devices.grants import asks, grants
from devices.models import Ask, Device, Grant
from devices.web.hosts import HostInvalid, normalise_host

SEVERAL = 2
NAMED, NAMED_CHARACTERS = 8, 300  # the most hosts in one question, with room for its purpose


async def approve_sites(context: Context, requests: tuple[ToolRequest, ...]) -> None:
    """Ask once about the sites that a step's calls need and that have no grant. Raises Parked.

    After a yes they may be read in this run. After any other answer each call is refused, and none of them asks again
    in this run.
    """
    hosts = await in_db(_hosts_to_ask)(context, requests)
    try:
        ask = await in_db(_new_ask)(context, hosts)
    except runs_context.ToolRefused:  # no more questions today: each call reports that by itself
        return
    if ask is None:
        return
    if ask.state == Ask.State.OPEN:
        await in_db(questions.queue_question)(context.run, ask)
        if context.run.is_background:
            raise ParkedAtAsk(ask)
        await context.say("Waiting for your answer")
        await approvals.wait_until_answered(ask)
    await in_db(_apply_answer)(context, ask, hosts, requests)


def _hosts_to_ask(context: Context, requests: tuple[ToolRequest, ...]) -> list[str]:
    """Return the hosts for one question; further ones are asked about one by one."""
    hosts, length = list[str](), 0
    for host in _hosts_without_grant(context, requests)[:NAMED]:
        length += len(f"{host}, ")
        if length > NAMED_CHARACTERS:
            break
        hosts.append(host)
    return hosts


@transaction.atomic
def _new_ask(context: Context, hosts: list[str]) -> Ask | None:
    """Return the ask, possibly answered already; None if there are not several sites."""
    if len(hosts) < SEVERAL or not Device.objects.capable(BROWSE_URL.name):
        return None
    run, act, is_now = context.run, _act_name(hosts), True
    if run.is_background and not asks.was_approval_asked(run.id, act):
        is_now = approvals.count_question(run, hosts[0])
    about = "" if run.message else context.question
    text, seconds = failure_texts.plan(hosts, about), questions.answer_s(run)
    ask = asks.ask_approval(run.id, text, act, is_background=run.is_background, seconds=seconds, hosts=hosts)
    return ask if is_now else questions.hold_question(ask, timezone.now())


def _hosts_without_grant(context: Context, requests: tuple[ToolRequest, ...]) -> list[str]:
    hosts = {host for request in requests for address in _addresses(request) if (host := _host(context, address))}
    return sorted(hosts - context.of(approvals.Declined).keys())


def _addresses(request: ToolRequest) -> list[str]:
    try:
        if request.tool == BROWSE_URLS.name:
            return BrowseUrls.model_validate_json(request.arguments).urls
        return [BrowseUrl.model_validate_json(request.arguments).url] if request.tool == BROWSE_URL.name else []
    except ValidationError:
        return []


def _host(context: Context, address: str) -> str:
    """Return the host of an address that needs a grant.

    An unknown address is asked about by itself.
    """
    try:
        url, is_known = context.handles.resolve(address)
        decision = grants.decide(url, "read", context.run.id)
        return normalise_host(decision.host) if is_known and decision.grant is None else ""
    except (HandleUnknown, HostInvalid):
        return ""


def _act_name(hosts: list[str]) -> str:
    return "read " + " ".join(hosts)


@transaction.atomic
def _apply_answer(context: Context, ask: Ask, host_names: list[str], requests: tuple[ToolRequest, ...]) -> None:
    ask.refresh_from_db()
    if ask.state == Ask.State.OPEN:
        asks.expire(ask)
    hosts = [host for host in _hosts_without_grant(context, requests) if host in host_names]
    if ask.state != Ask.State.ALLOWED:
        context.of(approvals.Declined).update(dict.fromkeys(hosts, approvals.refusal(ask)))
        return
    session = Grant.Session.CLEAN if context.run.is_background else Grant.Session.OWNER
    for host in hosts:
        grants.set_grant(host, "read", Grant.State.ALLOWED, Grant.Scope.RUN, session, run_id=context.run.id)
