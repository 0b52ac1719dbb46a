"""What the owner has Penny do with an errand: stop it, have its page themselves, give the page back."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from agents.acting import states
from agents.models import Errand, Run
from agents.runs import queue, stop

HAND_BACK_WITHIN = timedelta(minutes=30)


class NoErrand(Exception):
    """There is no such errand, it is over, or what the owner wants does not fit its state."""

    def __init__(self) -> None:
        super().__init__("That errand is over, or somebody else went on with it.")


@transaction.atomic
def steer(errand_id: UUID, do: str) -> None:
    """Do what the owner wants with an errand. Raises NoErrand."""
    errand = Errand.objects.open().filter(pk=errand_id).select_related("message").first()
    if errand is None or not _STEERS[do](errand):
        raise NoErrand


def _stop(errand: Errand) -> bool:
    """Cancel the run of the errand; the worker ends both. An errand that no run works on ends here."""
    if not stop.end_runs(Run.objects.filter(errand=errand), timezone.now()):
        return states.end_errand(errand, Errand.State.CANCELLED, "cancelled")
    return True


def _take_over(errand: Errand) -> bool:
    """Give the owner the page. The worker's request is cancelled, and its run parked."""
    if not states.give_page(errand, "owner_took_over"):
        return False
    for run in Run.objects.filter(errand=errand, state__in=Run.OPEN):
        transaction.on_commit(lambda run=run: queue.wake_cancel(run))  # type: ignore[misc]
    return True


def _hand_back(errand: Errand) -> bool:
    """Queue the runs again that wait for the owner. One that is about to be parked is left to the tick."""
    if not states.take_back(errand):
        return False
    for run in Run.objects.filter(errand=errand, state=Run.State.PARKED):
        queue.unpark(run)
    return True


def is_with_owner(run: Run, now: datetime) -> bool:
    """Whether a parked run waits because the owner has the page, and may have it still. A stopped one does not."""
    may_have = Errand.objects.filter(state=Errand.State.PAUSED, paused_at__gt=now - HAND_BACK_WITHIN)
    return may_have.filter(runs__pk=run.pk, runs__cancel_requested_at=None).exists()


_STEERS = {"stop": _stop, "take_over": _take_over, "hand_back": _hand_back}
