"""Forget what is kept: what would go, the act, and its undo.

From the act on no search finds it. Ten minutes later `agents/worker/forget_kept.py` deletes it for good.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from agents.vault.forget import traces
from agents.vault.search import Scope
from devices.conversation import deletion
from devices.db import one_at_a_time
from devices.models import Device, Message
from thoughts.models import Kept, Page
from thoughts.models.kept import KeptQuerySet

NAMED = 5
STEPS_COUNTED = 10_000
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Selection:
    """Which entries are meant: those that fit every value. Without a value, none; with `everything`, all.

    A span of time means entries that were kept or seen again within it.
    """

    entry: UUID | None = None
    site: str = ""
    since: datetime | None = None
    until: datetime | None = None
    device: str = ""
    everything: bool = False

    @property
    def is_empty(self) -> bool:
        return self == Selection()

    def rows(self) -> KeptQuerySet:
        """Return the entries, without those that are forgotten already."""
        if self.is_empty:
            return Kept.objects.none()
        condition = Scope(site=self.site, since=self.since, until=self.until).of()
        if self.entry:
            condition &= Q(pk=self.entry)
        if self.device:
            condition &= Q(device=self.device)
        return Kept.objects.kept().filter(condition)


@dataclass(frozen=True)
class Consequences:
    """What forgetting would take. `named`: the first pages, answers and finds by their titles or first words."""

    pages: int
    passages: int
    answers: int
    finds: int
    steps: int
    complaints: int
    named: dict[str, list[str]]


def consequences(selection: Selection) -> Consequences:
    rows = selection.rows()
    pages = Page.objects.filter(kept__in=rows.order_by().values("pk"))
    answers, finds = traces.citing_answers(pages), traces.citing_finds(pages)
    return Consequences(
        pages=rows.count(),
        passages=rows.order_by().aggregate(count=Count("chunks", filter=Q(chunks__end__gt=0)))["count"],
        answers=answers.count(),
        finds=finds.count(),
        steps=sum(1 for _ in islice(traces.steps_with_words(pages), STEPS_COUNTED)),
        complaints=traces.complaints(pages).count(),
        named={
            "pages": [f"{row}, {row.page.domain}" for row in rows.select_related("page")[:NAMED]],
            "answers": [message.text for message in answers[:NAMED]],
            "finds": [str(thought) for thought in finds[:NAMED]],
        },
    )


@transaction.atomic
def forget(
    owner: User, selection: Selection, *, with_answers: bool = False, for_good: bool = False
) -> tuple[datetime, int]:
    """Forget entries; return the moment by which they come back together, and how many.

    `with_answers`: delete the answers that cite them too. `for_good`: no undo; the next tick deletes them.
    """
    one_at_a_time("kept")
    now = timezone.now()
    keys = list(selection.rows().order_by().values_list("pk", flat=True))
    if with_answers:
        citing = traces.citing_answers(Page.objects.filter(kept__in=keys)).values("pk")
        deletion.delete_messages(Message.objects.filter(owner=owner, pk__in=citing), now)
    return now, Kept.objects.filter(pk__in=keys).set_deleted(now, has_undo=not for_good)


@transaction.atomic
def restore_forgotten(owner: User, moment: datetime) -> int:
    """Bring back what was forgotten at a moment, within ten minutes, with its answers; return how many entries."""
    one_at_a_time("kept")
    count = Kept.objects.restorable(timezone.now()).filter(deleted_at=moment).set_deleted(None)
    if count:
        deletion.bring_back(owner, moment)
    return count


def moment_key(moment: datetime) -> int:
    """Return a moment as it stands in an address: microseconds."""
    return (moment - EPOCH) // timedelta(microseconds=1)


def moment_of(key: int) -> datetime:
    """Return the moment of a key. Raises OverflowError."""
    return EPOCH + timedelta(microseconds=key)


def device_choices() -> list[tuple[str, str]]:
    """Return (key, label) of the browsers that brought something, also of those that are gone."""
    keys = Kept.objects.kept().exclude(device="").order_by().values_list("device", flat=True).distinct()
    labels = {device.pk.hex: device.label for device in Device.objects.filter(pk__in=list(map(UUID, keys)))}
    return sorted(((key, labels.get(key, "a browser that is gone")) for key in keys), key=lambda choice: choice[1])
