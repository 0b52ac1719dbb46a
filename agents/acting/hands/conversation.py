"""The lines between `manage.py hands` and its run: rows, at most one run at a time. Redis only wakes."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from pydantic import TypeAdapter

from agents.acting.hands.events import Event
from agents.models import HandsLine, Run
from agents.runs import queue
from devices import disk, redis
from devices.db import one_at_a_time
from devices.owner import machine_clock
from devices.web.hosts import clean_url
from devices.web.stored_text import address_to_store, json_to_store

IDLE = timedelta(minutes=10)
LINE_CHARACTERS = 2_100
LINES_WAITING, EVENTS_KEPT = 20, 50
KEPT = timedelta(minutes=1)  # after the end of the run: the command reads the last events within it
_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class HandsRefused(Exception):
    """What the command wants cannot be done now. The text says why."""


@transaction.atomic
def start_hands(url: str) -> Run:
    """Store the run with its first line, and wake a worker. Raises HandsRefused, HostInvalid, DiskFull."""
    disk.check_room()
    address = clean_url(url if "://" in url else f"https://{url}")
    one_at_a_time("hands")
    if Run.objects.filter(kind=Run.Kind.HANDS, state__in=Run.OPEN).exists():
        raise HandsRefused("hands is open already, in another terminal. End it there with quit, or under Activity.")
    run = Run.objects.create(kind=Run.Kind.HANDS, task=address_to_store(address))
    HandsLine.objects.create(run=run, is_event=False, body=address)
    queue.enqueue_on_commit(run)
    return run


def write_line(run: Run, line: str) -> None:
    """Store a line for the run, and wake it. Raises HandsRefused."""
    if len(line) > LINE_CHARACTERS:
        raise HandsRefused(f"That line has more than {LINE_CHARACTERS:,} characters.")
    if HandsLine.objects.filter(run=run, is_event=False).count() >= LINES_WAITING:
        raise HandsRefused(f"{LINES_WAITING} lines wait already.")
    HandsLine.objects.create(run=run, is_event=False, body=line)
    redis.wake(line_key(run.pk), "line")


def take_line(run: Run) -> str | None:
    """Return the oldest line, and delete it."""
    row = HandsLine.objects.filter(run=run, is_event=False).first()
    if row is None:
        return None
    row.delete()
    return str(row.body)


def write_event(run: Run, event: Event) -> None:
    """Store an event without secrets of addresses, and wake the command. Only the last ones are kept."""
    HandsLine.objects.create(run=run, is_event=True, body=json_to_store(event.model_dump(mode="json")))
    events = HandsLine.objects.filter(run=run, is_event=True)
    old = list(events.order_by("-pk").values_list("pk", flat=True)[EVENTS_KEPT:])
    HandsLine.objects.filter(pk__in=old).delete()
    redis.wake(event_key(run.pk), "event")


def events_after(run: Run, last: int) -> list[tuple[int, Event]]:
    """Return the events since the one with the key `last`, each with its key."""
    rows = HandsLine.objects.filter(run=run, is_event=True, pk__gt=last)
    return [(row.pk, _EVENT.validate_python(row.body)) for row in rows]


def is_idle(run: Run, now: datetime) -> bool:
    last = HandsLine.objects.filter(run=run).order_by("-created_at").values_list("created_at", flat=True).first()
    return (last or run.started_at or run.created_at) < now - IDLE


def forget_lines(now: datetime) -> None:
    """Delete the lines of runs that are over."""
    if machine_clock.is_right(now):
        HandsLine.objects.filter(run__ended_at__lt=now - KEPT).delete()


def line_key(run_id: UUID) -> str:
    return f"hands.line:{run_id}"


def event_key(run_id: UUID) -> str:
    return f"hands.event:{run_id}"


def is_lost(run: Run) -> bool:
    """Whether the worker that carried the run out is gone: its lease ended, or another attempt began."""
    if run.state == Run.State.RUNNING:
        return run.attempt > 1 or run.lease_until is None or run.lease_until < timezone.now()
    return run.state == Run.State.QUEUED and run.attempt > 0
