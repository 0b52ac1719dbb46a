"""What runs: stop all of it, go on, cancel an answer, begin a new subject."""

from datetime import datetime

from agents import clock, halting
from agents.commands.registry import Answer, Command, Meant, Order, register
from agents.models import Run
from devices import stopping
from devices.models import Message


def stop(order: Order) -> Answer:
    already = stopping.standing()
    count = halting.stop_all(order.device.label, order.now, order.run.pk)
    if already and not count:
        return Answer(f"Everything is stopped already, since {clock.in_words(already.stopped_at, order.now)}. `/resume` lets me go on.")
    return Answer(f"Stopped. {_ended(count)} My tabs are closed, and I open and call nothing more until you write `/resume`.")


def resume(order: Order) -> Answer:
    if not stopping.end(order.now):
        return Answer("Nothing was stopped.")
    return Answer("I go on. What is due starts by itself; what was stopped does not come back: ask again for what you still want.")


def cancel(order: Order) -> Answer:
    mine = Run.objects.exclude(pk=order.run.pk)
    count = halting.end_runs(mine if order.words.lower() == "all" else mine.filter(kind=Run.Kind.TURN), order.now)
    if count:
        return Answer(_ended(count))
    background = mine.filter(state__in=Run.OPEN).count()
    return Answer(f"No answer is being made.{f' {background} in the background: `/cancel all` ends that too.' if background else ''}")


def new(order: Order) -> Answer:
    return Answer("A new subject. What was said before is kept, and I take none of it into account from here on.")


def refused(now: datetime) -> Meant | None:
    """Return what becomes of a message while everything is stopped, None where nothing is."""
    stop = stopping.standing()
    if stop is None:
        return None
    since = f"since {clock.in_words(stop.stopped_at, now)}, from {stop.device_label}"
    said = Answer(f"Everything is stopped {since}. I do nothing with this. Write `/resume`, then send it again.")
    return Meant(lambda order: said, "", Message.Kind.CHAT)


def _ended(count: int) -> str:
    return f"{count} run{' was' if count == 1 else 's were'} cancelled." if count else "Nothing was running."


register(
    Command("stop", "", "Stop everything: cancel every run, close my tabs, call nothing more until /resume.", stop),
    Command("resume", "", "Let everything go on after /stop.", resume),
    Command("cancel", "[all]", "Cancel the answers that are being made; with all also what runs in the background.", cancel),
    Command("new", "", "Begin a new subject: what was said before is no longer taken into account.", new, keeps=True),
)
