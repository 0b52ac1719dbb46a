"""What one browser brought to Penny: kept pages, visits of its history, and questions. Delete it, and undo that.

All of it goes at one moment, by which it comes back together within ten minutes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from agents.models import Run
from agents.vault.forget.entries import Consequences, Selection, consequences, forget, restore_forgotten
from devices.conversation import deletion
from devices.models import Device, Grant, Message
from thoughts.models import Reaction, Visit
from thoughts.models.kept import KeptQuerySet

if TYPE_CHECKING:
    from thoughts.models.visits import VisitQuerySet

PARTS = ("pages", "visits", "questions")


@dataclass(frozen=True)
class Contents:
    """What a browser brought, and what goes with it. `goes`: of its kept pages.

    Permissions hold for all browsers, and a thumb belongs to its find: both are named, and stay.
    """

    goes: Consequences
    visits: int
    questions: int
    answers: int
    runs: int
    permissions: int
    thumbs: int

    @property
    def is_empty(self) -> bool:
        return not (self.goes.pages or self.visits or self.questions)


def contents_of(owner: User, device: Device) -> Contents:
    questions = questions_of(owner, device)
    return Contents(
        goes=consequences(Selection(device=device.pk.hex)),
        visits=visits_of(device).count(),
        questions=questions.count(),
        answers=_answers_to(questions).count(),
        runs=Run.objects.filter(message__in=questions.values("pk")).count(),
        permissions=Grant.objects.current().filter(run_id=None).count(),
        thumbs=Reaction.objects.standing().filter(device_label=device.label).count() if _has_own_label(device) else 0,
    )


def visits_of(device: Device) -> VisitQuerySet:
    """Return the visits that a browser told of. Older ones know its name alone, which another may have too."""
    condition = Q(device=device.pk.hex)
    if _has_own_label(device):
        condition |= Q(device="", device_label=device.label)
    return Visit.objects.kept().filter(condition)


def _has_own_label(device: Device) -> bool:
    return not Device.objects.filter(label=device.label).exclude(pk=device.pk).exists()


def questions_of(owner: User, device: Device) -> QuerySet[Message]:
    return Message.objects.filter(owner=owner, device=device, direction=Message.Direction.IN)


def _answers_to(questions: QuerySet[Message]) -> QuerySet[Message]:
    turns = questions.exclude(turn_id=None).values("turn_id")
    answers = Message.objects.filter(direction=Message.Direction.OUT)
    return answers.filter(Q(parent__in=questions.values("pk")) | Q(turn_id__in=turns))


@transaction.atomic
def delete_contents(
    owner: User, device: Device, parts: Collection[str], *, with_answers: bool = False
) -> datetime | None:
    """Delete parts of what a browser brought; return the moment by which they come back, None if there was nothing.

    `with_answers`: the answers to other questions that cite its kept pages go too.
    """
    now, count = timezone.now(), 0
    if "pages" in parts:
        now, count = forget(owner, Selection(device=device.pk.hex), with_answers=with_answers)
    if "visits" in parts:
        count += visits_of(device).set_deleted(now)
    if "questions" in parts:
        questions = questions_of(owner, device)
        keys = {*questions.values_list("pk", flat=True), *_answers_to(questions).values_list("pk", flat=True)}
        count += deletion.delete_messages(Message.objects.filter(pk__in=keys), now) if keys else 0
    return now if count else None


@transaction.atomic
def restore_contents(owner: User, moment: datetime) -> bool:
    """Bring back what was deleted at a moment, within ten minutes; return whether there was something."""
    if timezone.now() - moment > KeptQuerySet.undo_for:
        return False
    pages = restore_forgotten(owner, moment)
    visits = Visit.objects.filter(deleted_at=moment).set_deleted(None)
    return bool(pages + visits + deletion.bring_back(owner, moment))
