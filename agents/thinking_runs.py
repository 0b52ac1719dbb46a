"""How a thinking run starts, whoever asks for it: beat, the admin, or a command."""

from django.db import transaction

from agents import queue
from agents.models import Run, Schedule
from devices import disk
from thoughts.models import Preference


@transaction.atomic
def start_thinking(preference: Preference | None = None, schedule: Schedule | None = None) -> Run:
    """Store a queued run and wake the worker. Without a preference the run itself picks the one that waited longest. Raises DiskFull."""
    disk.check_room()
    run = Run.objects.create(kind=Run.Kind.THINKING, preference=preference, schedule=schedule)
    queue.enqueue_on_commit(run)
    return run
