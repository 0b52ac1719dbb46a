"""Commands for later work: /schedule, /remind, /watch and /think."""

import re
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.dateparse import parse_datetime

from agents.commands import proposals
from agents.commands.registry import Answer, Command, Misused, Order, register
from agents.models import Schedule, validate_rrule
from agents.schedules import overview, reminders, start, time_phrases
from agents.schedules.rule_words import rule_in_words
from agents.schedules.time_phrases import When
from agents.schedules.zone_phrases import time_and_words
from agents.thinking import start as thinking_start
from agents.watches import wish as watches_wish
from devices import disk
from devices.models import Device
from devices.owner import clock, stop
from devices.web.hosts import HostInvalid
from devices.web.links import link_to
from thoughts.models import Preference
from thoughts.models.watches import Watch
from thoughts.rendering import escape_markdown

TIMES = 3
_FEW = re.compile(r"(FREQ=(?:DAILY|WEEKLY|MONTHLY|YEARLY));INTERVAL=\d+")
SEED_CHARACTERS = 300
WHAT_CHARACTERS = 300  # of a command that is offered again
HOW = (
    "Say when and what, such as `/{name} every weekday at 8: {what}`. I also know “tomorrow at 18:30”, "
    "“in 20 minutes”, “every 2 hours”, "
    "“in 2h30m”, “on the first Monday of the month at 9”, “every quarter”, and the same in German: “jeden Werktag um "
    "8”, “morgen um 18:30”."
)


def schedule(order: Order) -> Answer:
    if not order.words:
        return _list_schedules(order.now)
    when, what = _split_words(order, "schedule", "find news about trains")
    return propose_schedule(Schedule.Kind.TASK, what, when, order.now, order.device)


def remind(order: Order) -> Answer:
    when, what = _split_words(order, "remind", "water the plants")
    if when.rule:
        return propose_schedule(Schedule.Kind.REMINDER, what, when, order.now, order.device)
    moment = when.moment(order.now)
    reminders.store_reminder(what, "", moment, order.device, keeps_moment=when.keeps_moment)
    at = clock.at_time_in_words(moment, order.now)
    return Answer(f"I remind you {at}: “{escape_markdown(what)}”. It stands under {_link()}.", [_schedules_url()])


def propose_schedule(kind: str, what: str, when: When, now: datetime, device: Device | None) -> Answer:
    arguments: dict[str, Any] = {
        "kind": str(kind),
        "task": what,
        "rule": when.rule,
        "at": when.moment(now).isoformat() if when.at else None,
        "keeps_moment": when.keeps_moment,
        "device": str(device.pk) if device else None,
    }
    often = f"{rule_in_words(when.rule)} (`{when.rule}`)" if when.rule else "once"
    times = ", then ".join(clock.time_in_words(moment, now) for moment in _times(arguments, now))
    does = "remind you" if kind == Schedule.Kind.REMINDER else "do this"
    return proposals.read_back(
        f"I would {does} {often}: “{escape_markdown(what)}”.\n\nNext: {times}.", "schedule", arguments
    )


def store_schedule(arguments: dict[str, Any], order: Order) -> Answer:
    """Store a confirmed schedule. Raises Misused if its time is over."""
    now = order.now
    first = _times(arguments, now)[:1]
    if not first:
        raise Misused("That time is over by now. Say another one.")
    if arguments["kind"] == Schedule.Kind.REMINDER:
        set_on = Device.objects.filter(pk=arguments["device"]).first() if arguments.get("device") else None
        reminders.store_reminder(arguments["task"], arguments["rule"], first[0], set_on)
    else:
        name = " ".join(arguments["task"].split())
        Schedule.objects.create(
            name=name[:100],
            kind=Schedule.Kind.TASK,
            task=arguments["task"],
            rrule=arguments["rule"],
            next_run_at=first[0],
            keeps_moment=arguments.get("keeps_moment", False),
        )
    return Answer(
        f"Kept. It comes {clock.at_time_in_words(first[0], now)}, and stands under {_link()}.", [_schedules_url()]
    )


proposals.ACTS["schedule"] = store_schedule


def _times(arguments: dict[str, Any], now: datetime) -> list[datetime]:
    """Return the next times.

    "Every other Friday" begins on the next Friday. Its rule alone would count weeks from now, and may skip that one.
    """
    if arguments["rule"]:
        in_quiet_hours = arguments["kind"] == Schedule.Kind.REMINDER
        every, often = (
            Schedule(rrule=rule, in_quiet_hours=in_quiet_hours)
            for rule in (_FEW.sub(r"\1", arguments["rule"]), arguments["rule"])
        )
        first = start.next_times(every, now, 1)
        return [*first, *(moment for at in first for moment in start.next_times(often, at, TIMES - 1))]
    at = parse_datetime(arguments["at"])
    return [at] if at and at > now else []


