"""Ask the owner before a call: for an address, a grant or one act. Wait, or park the run."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from agents.gateway import questions
from agents.gateway.catalog import Tool
from agents.gateway.decisions import decide_for_run
from agents.models import Run
from agents.runs import day_budget, failure_texts
from agents.runs.context import Context, ParkedAtAsk, ToolRefused
from devices import redis
from devices.db import in_db, one_at_a_time
from devices.grants import asks, grants
from devices.grants.engines import known_name
from devices.models import Ask
from devices.owner import muting
from devices.web.hosts import grant_host
from devices.web.stored_text import address_to_store

LOOK_S = 2.0  # poll interval of a waiting run, in case the wake-up is lost
# What a background run that asks for a site is for, before the words that it has of the owner.
PURPOSES = {
    "watch": "for your watch on",
    "task": "for your task",
    "trial": "to try a skill on",
    "vault": "to read again what you kept of",
}
FROM_TERMINAL = "from the command line (manage.py hands)"
ADDRESS_MAX = 380  # characters; a longer address cannot be shown in full in a question


async def approve(context: Context, text: str, act: str, details: dict[str, Any] | None = None) -> None:
    """Ask the owner about one thing without a grant. Raises ToolRefused.

    `act` identifies it: a run asks once. `details`: what an act on a page would send.
    """
    ask = await in_db(asks.ask_approval)(
        context.run.id, text, act, seconds=await in_db(questions.answer_s)(context.run), details=details
    )
    if ask.state != Ask.State.ALLOWED:
        await wait_for_answer(context, ask)


async def ask_in_words(context: Context, host: str, question: str, options: list[str], act: str) -> str:
    """Ask the owner something that they answer in words, and return those. Raises ToolRefused."""
    ask = await in_db(asks.ask_approval)(
        context.run.id,
        question,
        act,
        seconds=await in_db(questions.answer_s)(context.run),
        kind=Ask.Kind.QUESTION,
        host=host,
        options=options,
    )
    if ask.state != Ask.State.ALLOWED:
        await wait_for_answer(context, ask)
    if not ask.answer.strip():
        raise ToolRefused("not_granted", host)
    return ask.answer


async def approve_address(context: Context, tool: Tool, url: str) -> None:
    """Ask whether an address may be opened that the owner did not write.

    Raises ToolRefused, Parked.

    Such an address could carry the owner's words away.
    """
    if len(url) > ADDRESS_MAX:
        raise ToolRefused("long_address", grant_host(url))
    decision = await decide_for_run(context, tool, url)
    if decision.is_blocked:
        raise ToolRefused("blocked", decision.host)
    ask = await in_db(_new_approval)(context, url)
    if ask.state != Ask.State.ALLOWED:
        await wait_for_answer(context, ask)


@transaction.atomic
def _new_approval(context: Context, url: str) -> Ask:
    """Return the ask for one address, possibly answered already. Raises ToolRefused."""
    run, is_now = context.run, True
    if run.is_background and not asks.was_approval_asked(run.id, url):
        refuse_second_question(run, grant_host(url))
        is_now = count_question(run, grant_host(url))
    question, seconds = failure_texts.approval(url, address_to_store(url)), questions.answer_s(run)
    ask = asks.ask_approval(run.id, question, url, is_background=run.is_background, seconds=seconds)
    return ask if is_now else questions.hold_question(ask, timezone.now())


class Declined(dict[str, str]):
    """The hosts of a plan that were not allowed in this run, with the error code of each."""


@in_db
@transaction.atomic
def new_ask(context: Context, tool: Tool, url: str, host: str) -> Ask | None:
    """Return the ask to wait for, or None if a grant came meanwhile. Raises ToolRefused."""
    assert tool.capability is not None
    one_at_a_time(asks.ASKS)
    if grants.decide(url, tool.capability, context.run.id).grant is not None:
        return None
    if code := context.of(Declined).get(host):
        raise ToolRefused(code, host)
    if before := asks.declined_ask(context.run.id, host):
        raise ToolRefused(refusal(before), host)
    reason, is_now = f"To {tool.does} there.", True
    if context.run.is_background:
        refuse_second_question(context.run, host)
        if not asks.is_asked(host, tool.capability):
            is_now = count_question(context.run, host)
        purpose = PURPOSES.get(context.caller, "to find something about")
        reason = f"{reason[:-1]}, {purpose} “{context.question[:120]}”."
    elif context.caller == "hands":
        reason = f"{reason[:-1]}, {FROM_TERMINAL}."
    seconds = questions.answer_s(context.run)
    ask = asks.ask_grant(
        context.run.id, host, tool.capability, reason, is_background=context.run.is_background, seconds=seconds
    )
    return ask if is_now else questions.hold_question(ask, timezone.now())


def refuse_second_question(run: Run, host: str) -> None:
    """Let scheduled thinking ask only while no other thinking waits for an answer.

    Otherwise waiting runs would pile up, and one yes would start them all. Runs that the owner started may ask. Raises
    ToolRefused.
    """
    if run.kind != Run.Kind.THINKING or run.schedule_id is None:
        return
    others = Run.objects.filter(kind=Run.Kind.THINKING, state__in=Run.OPEN).exclude(pk=run.pk)
    if asks.waiting_asks(timezone.now()).filter(run_id__in=others.values("pk")).exists():
        raise ToolRefused("asked_already", host)


def count_question(run: Run, host: str) -> bool:
    """Count a question of background work; return False if it must be held back for now.

    A search that the owner just started asks without being counted. Thinking of Penny's own may not ask at all if it
    must be held back: raises ToolRefused.
    """
    now = timezone.now()
    if questions.is_wanted(run, now):
        return True
    if questions.silent_until(now) is None:
        day_budget.count_interruption()
        return True
    if run.kind == Run.Kind.THINKING and (muting.muted_until(now) or not day_budget.may_interrupt(now)):
        raise ToolRefused("no_attention", host)
    return False


async def wait_for_answer(context: Context, ask: Ask) -> None:
    """Wait for the owner's answer; park a background run instead.

    Raises ToolRefused unless it is yes.
    """
    if ask.state == Ask.State.OPEN:
        await in_db(questions.queue_question)(context.run, ask)
    if ask.state == Ask.State.OPEN and context.run.is_background:
        raise ParkedAtAsk(ask)
    if ask.state == Ask.State.OPEN:
        about = f" about {known_name(ask.host)}" if ask.host else ""
        await context.say(f"Waiting for your answer{about}")
        await wait_until_answered(ask)
    state = await in_db(_state_after_waiting)(ask)
    if state != Ask.State.ALLOWED:
        raise ToolRefused(refusal(ask), ask.host)


def refusal(ask: Ask) -> str:
    """Return the error code for an ask without a yes. Silence is not reported as a refusal."""
    if ask.state == Ask.State.EXPIRED:
        return Run.NO_ANSWER
    return "blocked" if ask.state == Ask.State.BLOCKED and ask.kind == Ask.Kind.GRANT else "not_granted"


async def wait_until_answered(ask: Ask) -> None:
    """Wait until the ask is answered or its time is over. Several calls of a run may wait."""
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
