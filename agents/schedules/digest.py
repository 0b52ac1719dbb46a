"""Send the daily digest: one message, written by code, that lists the new thoughts."""

from datetime import datetime, timedelta

from django.db import transaction

from agents.models import Digest, Run, Schedule
from agents.runs import day_budget
from agents.schedules.rule_words import Repeat
from devices.channels import routing
from devices.conversation import messages
from devices.db import one_at_a_time
from devices.models import Delivery, Message
from devices.owner import clock
from devices.owner.account import the_owner
from devices.web.links import link_to
from thoughts.models import Thought, ThoughtQuerySet
from thoughts.rendering import escape_markdown
from thoughts.text.labels import PENNY, union

LISTED = 12
MISSED_AT_MOST = timedelta(days=7)


@transaction.atomic
def send_digest(now: datetime, schedule: Schedule | None = None) -> Run:
    """Send the day's digest, unless it was sent or nothing is new; return its run."""
    one_at_a_time("digest")
    day = clock.today(now)
    if Digest.objects.filter(day=day).exists():
        return _end_run(now, schedule, "Today's digest was sent already.")
    thoughts = list(unseen(now))
    if not thoughts:
        return _end_run(now, schedule, "There is nothing new that you have not looked at.")
    message = _store_digest(thoughts, schedule)
    Digest.objects.create(day=day, sent_at=now, message=message).thoughts.set(thoughts[:LISTED])
    day_budget.count_interruption()
    routing.send_proactive(
        message, "It is the day's digest.", despite=schedule.despite if schedule else Delivery.Despite.NOTHING
    )
    return _end_run(now, schedule, f"Listed {_count_in_words(len(thoughts))}.", message)


def unseen(now: datetime) -> ThoughtQuerySet:
    """Return new thoughts that the owner neither opened nor was told of, best first.

    Those since the last digest, or of one day without one. Of near duplicates one.
    """
    last = Digest.objects.filter(sent_at__gt=now - MISSED_AT_MOST, sent_at__lte=now).first()
    since = last.sent_at if last else clock.day_before(now)
    notifications = Message.objects.filter(
        thought__isnull=False, direction=Message.Direction.OUT, kind=Message.Kind.NOTIFICATION
    )
    new = Thought.objects.unread().filter(created_at__gt=since, created_at__lte=now, opened_at=None)
    return new.unfolded().exclude(pk__in=notifications.values("thought")).order_by("-stands_at", "-id")


def _store_digest(thoughts: list[Thought], schedule: Schedule | None) -> Message:
    """Store the message. Titles are words of pages, so it carries the labels of these pages."""
    entries = [(thought, link_to("thought", thought.pk)) for thought in thoughts[:LISTED]]
    lines = [f"- [{escape_markdown(' '.join(thought.title.split()))}]({link})" for thought, link in entries]
    feed = link_to("feed")
    if len(thoughts) > LISTED:
        lines.append(f"- and {len(thoughts) - LISTED} more on [your feed]({feed})")
    why, where = _why(schedule)
    text = "\n".join(
        [f"Today's digest: {_count_in_words(len(thoughts))} that you have not looked at.", "", *lines, "", why]
    )
    return messages.store_message(
        the_owner(),
        messages.render_content(text, [feed, where, *(link for _, link in entries)]),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        origin=union([PENNY], *(thought.origin for thought in thoughts)),
    )


def _why(schedule: Schedule | None) -> tuple[str, str]:
    """Return why a digest comes and how to move or stop it, and the address that it links."""
    if schedule is None:
        where = link_to("schedules")
        return f"*When it comes by itself stands under [Routine]({where}).*", where
    name, where = escape_markdown(schedule.name), link_to("schedule", schedule.pk)
    often = str(Repeat.of(schedule.rrule)) or "once"
    return f"*It comes {often}. Move or stop it under [{name}]({where}), or write: /cancel {name}*", where


def _end_run(now: datetime, schedule: Schedule | None, outcome: str, message: Message | None = None) -> Run:
    state = Run.State.DONE if message else Run.State.DISCARDED
    return Run.objects.create(
        kind=Run.Kind.DIGEST,
        state=state,
        schedule=schedule,
        attempt=1,
        outcome=outcome,
        answer=message,
        created_at=now,
        started_at=now,
        ended_at=now,
    )


def _count_in_words(number: int) -> str:
    return f"{number} new find{'' if number == 1 else 's'}"
