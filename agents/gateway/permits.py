"""May this run use this tool on this URL, on which device, until when: grants, asks, rates, deadlines."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from agents.gateway import questions
from agents.gateway.catalog import Caller, Tool
from agents.gateway.rate_limits import rate_refusal
from agents.models import Run, Step
from agents.runs import day_budget, failure_texts
from agents.runs.budget import Budget
from agents.runs.day_budget import DayBudget
from agents.runs.handles import Handles
from agents.zones.inputs import SkillText
from devices import protocol, redis
from devices.db import in_db, one_at_a_time
from devices.grants import asks, grants
from devices.models import Ask, Device, Grant, idlest
from devices.owner import muted_sites, muting
from devices.web.hosts import HostInvalid, grant_host, normalise_host
from devices.web.stored_text import address_to_store

Content = dict[str, Any]
LOOK_S = 2.0  # how often a run that waits looks whether the wake-up was lost
ADDRESS_MAX = 380  # characters; a longer one could not be shown in full where it is asked about


class ToolRefused(Exception):
    """A call that was not made, or made in vain. `code` is all that a planner learns of it; `host` is for the owner."""

    def __init__(self, code: str, host: str = "") -> None:
        super().__init__(code)
        self.code, self.host = code, host


class Parked(Exception):
    """A background run has to wait for the owner's answer; it gives its slot back until then."""

    code = "waiting"

    def __init__(self, ask: Ask) -> None:
        super().__init__(ask.text)
        self.ask = ask


async def _quiet(_: str) -> None:
    """What is done in the background is shown on the run's own page, not in the conversation."""


def _nothing_waits() -> None:
    """A background run holds nobody up while it starts."""


@dataclass
class Trial:
    """Selectors that the owner wants to see at work on one page, and the page once it was looked at. It is neither stored nor read."""

    selectors: list[protocol.Selector]
    page: protocol.Page | None = None


@dataclass
class Context:
    """One run as its tools see it. `say` shows the owner what is being done; `numbers` are the settings as they were at its start.

    `started` is called when the first request of the run is about to be sent, and may be called again.
    """

    run: Run
    caller: Caller
    handles: Handles
    question: str
    use_model: bool
    numbers: dict[str, Any]
    say: Callable[[str], Awaitable[None]] = _quiet
    started: Callable[[], None] = _nothing_waits
    budget: Budget = field(init=False)
    skills: list[SkillText] = field(default_factory=list)  # that the planner may ask for, or has asked for
    trial: Trial | None = None
    declined: dict[str, str] = field(default_factory=dict)  # hosts of a plan that the owner did not allow, and the code of why not
    acts: Counter[str] = field(default_factory=Counter)  # how often this attempt has made each call that acts
    last: Step | None = None  # that is over and not written: what is written next takes it along

    def __post_init__(self) -> None:
        self.budget = Budget.of(self.run, self.caller, self.numbers)
        if self.run.is_background:
            self.budget.day = DayBudget.of(self.run, self.numbers)

    @property
    def zone(self) -> str:
        """The zone that calls are recorded under: a task is planned like a turn."""
        return "planner" if self.caller == "task" else self.caller

    @property
    def is_temporary(self) -> bool:
        return self.run.message is not None and self.run.message.is_temporary


@dataclass(frozen=True)
class Permit:
    """A call that passed the checks: where it goes, by which grant, on which device, until when."""

    url: str
    grant: Grant
    device: Device
    deadline_s: float


async def permit(context: Context, tool: Tool, url: str, *, is_known: bool = True) -> Permit:
    """Check one call on one URL, asking the owner where needed. Raises ToolRefused, Parked."""
    assert tool.capability is not None
    device = await pick_device(context, tool)
    if not is_known:
        await _approve(context, tool, url)
    grant = await _granted(context, tool, url)
    await count(context, grant_host(url))
    return Permit(url, grant, device, float(context.numbers[tool.deadline]))


