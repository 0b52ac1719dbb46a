"""Delete one schedule or watch by its name, after the owner has confirmed it."""

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
class Cancellable:
    """A schedule or a watch, with a `label` without words of a page, and a `text` to search."""

    row: Schedule | Watch
    label: str
    text: str


def propose_deletion(order: Order) -> Answer:
    """Read back what would be deleted, or list several matches. Raises Misused for none."""
    if order.message.is_temporary:
        return Answer(TOOL["temporary_chat"])
    matches = _find_matches(order)
    if not matches:
        raise Misused(f"Nothing that is scheduled or watched is called “{escape_markdown(order.words[:80])}”.")
    if len(matches) > 1:
        lines = [f"- {item.label}" for item in matches[:LISTED]]
        return Answer("\n".join(["That may be one of these. Say more of its words:", "", *lines]))
    [one] = matches
    target = {"kind": type(one.row).__name__, "pk": one.row.pk, "called": one.label}
    return proposals.read_back(f"I would delete {one.label}.", "call_off", target)


def _delete_as_proposed(arguments: dict[str, Any], order: Order) -> Answer:
    rows: dict[str, Schedule | Watch | None] = {
        Schedule.__name__: Schedule.objects.kept().filter(pk=arguments["pk"]).first(),
        Watch.__name__: Watch.objects.kept().filter(pk=arguments["pk"]).first(),
    }
    row = rows[arguments["kind"]]
    if row is None:
        return Answer("It is gone already.")
    row.set_deleted(order.now)
    label = arguments["called"]
    return Answer(f"{label[0].upper()}{label[1:]} is deleted.")


def _find_matches(order: Order) -> list[Cancellable]:
    """Return what contains all the words. Exact names go before other matches."""
    words = set(order.words.lower().split()) - _LITTLE
    matches = [item for item in _cancellable(order) if words and all(word in item.text for word in words)]
    name = " ".join(order.words.lower().split())
    return [item for item in matches if name in _names(item.row)] or matches


def _names(row: Schedule | Watch) -> set[str]:
    return (
        {row.name.lower(), row.task.lower()} if isinstance(row, Schedule) else {row.own_name.lower(), row.url.lower()}
    )


def _cancellable(order: Order) -> Iterator[Cancellable]:
    for entry in overview.scheduled_rows(order.now):
        row = entry.schedule
        yield Cancellable(
            row,
            f"the {row.kind} “{escape_markdown(row.name)}” ({entry.repeats})",
            f"{row.kind} {row.name} {row.task}".lower(),
        )
    for watch in Watch.objects.kept():
        text = f"watch {watch.own_name} {watch.url} {watch.wants}".lower()
        yield Cancellable(watch, f"the watch “{escape_markdown(watch.own_name)}” ({watch.wants})", text)


proposals.ACTS["call_off"] = _delete_as_proposed
