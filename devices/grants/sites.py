"""The grants of the owner by site, as the page Permissions › Sites lists them."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from devices.models import Grant

UNUSED_FOR = timedelta(days=30)


@dataclass
class Site:
    """What the owner decided about a host and its subdomains. A grant for a task counts where no lasting one does."""

    host: str
    read: Grant | None = None
    act: Grant | None = None
    keep: Grant | None = None

    @property
    def used_at(self) -> datetime | None:
        return max((grant.used_at for grant in (self.read, self.act) if grant and grant.used_at), default=None)


def is_unused(now: datetime) -> Q:
    """Return what holds for grants that opened nothing for 30 days."""
    begin = now - UNUSED_FOR
    opens = Q(capability__in=(Grant.Capability.READ, Grant.Capability.ACT))
    return opens & Q(state=Grant.State.ALLOWED, created_at__lt=begin) & (Q(used_at=None) | Q(used_at__lt=begin))


def sites(words: str = "", *, unused_only: bool = False) -> list[Site]:
    """Return the sites whose host holds the words, by host."""
    rows = Grant.objects.current().filter(host__icontains=words)
    if unused_only:
        rows = rows.filter(is_unused(timezone.now()))
    by_host: dict[str, Site] = {}
    for grant in rows.order_by("host", "run_id"):
        site = by_host.setdefault(grant.host, Site(grant.host))
        before = getattr(site, grant.capability)
        if before is None or before.run_id is not None:
            setattr(site, grant.capability, grant)
    return list(by_host.values())
