"""Store reminders, and send them at their time in the owner's own words.

No model is asked and nothing is opened.
"""

from datetime import datetime

from django.db import transaction

from agents.models import Run, Schedule
from devices.channels import routing
from devices.conversation import messages
from devices.models import Delivery, Device, Message
from devices.owner.account import the_owner
from thoughts.rendering import escape_markdown

NAME_CHARACTERS = 100


def store_reminder(
    words: str, rule: str, at: datetime, device: Device | None, *, keeps_moment: bool = False
) -> Schedule:
    """Store a reminder for a time; `rule` repeats it. It comes in quiet hours too.

    `device`: where it was set. `keeps_moment`: `at` is the same moment in every time zone.
    """
    return Schedule.objects.create(
        name=words[:NAME_CHARACTERS],
        kind=Schedule.Kind.REMINDER,
        task=words,
        rrule=rule,
        next_run_at=at,
        keeps_moment=keeps_moment,
        in_quiet_hours=True,
        device=device,
    )


@transaction.atomic
def send_reminder(schedule: Schedule, now: datetime) -> Run:
    """Send a reminder to where it was set, or to the owner's choice; return its run."""
    message = messages.store_message(
        the_owner(),
        messages.render_content(f"⏰ {escape_markdown(schedule.task)}", []),
        device=None,
        device_label="Penny",
        direction=Message.Direction.OUT,
        kind=Message.Kind.NOTIFICATION,
        origin=["owner", "penny"],
    )
    routing.send_proactive(message, "You set this reminder.", schedule.device, Delivery.Despite.MUTE)
    times = {"created_at": now, "started_at": now, "ended_at": now}
    return Run.objects.create(
        kind=Run.Kind.TASK,
        state=Run.State.DONE,
        schedule=schedule,
        task=schedule.task,
        attempt=1,
        outcome="Told.",
        answer=message,
        **times,
    )
