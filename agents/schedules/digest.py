"""The daily digest: one message, written by code, that lists the new thoughts of the day that nobody looked at."""

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
    """Send the day's digest, unless there is nothing to say or it was sent; return the run that says what came of
    it.
    """
    one_at_a_time("digest")
    day = clock.today(now)
    if Digest.objects.filter(day=day).exists():
        return _over(now, schedule, "Today's digest was sent already.")
    found = list(unseen(now))
    if not found:
        return _over(now, schedule, "There is nothing new that you have not looked at.")
    message = _say(found, schedule)
    Digest.objects.create(day=day, sent_at=now, message=message).thoughts.set(found[:LISTED])
    day_budget.count_interruption()
    routing.tell(message, "It is the day's digest.", despite=schedule.despite if schedule else Delivery.Despite.NOTHING)
    return _over(now, schedule, f"Listed {_counted(len(found))}.", message)


def unseen(now: datetime) -> ThoughtQuerySet:
    """Return the new thoughts since the last digest, or of one day, that were neither looked at nor told in the
    conversation.

    The best ones first; of those that say nearly the same, one.
    """
    last = Digest.objects.filter(sent_at__gt=now - MISSED_AT_MOST, sent_at__lte=now).first()
    since = last.sent_at if last else clock.day_before(now)
    told = Message.objects.filter(
        thought__isnull=False, direction=Message.Direction.OUT, kind=Message.Kind.NOTIFICATION
    )
    new = Thought.objects.unread().filter(created_at__gt=since, created_at__lte=now, opened_at=None)
    return new.unfolded().exclude(pk__in=told.values("thought")).order_by("-stands_at", "-id")


def _say(found: list[Thought], schedule: Schedule | None) -> Message:
    """Store the message. Titles are words of the pages that they came from, and the message has their labels."""
    listed = [(thought, link_to("thought", thought.pk)) for thought in found[:LISTED]]
    lines = [f"- [{escape_markdown(' '.join(thought.title.split()))}]({link})" for thought, link in listed]
    feed = link_to("feed")
    if len(found) > LISTED:
        lines.append(f"- and {len(found) - LISTED} more on [your feed]({feed})")
    why, where = _why(schedule)
    text = "\n".join([f"Today's digest: {_counted(len(found))} that you have not looked at.", "", *lines, "", why])
    return messages.store(
        the_owner(),
        messages.written(text, [feed, where, *(link for _, link in listed)]),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        origin=union([PENNY], *(thought.origin for thought in found)),
    )


def _why(schedule: Schedule | None) -> tuple[str, str]:
    """Return why a digest comes and how the owner moves or stops it, on whatever line they read it, and the address
    that this links.
    """
    if schedule is None:
        where = link_to("schedules")
        return f"*When it comes by itself stands under [Schedules]({where}).*", where
    name, where = escape_markdown(schedule.name), link_to("schedule", schedule.pk)
    often = str(Repeat.of(schedule.rrule)) or "once"
    return f"*It comes {often}. Move or stop it under [{name}]({where}), or write: /cancel {name}*", where


def _over(now: datetime, schedule: Schedule | None, outcome: str, message: Message | None = None) -> Run:
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


def _counted(number: int) -> str:
    return f"{number} new thought{'' if number == 1 else 's'}"
