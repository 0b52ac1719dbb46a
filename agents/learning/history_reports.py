"""What browsers tell of the owner's history: taken only where the owner switched it on there, and of each visit a domain and a title."""

import re
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from agents.models import Run, Step
from devices import disk, protocol
from devices.models import Device
from devices.web.hosts import HostInvalid, grant_host, is_own
from thoughts.models import Candidate, Preference, Visit
from thoughts.text.addresses import drop_addresses
from thoughts.text.cleaning import clean_line
from thoughts.text.labels import OWNER, union
from thoughts.text.plain_words import has_disguised_address

AN_HOUR, HOUR_MAX = timedelta(hours=1), 2000  # a person visits a hundredth of that
A_YEAR = timedelta(days=365)
TITLE_CHARACTERS = 200
PRIVATE_ENDINGS = frozenset(
    ["corp", "home", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost", "onion", "private", "test"]
)
_DOMAIN = re.compile(r"(?:[a-z0-9_-]{1,63}\.)+[a-z0-9-]{2,63}")
# Words of a title that name a person or an account: an address of mail, a number of an order, an address without its scheme.
_TELLING = re.compile(r"@|\d{6,}|(?:\d[.-]?){9,}|\S\.\w[^\s/?#]*[/?#]")


class NotShared(Exception):
    """A device told of its history on which the owner did not switch that on."""

    def __init__(self) -> None:
        super().__init__("Sharing the browsing history is off for this browser, so nothing of it was stored.")


class TooMany(Exception):
    """More visits within an hour than a person makes."""

    def __init__(self) -> None:
        super().__init__("This is more browsing history than Penny takes in an hour. What comes later is taken again.")


def take(device: Device, visits: Iterable[protocol.Visit]) -> None:
    """Store what a device tells; what was stored before is stored once. Raises NotShared, HostInvalid, TooMany, DiskFull.

    One visit that says more than a domain refuses them all: whoever sends such a thing did not filter the others either.
    """
    _check_shared(device)
    now = timezone.now()
    rows = [
        Visit(
            domain=bare_domain(each.domain),
            title=bare_title(each.title),
            visited_at=min(max(each.visited_at, now - A_YEAR), now),
            device_label=device.label,
        )
        for each in visits
    ]
    disk.check_room()
    if Visit.objects.filter(received_at__gt=now - AN_HOUR).count() + len(rows) > HOUR_MAX:
        raise TooMany
    Visit.objects.bulk_create(rows, ignore_conflicts=True)


def _check_shared(device: Device) -> None:
    """As the row says it now: the owner may have switched it off on the web page. Raises NotShared."""
    if not Device.objects.active().filter(pk=device.pk, shares_history=True).exists():
        raise NotShared


def bare_domain(text: str) -> str:
    """Return a domain of the public web as it stands. Raises HostInvalid for anything more, and for a place on the owner's own network."""
    is_public = _DOMAIN.fullmatch(text) and text.rpartition(".")[2] not in PRIVATE_ENDINGS and not text.endswith(".home.arpa")
    if not is_public or grant_host(f"http://{text}/") != text or is_own(text):
        raise HostInvalid("bad_host", "A visit names a public domain and nothing more, so none of these visits was stored.")
    return text


def bare_title(text: str) -> str:
    """Return a title on one line without addresses, and without what names a person or an account; empty where nothing else is left."""
    words = drop_addresses(clean_line(text)).split()
    kept = " ".join(word for word in words if not _TELLING.search(word))[:TITLE_CHARACTERS].strip()
    return "" if has_disguised_address(kept) else kept


@transaction.atomic
def forget(visits: "QuerySet[Visit]") -> None:
    """Remove visits that the owner deleted, with what looking through them left in the records of runs."""
    domains = dict(visits.values_list("pk", "domain"))
    if not domains:
        return
    remove(domains)
    for step in Step.objects.filter(run__kind=Run.Kind.HISTORY):
        if set(domains.values()) & set(step.origin):
            Step.objects.filter(pk=step.pk).update(origin=[OWNER], request={}, result={}, prompt_removed_at=timezone.now())


@transaction.atomic
def remove(keys: Iterable[int]) -> None:
    """Remove visits for good, and the candidates that came from them alone."""
    Visit.objects.filter(pk__in=list(keys)).delete()
    history = Candidate.objects.filter(source=Preference.Source.HISTORY)
    history.filter(visits=None).delete()
    for candidate in history.prefetch_related("visits"):  # its words stand in the titles of each site that is left
        origin = union(*(visit.origin for visit in candidate.visits.all()))
        if origin != candidate.origin:
            Candidate.objects.filter(pk=candidate.pk).update(origin=origin)
