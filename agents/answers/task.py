"""Carry out a task: a sentence of the owner, answered in the background like a turn."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone

from agents.answers import answer, begin
from agents.answers.cited_pages import store_citations
from agents.answers.reply import Reply
from agents.llm.messages import ModelFailed
from agents.models import Run
from agents.runs import day_budget
from agents.runs.budget_spent import BudgetSpent
from agents.runs.day_budget import DaySpent
from agents.runs.stream import SilentStream
from devices.channels import routing
from devices.conversation import messages
from devices.conversation.messages import Content
from devices.db import in_db
from devices.models import Delivery, Message
from devices.owner import clock
from devices.owner.account import the_owner
from devices.web.links import link_to
from thoughts.rendering import escape_markdown
from thoughts.text.labels import HOUSE

SAME = "The same as last time, so nothing was said."


async def carry_out(run: Run) -> None:
    """Answer a task and store the answer as a message. Raises Parked, also while the model is busy.

    If background work has used up the day's budget, the task waits for the next day.
    """
    try:
        turn = await in_db(_begin_task)(run)
        reply = await answer.answer_turn(turn, SilentStream(run))
        await in_db(_store_answer)(run, reply)
    except DaySpent as spent:
        await in_db(_wait_for_next_day)(run, spent)
    except BudgetSpent as spent:
        await in_db(_end_failed)(run, spent.code, str(spent))
    except ModelFailed as error:
        await in_db(_end_failed)(run, error.code, str(error), is_passing=error.busy is not None)


def _begin_task(run: Run) -> begin.Turn:
    if paused := day_budget.why_paused(timezone.now()):
        raise paused
    return begin.begin_task(run)


def _store_answer(run: Run, reply: Reply) -> None:
    """End the run and store its answer, unless it repeats the answer of the run before."""
    words = messages.render_content(f"{_heading(run)}\n\n{reply.text}", reply.links)
    with transaction.atomic():
        reason = reply.stop_reason
        is_news = _last_answer(run) != words.text.replace(str(run.turn_id), "")
        outcome = str(reason) if reason else "Answered in the conversation." if is_news else SAME
        if not run.end(Run.State.DONE, outcome=outcome, error_code=reason.code if reason else ""):
            return
        if is_news:
            message = _store_message(run, words, Message.Kind.CHAT, reply.origin, is_extractive=reply.is_extractive)
            store_citations(run, message, reply)
        Run.objects.filter(pk=run.pk).update(is_extractive=reply.is_extractive)


def _end_failed(run: Run, code: str, why: str, *, is_passing: bool = False) -> None:
    """End the run as failed. Only the first failure after a success is sent to the owner.

    `is_passing`: the same may work later, so the message leads to where it can be tried again.
    """
    reply = Reply(_heading(run), [], []).with_failure(code, why)
    if is_passing:
        page = link_to("run", run.pk)
        reply = replace(reply, text=f"{reply.text} · [Try again]({page})", links=[*reply.links, page])
    words = messages.render_content(reply.text, reply.links)
    before = (
        Run.objects.filter(schedule=run.schedule_id, kind=Run.Kind.TASK)
        .exclude(pk=run.pk)
        .exclude(state__in=Run.OPEN)
        .first()
    )
    with transaction.atomic():
        if not run.end(Run.State.FAILED, outcome=why, error_code=code):
            return
        if run.schedule_id is None or before is None or before.state != Run.State.FAILED:
            _store_message(run, words, Message.Kind.FAILURE, sorted(HOUSE))


def _wait_for_next_day(run: Run, spent: DaySpent) -> None:
    """Requeue the run for the next day. The second time it fails: a whole day was not enough."""
    if run.error_code == spent.code:
        _end_failed(run, spent.code, str(spent))
        return
    now, until = timezone.now(), spent.until
    if run.schedule is None or not run.schedule.in_quiet_hours:
        until = clock.quiet_until(until) or until
    mine = Run.objects.filter(pk=run.pk, state=Run.State.RUNNING, attempt=run.attempt)
    mine.update(
        state=Run.State.QUEUED,
        lease_until=None,
        not_before=until,
        spent_seconds=run.seconds_spent_until(now),
        outcome=str(spent),
        error_code=spent.code,
        updated_at=now,
    )


def _heading(run: Run) -> str:
    """Return the task as a quotation, since the owner did not ask just now."""
    return "> " + escape_markdown(" ".join(run.task.split()))


def _last_answer(run: Run) -> str | None:
    """Return the answer of the run before, without the turn id in its evidence links."""
    runs = Run.objects.filter(schedule=run.schedule_id, schedule__isnull=False, kind=Run.Kind.TASK).exclude(answer=None)
    last = runs.values_list("answer__text", "turn_id").first()
    return last[0].replace(str(last[1]), "") if last else None


def _store_message(run: Run, words: Content, kind: str, origin: list[str], *, is_extractive: bool = False) -> Message:
    message = messages.store_message(
        the_owner(),
        words,
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=kind,
        turn_id=run.turn_id,
        origin=origin,
        is_extractive=is_extractive,
    )
    Run.objects.filter(pk=run.pk).update(answer=message)
    day_budget.count_interruption()
    routing.send_proactive(
        message, "You scheduled this task.", despite=run.schedule.despite if run.schedule else Delivery.Despite.NOTHING
    )
    return message
