"""Commands for running work: /stop, /resume, /cancel and /new."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from agents.commands import cancel as commands_cancel
from agents.commands import proposals
from agents.commands.registry import Answer, Command, Order, Understood, register
from agents.models import Run
from agents.runs import stop as runs_stop
from devices.models import Message
from devices.owner import clock
from devices.owner import stop as owner_stop

GO_ON = "Write “go on”, and I go on."


def stop(order: Order) -> Answer:
    already = owner_stop.active_stop()
    count = runs_stop.stop_all(order.device.label, order.now, order.run.pk)
    if already and not count:
        return Answer(
            f"Everything is stopped already ({clock.at_time_in_words(already.stopped_at, order.now)}). {GO_ON}"
        )
    return Answer(f"Stopped. {_ended_text(count)} My tabs are closed, and I open and call nothing more. {GO_ON}")


def propose_stop(order: Order) -> Answer:
    would = "I would stop everything: cancel every run, close my tabs, and call nothing more until you write “go on”."
    return proposals.read_back(would, "stop", {})


def _stop_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    return stop(order)


def resume(order: Order) -> Answer:
    if not owner_stop.resume_everything(order.now):
        return Answer("Nothing was stopped.")
    return Answer(
        "I go on. What is due starts by itself; what was stopped does not come back: ask again for what you still want."
    )


def cancel(order: Order) -> Answer:
    """Cancel turns, or all runs, or read back the schedule or watch that would be deleted."""
    how = order.words.lower()
    return _cancel(order, in_all=how == "all") if how in ("", "all") else commands_cancel.propose_deletion(order)


def propose_cancel(order: Order) -> Answer:
    how = order.words.lower()
    if how not in ("", "all"):
        return commands_cancel.propose_deletion(order)
    runs = _others(order.run.pk, in_all=how == "all").filter(state__in=Run.OPEN).count()
    if not runs:
        return Answer("Nothing else is running.")
    what = "runs, those in the background too" if how else "answers that are being made"
    return proposals.read_back(
        f"I would cancel what else is under way: {what} ({runs}).", "cancel", {"in_all": bool(how)}
    )


def _cancel_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    return _cancel(order, in_all=arguments["in_all"])


def _cancel(order: Order, *, in_all: bool) -> Answer:
    if count := runs_stop.end_runs(_others(order.run.pk, in_all=in_all), order.now):
        return Answer(_ended_text(count))
    background = _others(order.run.pk, in_all=True).filter(state__in=Run.OPEN).count()
    return Answer(
        "No answer is being "
        f"made.{f' {background} in the background: `/cancel all` ends that too.' if background else ''}"
    )


def _others(own: UUID, *, in_all: bool) -> QuerySet[Run]:
    others = Run.objects.exclude(pk=own)
    return others if in_all else others.filter(kind=Run.Kind.TURN)


def new(order: Order) -> Answer:
    return Answer("A new subject. What was said before is kept, and I take none of it into account from here on.")


def refuse_while_stopped(now: datetime) -> Understood | None:
    stop = owner_stop.active_stop()
    if stop is None:
        return None
    since = f"{clock.at_time_in_words(stop.stopped_at, now)}, from {stop.place}"
    words = f"Everything is stopped ({since}). I do nothing with this. Write “go on”, then send this again."
    answer = Answer(words, kind=Message.Kind.FAILURE)
    return Understood(lambda order: answer, "", Message.Kind.CHAT)


def _ended_text(count: int) -> str:
    return f"{count} run{' was' if count == 1 else 's were'} cancelled." if count else "Nothing was running."


proposals.ACTS["stop"] = _stop_as_proposed
proposals.ACTS["cancel"] = _cancel_as_proposed
register(
    Command(
        "stop",
        "",
        "Stop everything: cancel every run, close my tabs, call nothing more until /resume.",
        stop,
        planner_calls=("propose stop",),
        phrases=("stop everything", "stop all", "stop it all", "stop everything now", "stopp alles", "alles stoppen"),
    ),
    Command(
        "resume",
        "",
        "Let everything go on after /stop.",
        resume,
        # Phrases, since no planner runs while everything is stopped. "Continue" is none of them: programs send it by
        # themselves.
        phrases=("resume", "resume everything", "go on", "go on now", "you may go on", "carry on", "mach weiter"),
        counts=owner_stop.is_stopped,
    ),
    Command(
        "cancel",
        "[all | NAME]",
        "Cancel the answers that are being made; with all also what runs in the background; with a name what "
        "is scheduled or watched.",
        cancel,
        ("all", "call the dentist"),
        planner_calls=("propose cancel",),
        phrases=("cancel", "cancel that", "stop", "stop that", "stopp"),
    ),
    Command(
        "new",
        "",
        "Begin a new subject: what was said before is no longer taken into account.",
        new,
        keeps=True,
        # No tool does this: the history ends at this message, never in the middle of an answer.
        phrases=("new subject", "new topic", "new conversation", "new chat", "start over", "neues thema"),
    ),
)