async def pick_device(context: Context, tool: Tool) -> Device:
    """Pick the one that asked, else the one last used; in the background one that is always on and idle. Raises ToolRefused."""
    capable = await in_db(Device.objects.capable)(tool.name)
    if not capable:
        raise ToolRefused("no_browser")
    if context.trial is not None:
        capable = [device for device in capable if protocol.RUNS_SELECTORS in device.tools]
        if not capable:
            raise ToolRefused("no_selectors")
    if context.run.is_background:
        return idlest(capable, timedelta(seconds=context.numbers["IDLE_S"]), timezone.now())
    asking = context.run.message.device_id if context.run.message else None
    return next((device for device in capable if device.id == asking), capable[0])


async def recheck(context: Context, tool: Tool, url: str, code: str) -> Grant:
    """Return the grant of an address that a browser tells of, where it is or was: what is not allowed is not asked about.

    Raises ToolRefused, with that code where there is no grant.
    """
    decision = await _decide(context, tool, url)
    if decision.grant is None or not decision.is_allowed:
        raise ToolRefused(code, decision.host)
    return decision.grant


async def permit_tab(context: Context, tool: Tool, url: str) -> str:
    """Check the page in front of the owner, count the call there, and return its host. Raises ToolRefused."""
    grant = await recheck(context, tool, url, "not_granted")
    host = grant_host(url)
    await count(context, host)
    await in_db(grants.mark_used)(grant)
    return host


async def _decide(context: Context, tool: Tool, url: str) -> grants.Decision:
    """Return what the grants say of an address for this run. Thinking keeps away from muted sites first of all. Raises ToolRefused."""
    assert tool.capability is not None
    try:
        if context.caller == "thinking" and await in_db(muted_sites.is_muted)(url):
            raise ToolRefused("muted_site", grant_host(url))
        return await in_db(grants.decide)(url, tool.capability, context.run.id)
    except HostInvalid:
        raise ToolRefused("bad_url") from None


async def approve(context: Context, text: str, act: str) -> None:
    """Ask the owner about one thing that no grant covers, by `act`; a run asks once. Raises ToolRefused."""
    ask = await in_db(asks.ask_approval)(context.run.id, text, act, seconds=await in_db(questions.answer_s)(context.run))
    if ask.state != Ask.State.ALLOWED:
        await _ask(context, ask)


async def _approve(context: Context, tool: Tool, url: str) -> None:
    """Ask whether an address may be opened that the owner did not write: it could carry words of theirs. Raises ToolRefused, Parked."""
    if len(url) > ADDRESS_MAX:
        raise ToolRefused("long_address", grant_host(url))
    decision = await _decide(context, tool, url)
    if decision.is_blocked:
        raise ToolRefused("blocked", decision.host)
    ask = await in_db(_new_approval)(context, url)
    if ask.state != Ask.State.ALLOWED:
        await _ask(context, ask)


@transaction.atomic
def _new_approval(context: Context, url: str) -> Ask:
    """Return the question about one address, which may be answered already. Raises ToolRefused."""
    run, is_now = context.run, True
    if run.is_background and not asks.was_approval_asked(run.id, url):
        check_asked(run, grant_host(url))
        is_now = check_attention(run, grant_host(url))
    shown, seconds = failure_texts.approval(url, address_to_store(url)), questions.answer_s(run)
    ask = asks.ask_approval(run.id, shown, url, is_background=run.is_background, seconds=seconds)
    return ask if is_now else questions.held(ask, timezone.now())


async def count(context: Context, host: str) -> None:
    """Count a call on a host; one that is too much is said to the owner. Raises ToolRefused."""
    if too_much := await asyncio.to_thread(rate_refusal, host, context.numbers):
        await context.say(failure_texts.tool_failure(too_much, host))
        raise ToolRefused(too_much, host)


async def _granted(context: Context, tool: Tool, url: str) -> Grant:
    """Return the grant for an address, asking the owner where there is none. Raises ToolRefused, Parked."""
    decision = await _decide(context, tool, url)
    if decision.grant is None:
        if ask := await _new_ask(context, tool, url, _grantable(decision.host)):
            await _ask(context, ask)
        decision = await _decide(context, tool, url)
        await grants.tell()
    if decision.is_blocked:
        raise ToolRefused("blocked", decision.host)
    if decision.grant is None:
        raise ToolRefused("not_granted", decision.host)
    await in_db(grants.mark_used)(decision.grant)
    return decision.grant


