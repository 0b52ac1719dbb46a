"""Choose which of the owner's own sources a thinking run visits.

Granted ones only. Sources that the seed names come first, then those not visited for longest.
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
    """A source, with its relevance to a seed and the time of its last visit."""

    key: int
    url: str
    nearness: float
    looked_at: datetime | None

    @property
    def order(self) -> tuple[float, bool, float]:
        return -self.nearness, self.looked_at is not None, self.looked_at.timestamp() if self.looked_at else 0.0


def pick_sources(context: Context) -> list[Source]:
    """Return the sources to visit for the run's seed, marked as visited. Asks the owner nothing."""
    most, now = int(config.SOURCES_PER_THOUGHT), timezone.now()
    hosts = set(
        Grant.objects.current().filter(capability="read", state=Grant.State.ALLOWED).values_list("host", flat=True)
    )
    keys = list[int]()
    for place in sorted(_places(context.question, hosts, now), key=lambda place: place.order) if most and hosts else []:
        if len(keys) < most and _may_open(context, place.url):
            keys.append(place.key)
    sources = Source.objects.in_bulk(keys)
    for source in sources.values():
        source.mark_looked(now)
    return [sources[key] for key in keys]


def _places(seed: str, hosts: set[str], now: datetime) -> list[_Place]:
    """Return the candidates. A single page is visited once, so it needs relevance to the seed."""
    seed_words, places = words(seed), list[_Place]()
    rows = Source.objects.lookable(now).values_list(
        "pk", "url", "domain", "kind", "title", "folder", "tags", "looked_at"
    )
    for key, url, domain, kind, title, folder, tags, looked_at in rows:
        if any(covers(host, domain) for host in _above(domain) & hosts):
            place = _Place(key, url, containment(seed_words, words(f"{title} {folder} {tags}")), looked_at)
            places += [place] if place.nearness or kind != Source.Kind.PAGE else []
    return places


def _above(domain: str) -> set[str]:
    """Return a host and its parent domains."""
    labels = domain.split(".")
    return {".".join(labels[start:]) for start in range(len(labels))}


def openable_link(context: Context, handles: list[str]) -> str | None:
    """Return the first link that needs no ask and was never read, None if there is none."""
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
