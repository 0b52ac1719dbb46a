"""Commands about Penny herself: /help, /status and /devices."""

from datetime import datetime

from django.db.models import Count

from agents.commands.registry import COMMANDS, Answer, Command, Misused, Order, register
from agents.model_choice.in_use import models_in_use
from agents.models import Run
from agents.runs import day_budget
from agents.schedules import overview
from devices.grants import asks
from devices.models import Device
from devices.owner import clock, muting
from devices.owner import stop as owner_stop
from thoughts.models import Thought
from thoughts.rendering import escape_markdown


def help_(order: Order) -> Answer:
    name = order.words.lower().removeprefix("/")
    if not name:
        lines = [
            f"- `{command.line}`: {command.does}"
            for command in sorted(COMMANDS.values(), key=lambda command: command.name)
        ]
        return Answer(
            "\n".join([*lines, "", "The same on every device. You can also ask me for it in your own words."])
        )
    if name not in COMMANDS:
        raise Misused(f"I know no command “{escape_markdown(name)}”. `/help` lists them all.")
    command = COMMANDS[name]
    examples = [f"- `/{command.name} {example}`" for example in command.examples]
    examples += [f"- “{phrase}”" for phrase in command.phrases]
    return Answer("\n".join([f"`{command.line}`", "", command.does, *(["", *examples] if examples else [])]))


def status(order: Order) -> Answer:
    return Answer("\n".join(f"- {line}" for line in _status(order)))


def _status(order: Order) -> list[str]:
    now = order.now
    stop, muted_until = owner_stop.active_stop(), muting.muted_until(now)
    until_text = muting.muted_in_words(muted_until, now) if muted_until else ""
    budget, model = day_budget.meter(now), models_in_use().main
    parts = [
        f"Everything is stopped ({clock.at_time_in_words(stop.stopped_at, now)}, from {stop.place}). "
        "Write “go on”, and I go on."
        if stop
        else "",
        f"Muted {until_text}." if muted_until else "",
        f"Model: {model}" if model else "Model: none is set, so I can only look things up and quote.",
        _browsers(),
        _runs(order),
        f"Waiting for you: {_count_noun(len({ask.prompt for ask in asks.waiting_asks(now)}), 'question')}"
        if asks.waiting_asks(now).exists()
        else "",
        f"New on your feed: {Thought.objects.unread().count()}",
        _next_schedule(now),
        budget.paused or f"Background work today: {budget.fullest.said}",
    ]
    return [part for part in parts if part]


def _browsers() -> str:
    connected = [device.label for device in Device.objects.connected().filter(kind=Device.Kind.BROWSER)]
    return (
        f"Browsers: {', '.join(escape_markdown(label) for label in connected)}"
        if connected
        else "Browsers: none is connected."
    )


def _runs(order: Order) -> str:
    rows = (
        Run.objects.filter(state__in=Run.OPEN)
        .exclude(pk=order.run.pk)
        .values_list("state")
        .annotate(count=Count("pk"))
        .order_by("state")
    )
    counts = {Run.State(state).label: count for state, count in rows}
    return (
        f"Runs: {', '.join(f'{count} {state.lower()}' for state, count in counts.items())}" if counts else "Runs: none."
    )


def _next_schedule(now: datetime) -> str:
    rows = [row for row in overview.scheduled_rows(now) if row.next_at]
    first = min(rows, key=lambda row: row.next_at or now, default=None)
    if first is None or first.next_at is None:
        return "Scheduled: nothing."
    return f"Next: {escape_markdown(first.schedule.name)}, {clock.time_in_words(first.next_at, now)}"


def _count_noun(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def devices(order: Order) -> Answer:
    rows = Device.objects.active().order_by("label")
    lines = [
        f"- {escape_markdown(row.label)} ({row.get_kind_display().lower()}): {_last_seen(row, order.now)}"
        for row in rows
    ]
    return Answer("\n".join(lines) or "No device is paired.")


def _last_seen(row: Device, now: datetime) -> str:
    if row.is_connected:
        return "connected" + ("" if row.tool_use else ", runs no tools")
    last = max(filter(None, (row.seen_at, row.used_at)), default=None)  # other channels never have a socket
    return f"last seen {clock.time_in_words(last, now)}" if last else "not seen yet"


register(
    Command("help", "[COMMAND]", "What you can tell me to do.", help_, ("schedule",), planner_calls=("show help",)),
    Command("status", "", "How I am: what runs, what waits, what comes next.", status, planner_calls=("status",)),
    Command("devices", "", "Where you and I are connected.", devices, planner_calls=("show devices",)),
)
