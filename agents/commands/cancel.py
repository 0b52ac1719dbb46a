"""Calling off one thing that is scheduled or watched, by its name: read back, and gone after a yes."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agents.commands import proposals
from agents.commands.registry import Answer, Misused, Order
from agents.models import Schedule
from agents.runs.failure_texts import TOOL
from agents.schedules import overview
from thoughts.models.watches import Watch
from thoughts.rendering import escape_markdown

LISTED = 8
_LITTLE = {"the", "a", "an", "my", "that", "this", "about", "to", "for", "of", "on", "at"}


@dataclass(frozen=True)
class Planned:
    """Something that comes by itself. `called`: what it is, in words, without any of a page; `held`: the words by which
    it is found.
    """

    row: Schedule | Watch
    called: str
    held: str


def propose(order: Order) -> Answer:
    """Read back what would be called off; of several things that are meant list them. Raises Misused where there is
    none.
    """
    if order.message.is_temporary:
        return Answer(TOOL["temporary_chat"])
    found = _found(order)
    if not found:
        raise Misused(f"Nothing that is scheduled or watched is called “{escape_markdown(order.words[:80])}”.")
    if len(found) > 1:
        lines = [f"- {each.called}" for each in found[:LISTED]]
        return Answer("\n".join(["That may be one of these. Say more of its words:", "", *lines]))
    [one] = found
    kept = {"kind": type(one.row).__name__, "pk": one.row.pk, "called": one.called}
    return proposals.read_back(f"I would delete {one.called}.", "call_off", kept)


def _call_off(kept: dict[str, Any], order: Order) -> Answer:
    rows: dict[str, Schedule | Watch | None] = {
        Schedule.__name__: Schedule.objects.kept().filter(pk=kept["pk"]).first(),
        Watch.__name__: Watch.objects.kept().filter(pk=kept["pk"]).first(),
    }
    row = rows[kept["kind"]]
    if row is None:
        return Answer("It is gone already.")
    row.set_deleted(order.now)
    called = kept["called"]
    return Answer(f"{called[0].upper()}{called[1:]} is deleted.")


def _found(order: Order) -> list[Planned]:
    """Return what holds all the words; what is called exactly so goes before what only holds them."""
    words = set(order.words.lower().split()) - _LITTLE
    held = [each for each in _planned(order) if words and all(word in each.held for word in words)]
    name = " ".join(order.words.lower().split())
    return [each for each in held if name in _names(each.row)] or held


def _names(row: Schedule | Watch) -> set[str]:
    return (
        {row.name.lower(), row.task.lower()} if isinstance(row, Schedule) else {row.own_name.lower(), row.url.lower()}
    )


def _planned(order: Order) -> Iterator[Planned]:
    for each in overview.scheduled(order.now):
        row = each.schedule
        yield Planned(
            row,
            f"the {row.kind} “{escape_markdown(row.name)}” ({each.repeats})",
            f"{row.kind} {row.name} {row.task}".lower(),
        )
    for watch in Watch.objects.kept():
        held = f"watch {watch.own_name} {watch.url} {watch.wants}".lower()
        yield Planned(watch, f"the watch “{escape_markdown(watch.own_name)}” ({watch.wants})", held)


proposals.ACTS["call_off"] = _call_off
