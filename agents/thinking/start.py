"""Start thinking runs for the beat, the admin or a command; tell whether one is useful."""

from constance import config
from django.db import transaction

from agents.gateway import open_page
from agents.models import Run, Schedule
from agents.runs import queue
from devices import disk
from devices.grants import grants
from devices.models import Grant
from devices.web.hosts import HostInvalid, covers
from thoughts.models import Preference


@transaction.atomic
def start_thinking(preference: Preference | None = None, schedule: Schedule | None = None) -> Run:
    """Store a queued run and wake the worker. Raises DiskFull.

    Without a preference the run picks the one that waited longest.
    """
    disk.check_room()
    run = Run.objects.create(kind=Run.Kind.THINKING, preference=preference, schedule=schedule)
    queue.enqueue_on_commit(run)
    return run


def may_read_something() -> bool:
    """Return whether a run needs no ask: it may search, and another site is allowed."""
    try:
        engine = grants.decide(open_page.template_address(str(config.SEARCH_TEMPLATE)), Grant.Capability.READ)
    except HostInvalid:
        return False
    others = Grant.objects.current().filter(state=Grant.State.ALLOWED, capability=Grant.Capability.READ, run_id=None)
    return engine.is_allowed and any(not covers(grant.host, engine.host) for grant in others)
