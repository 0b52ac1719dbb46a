from django.db import transaction
from django.utils import timezone

from agents.gateway import questions
from agents.gateway.catalog import Tool
from agents.gateway.decisions import decide
from agents.models import Run
from agents.runs import day_budget, failure_texts
from agents.runs.context import Context, Parked, ToolRefused
from devices import redis
from devices.db import in_db, one_at_a_time
from devices.grants import asks, grants
from devices.models import Ask
from devices.owner import muting
from devices.web.hosts import grant_host
from devices.web.stored_text import address_to_store

LOOK_S = 2.0  # how often a run that waits looks whether the wake-up was lost


ADDRESS_MAX = 380  # characters; a longer one could not be shown in full where it is asked about


async def approve(context: Context, text: str, act: str) -> None:
    """Ask the owner about one thing that no grant covers, by `act`; a run asks once. Raises ToolRefused."""
    ask = await in_db(asks.ask_approval)(
        context.run.id, text, act, seconds=await in_db(questions.answer_s)(context.run)
    )
    if ask.state != Ask.State.ALLOWED:
        await wait_for_answer(context, ask)


async def approve_address(context: Context, tool: Tool, url: str) -> None:
    """Ask whether an address may be opened that the owner did not write: it could carry words of theirs. Raises
    ToolRefused, Parked.
    """
    if len(url) > ADDRESS_MAX:
        raise ToolRefused("long_address", grant_host(url))
    decision = await decide(context, tool, url)
    if decision.is_blocked:
        raise ToolRefused("blocked", decision.host)
    ask = await in_db(_new_approval)(context, url)
    if ask.state != Ask.State.ALLOWED:
        await wait_for_answer(context, ask)


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


@in_db
@transaction.atomic
def new_ask(context: Context, tool: Tool, url: str, host: str) -> Ask | None:
    """Return the question to wait for, or None where it was answered this moment and there is nothing left to ask.
    Raises ToolRefused.
    """
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
    ask = asks.ask_grant(
        context.run.id, host, tool.capability, reason, is_background=context.run.is_background, seconds=seconds
    )
    return ask if is_now else questions.held(ask, timezone.now())


def check_asked(run: Run, host: str) -> None:
    """Let thinking that began by itself ask only where no other thinking waits: else a run more waits each time, and a
    yes wakes them all.

    What the owner started asks all the same. Raises ToolRefused.
    """
    if run.kind != Run.Kind.THINKING or run.schedule_id is None:
        return
    others = Run.objects.filter(kind=Run.Kind.THINKING, state__in=Run.OPEN).exclude(pk=run.pk)
    if asks.waiting(timezone.now()).filter(run_id__in=others.values("pk")).exists():
        raise ToolRefused("asked_already", host)


def check_attention(run: Run, host: str) -> bool:
    """Count a question of background work, which the owner has only so much patience for; False where it has to wait
    until they are asked.

    What they set themselves waits. Raises ToolRefused where Penny thinks for herself.
    """
    now = timezone.now()
    if questions.silent_until(now) is None:
        day_budget.count_interruption()
        return True
    if run.kind == Run.Kind.THINKING and (muting.muted_until(now) or not day_budget.may_interrupt(now)):
        raise ToolRefused("no_attention", host)
    return False


async def wait_for_answer(context: Context, ask: Ask) -> None:
    """Wait for the owner's answer. Raises ToolRefused unless it is yes; a background run is parked instead of
    waiting.
    """
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
    """Return the code of a call that needed another answer than its question got. Silence is not called a refusal of
    the owner's.
    """
    if ask.state == Ask.State.EXPIRED:
        return "no_answer"
    return "blocked" if ask.state == Ask.State.BLOCKED and ask.kind == Ask.Kind.GRANT else "not_granted"


async def answered(ask: Ask) -> None:
    """Return when the question is over or its time is. Other calls of the run may wait for the same answer."""
    while (left_s := (ask.prompt_until - timezone.now()).total_seconds()) > 0:
        if await redis.wait_with_others(asks.answer_key(ask.id), min(left_s, LOOK_S)) or not await in_db(asks.is_open)(
            ask
        ):
            return


def _state_after_waiting(ask: Ask) -> str:
    ask.refresh_from_db()
    if ask.state == Ask.State.OPEN:
        asks.expire(ask)
    return ask.state
