"""Which of the owner's own sources a thinking run looks at: granted ones, those that the seed names first, each at its
turn.
"""

from dataclasses import dataclass
from datetime import datetime

from constance import config
from django.utils import timezone

from agents.runs.context import Context
from devices.grants import grants
from devices.models import Grant
from devices.owner import muted_sites
from devices.web.hosts import HostInvalid, covers
from thoughts.models import Page, Source
from thoughts.text.words import containment, words

LINKS_TRIED = 3


@dataclass(frozen=True)
class _Place:
    """How near a source is to a seed, and since when nobody looked there."""

    key: int
    url: str
    nearness: float
    looked_at: datetime | None

    @property
    def order(self) -> tuple[float, bool, float]:
        return -self.nearness, self.looked_at is not None, self.looked_at.timestamp() if self.looked_at else 0.0


def pick(context: Context) -> list[Source]:
    """Return the sources to look at for the run's seed, marked as looked at, whatever is found there. Nothing is asked
    of the owner.
    """
    most, now = int(config.SOURCES_PER_THOUGHT), timezone.now()
    granted = set(
        Grant.objects.current().filter(capability="read", state=Grant.State.ALLOWED).values_list("host", flat=True)
    )
    chosen = list[int]()
    for place in (
        sorted(_places(context.question, granted, now), key=lambda place: place.order) if most and granted else []
    ):
        if len(chosen) < most and _may_open(context, place.url):
            chosen.append(place.key)
    found = Source.objects.in_bulk(chosen)
    for source in found.values():
        source.mark_looked(now)
    return [found[key] for key in chosen]


def _places(seed: str, granted: set[str], now: datetime) -> list[_Place]:
    """Return what could be looked at. A single page only where the seed has to do with it: it is looked at once."""
    named, places = words(seed), list[_Place]()
    rows = Source.objects.lookable(now).values_list(
        "pk", "url", "domain", "kind", "title", "folder", "tags", "looked_at"
    )
    for key, url, domain, kind, title, folder, tags, looked_at in rows:
        if any(covers(host, domain) for host in _above(domain) & granted):
            place = _Place(key, url, containment(named, words(f"{title} {folder} {tags}")), looked_at)
            places += [place] if place.nearness or kind != Source.Kind.PAGE else []
    return places


def _above(domain: str) -> set[str]:
    """Return a host and all that stand above it."""
    labels = domain.split(".")
    return {".".join(labels[start:]) for start in range(len(labels))}


def openable_link(context: Context, handles: list[str]) -> str | None:
    """Return the first of some links that may be opened without asking, never read before; None where there is none."""
    for handle in handles[:LINKS_TRIED]:
        url = context.handles.urls[handle]
        if _may_open(context, url) and not Page.objects.filter(url=url).exists():
            return handle
    return None


def _may_open(context: Context, url: str) -> bool:
    try:
        return grants.decide(url, "read", context.run.pk).is_allowed and not muted_sites.is_muted(url)
    except HostInvalid:
        return False