def _split_words(order: Order, name: str, example: str) -> tuple[When, str]:
    """Split the words into when and what. Raises Misused."""
    parts = time_and_words(order.words, order.now)
    if parts is None or not parts[1]:
        raise Misused(HOW.format(name=name, what=example))
    when, what = parts
    check_one_time(when, f"/{name} {{at}}: {what[:WHAT_CHARACTERS]}")
    if when.rule:
        try:
            validate_rrule(when.rule)
        except ValidationError as error:
            raise Misused(" ".join(error.messages)) from None
    return when, what[:2000]


def check_one_time(when: When, command: str) -> None:
    """Raise Misused if the phrase may mean two times, with the whole command for each. `command` holds {at}."""
    if when.at and when.other:
        at, other = (time_phrases.plain_time(moment) for moment in (when.at, when.other))
        zone = f" {when.zone.key} time" if when.zone else ""
        choices = [f"- {escape_markdown(command.replace('{at}', moment + zone, 1))}" for moment in (at, other)]
        raise Misused("\n".join(["That may be two times. Write the one that you mean:", "", *choices]))


def _list_schedules(now: datetime) -> Answer:
    lines = [
        f"- {escape_markdown(row.schedule.name)}: {row.repeats}, {_next_time(row, now)}"
        for row in overview.scheduled_rows(now)
    ]
    return Answer(
        "\n".join([*lines, "", f"Change them under {_link()}; `/cancel NAME` deletes one."])
        if lines
        else HOW.format(name="schedule", what="find news"),
        [_schedules_url()],
    )


def _next_time(row: overview.Scheduled, now: datetime) -> str:
    if not row.schedule.enabled:
        return "paused"
    return f"next {clock.time_in_words(row.next_at, now)}" if row.next_at else "over"


def _schedules_url() -> str:
    return link_to("schedules")


def _link() -> str:
    return f"[Schedules]({_schedules_url()})"


def watch(order: Order) -> Answer:
    if not order.words:
        return _list_watches(order.now)
    wish = watches_wish.parse_watch_request(f"watch {order.words}")
    if wish is None:
        raise Misused(
            "Write one address and what to tell you: `/watch https://shop.example/lamp below 20 EUR`, `… when it "
            "is back in stock`, or "
            "`… new posts`."
        )
    try:
        row, _ = watches_wish.store_watch(wish.page, wish)
    except (watches_wish.WishRefused, HostInvalid):
        raise Misused("I cannot watch that page: it is none of the web's that I may open.") from None
    return Answer(watches_wish.confirmation_text(row.domain, wish))


def _list_watches(now: datetime) -> Answer:
    """List the watched pages under the owner's names for them, without words of a page."""
    lines = [f"- {escape_markdown(row.own_name)}: {row.wants}, {_next_visit(row, now)}" for row in Watch.objects.kept()]
    address = link_to("watches")
    if not lines:
        return Answer("I watch no page. Tell me of one: `/watch https://shop.example/lamp below 20 EUR`.", [address])
    return Answer(
        "\n".join([*lines, "", f"Change them under [Watches]({address}); `/cancel NAME` deletes one."]), [address]
    )


def _next_visit(row: Watch, now: datetime) -> str:
    return "paused" if row.is_paused else f"next visit {clock.time_in_words(max(row.next_check_at, now), now)}"


def think(order: Order) -> Answer:
    if stop.is_stopped():
        raise Misused("Everything is stopped. Write “go on” first.")
    text = " ".join(order.words.split())[:SEED_CHARACTERS]
    preference = (
        Preference.objects.filter(text__iexact=text).first() or Preference.objects.create(text=text) if text else None
    )
    try:
        thinking_start.start_thinking(preference)
    except disk.DiskFull as error:
        raise Misused(str(error)) from None
    about = f" about “{escape_markdown(str(preference))}”" if preference else ""
    return Answer(f"I think{about} now. What I find comes to your feed; if that is nothing, the run says why.")


register(
    Command(
        "schedule",
        "[WHEN TASK]",
        "Do something at a time or by a rule; alone: what is scheduled.",
        schedule,
        ("every weekday at 8: find news about trains",),
        keeps=True,
        planner_calls=("schedule", "show scheduled"),
        phrases=(
            "what have i scheduled",
            "what did i schedule",
            "what is scheduled",
            "my schedules",
            "my reminders",
            "list my reminders",
        ),
    ),
    Command(
        "remind",
        "WHEN WHAT",
        "Remind you at a time or by a rule.",
        remind,
        ("tomorrow at 9 call the dentist",),
        keeps=True,
        planner_calls=("remind",),
    ),
    Command(
        "watch",
        "[ADDRESS WHAT]",
        "Watch a page for its price, its stock or new posts; alone: what is watched.",
        watch,
        ("https://shop.example/lamp below 20 EUR",),
        keeps=True,
        planner_calls=("watch", "show watches"),
        phrases=("what do you watch", "what are you watching", "my watches", "list my watches"),
    ),
    Command(
        "think",
        "[ABOUT]",
        "Look for something new now, about a preference or whatever waited longest.",
        think,
        ("espresso",),
        keeps=True,
        planner_calls=("think",),
    ),
)
