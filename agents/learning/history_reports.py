"""Store the visits that browsers report, where the owner shares the history.

Of each visit only a domain and a title are kept.
"""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from agents.models import Run, Step
from devices import disk, protocol
from devices.models import Device, HostCount
from devices.web.visits import bare_domain, bare_title, is_private_visit
from thoughts.models import Candidate, Preference, Visit
from thoughts.text.labels import OWNER, union

AN_HOUR, HOUR_MAX = timedelta(hours=1), 2000  # a hundred times what a person visits
A_YEAR = timedelta(days=365)


class NotShared(Exception):
    """A device reported history that the owner does not share there."""

    def __init__(self) -> None:
        super().__init__("Sharing the browsing history is off for this browser, so nothing of it was stored.")


class TooMany(Exception):
    """More visits within an hour than a person makes."""

    def __init__(self) -> None:
        super().__init__("This is more browsing history than Penny takes in an hour. What comes later is taken again.")


def store_report(device: Device, visits: Iterable[protocol.Visit]) -> None:
    """Store reported visits, each once. Raises NotShared, HostInvalid, TooMany, DiskFull.

    One visit with more than a domain refuses the whole report: its sender filtered nothing. A visit about health, money
    or sex is left out.
    """
    _check_shared(device)
    now = timezone.now()
    rows = [
        Visit(
            domain=bare_domain(visit.domain),
            title=bare_title(visit.title),
            visited_at=min(max(visit.visited_at, now - A_YEAR), now),
            device_label=device.label,
            device=device.pk.hex,
        )
        for visit in visits
        if not is_private_visit(bare_domain(visit.domain), visit.title)
    ]
    disk.check_room()
    if Visit.objects.filter(received_at__gt=now - AN_HOUR).count() + len(rows) > HOUR_MAX:
        raise TooMany
    Visit.objects.bulk_create(rows, ignore_conflicts=True)


def _check_shared(device: Device) -> None:
    """Check the stored setting: the web page may have changed it. Raises NotShared."""
    if not Device.objects.active().filter(pk=device.pk, shares_history=True).exists():
        raise NotShared


@transaction.atomic
def forget_visits(visits: "QuerySet[Visit]") -> None:
    """Remove visits that the owner deleted, with their traces in the records of runs."""
    domains = dict(visits.values_list("pk", "domain"))
    if not domains:
        return
    delete_visits(domains)
    HostCount.objects.filter(host__in=set(domains.values())).delete()
    for step in Step.objects.filter(run__kind=Run.Kind.HISTORY):
        if set(domains.values()) & set(step.origin):
            Step.objects.filter(pk=step.pk).update(
                origin=[OWNER], request={}, result={}, prompt_removed_at=timezone.now()
            )


@transaction.atomic
def delete_visits(keys: Iterable[int]) -> None:
    """Delete visits for good, and the candidates that came from them alone."""
    Visit.objects.filter(pk__in=list(keys)).delete()
    history = Candidate.objects.filter(source=Preference.Source.HISTORY)
    history.filter(visits=None).delete()
    for candidate in history.prefetch_related("visits"):  # its labels are the sites whose titles still hold it
        origin = union(*(visit.origin for visit in candidate.visits.all()))
        if origin != candidate.origin:
            Candidate.objects.filter(pk=candidate.pk).update(origin=origin)