def _grantable(host: str) -> str:
    """Return a host that a grant may name. Raises ToolRefused."""
    try:
        return normalise_host(host)
    except HostInvalid:
        raise ToolRefused("bad_url") from None


@in_db
@transaction.atomic
def _new_ask(context: Context, tool: Tool, url: str, host: str) -> Ask | None:
    """Return the question to wait for, or None where it was answered this moment and there is nothing left to ask. Raises ToolRefused."""
    assert tool.capability is not None
    one_at_a_time(asks.ASKS)
    if grants.decide(url, tool.capability, context.run.id).grant is not None:
        return None
    if host in context.declined:
        raise ToolRefused(context.declined[host], host)
    if before := asks.declined(context.run.id, host):
        raise ToolRefused(refusal(before), host)
    reason, is_now = f"To {tool.does} there.", True
    if context.run.is_background:
        check_asked(context.run, host)
        if not asks.is_asked(host, tool.capability):
            is_now = check_attention(context.run, host)
        purpose = {"watch": "for your watch on", "task": "for your task", "trial": "to try a skill on"}.get(
            context.caller, "to find something about"
        )
        reason = f"{reason[:-1]}, {purpose} “{context.question[:120]}”."
    seconds = questions.answer_s(context.run)
    ask = asks.ask_grant(context.run.id, host, tool.capability, reason, is_background=context.run.is_background, seconds=seconds)
    return ask if is_now else questions.held(ask, timezone.now())


def check_asked(run: Run, host: str) -> None:
    """Let thinking that began by itself ask only where no other thinking waits: else a run more waits each time, and a yes wakes them all.

    What the owner started asks all the same. Raises ToolRefused.
    """
    if run.kind != Run.Kind.THINKING or run.schedule_id is None:
        return
    others = Run.objects.filter(kind=Run.Kind.THINKING, state__in=Run.OPEN).exclude(pk=run.pk)
    if asks.waiting(timezone.now()).filter(run_id__in=others.values("pk")).exists():
        raise ToolRefused("asked_already", host)


def check_attention(run: Run, host: str) -> bool:
    """Count a question of background work, which the owner has only so much patience for; False where it has to wait until they are asked.

    What they set themselves waits. Raises ToolRefused where Penny thinks for herself.
    """
    now = timezone.now()
    if questions.silent_until(now) is None:
        day_budget.count_interruption()
        return True
    if run.kind == Run.Kind.THINKING and (muting.muted_until(now) or not day_budget.may_interrupt(now)):
        raise ToolRefused("no_attention", host)
    return False


async def _ask(context: Context, ask: Ask) -> None:
    """Wait for the owner's answer. Raises ToolRefused unless it is yes; a background run is parked instead of waiting."""
    if ask.state == Ask.State.OPEN:
        await in_db(questions.tell)(context.run, ask)
    if ask.state == Ask.State.OPEN and context.run.is_background:
        raise Parked(ask)
    if ask.state == Ask.State.OPEN:
        await context.say(f"Waiting for your answer about {ask.host}" if ask.host else "Waiting for your answer")
        await answered(ask)
    state = await in_db(_state_after_waiting)(ask)
    if state != Ask.State.ALLOWED:
        raise ToolRefused(refusal(ask), ask.host)


def refusal(ask: Ask) -> str:
    """Return the code of a call that needed another answer than its question got. Silence is not called a refusal of the owner's."""
    if ask.state == Ask.State.EXPIRED:
        return "no_answer"
    return "blocked" if ask.state == Ask.State.BLOCKED and ask.kind == Ask.Kind.GRANT else "not_granted"


async def answered(ask: Ask) -> None:
    """Return when the question is over or its time is. Other calls of the run may wait for the same answer."""
    while (left_s := (ask.prompt_until - timezone.now()).total_seconds()) > 0:
        if await redis.wait_with_others(asks.answer_key(ask.id), min(left_s, LOOK_S)) or not await in_db(asks.is_open)(ask):
            return


def _state_after_waiting(ask: Ask) -> str:
    ask.refresh_from_db()
    if ask.state == Ask.State.OPEN:
        asks.expire(ask)
    return ask.state
