"""List and remove the weights that were learned from a preference and its thoughts."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from thoughts.models import Preference, Taste, Thought

TOGETHER = 50
Key = tuple[str, str]


def weights_learned_from(preference: Preference, thoughts: Iterable[Thought]) -> list[str]:
    """Return the weights that name a preference or one of its thoughts, with their points."""
    keys, taste = _keys(preference, thoughts), Taste.objects.filter(pk=Taste.ONLY).first()
    return [
        f"{part['text']} ({part['points']:+.2f})" for part in (taste.weights if taste else []) if _key(part) in keys
    ]


def unlearn(preference: Preference, thoughts: Iterable[Thought], now: datetime) -> None:
    """Remove these weights, and the reasons that name them.

    The next tick learns the others again.
    """
    keys = _keys(preference, thoughts)
    for taste in Taste.objects.select_for_update().filter(pk=Taste.ONLY):
        taste.weights, taste.changed_at = [part for part in taste.weights if _key(part) not in keys], now
        taste.save(update_fields=["weights", "changed_at"])
    subjects = sorted({key for _, key in keys})
    for first in range(0, len(subjects), TOGETHER):
        _take_out(keys, subjects[first : first + TOGETHER])


def _take_out(keys: Collection[Key], subjects: Iterable[str]) -> None:
    """Remove reasons from thoughts.

    The tick does not rank archived ones again, so their points are summed here.
    """
    holding = Q()
    for key in subjects:
        holding |= Q(said__contains=f'"key": "{key}"')
    rows = Thought.objects.annotate(said=Cast("reasons", TextField())).filter(holding).only("reasons", "points")
    for row in rows.iterator(chunk_size=500):
        reasons = [part for part in row.reasons if _key(part) not in keys]
        if len(reasons) < len(row.reasons):
            points = round(sum(part["points"] for part in reasons), 2)
            Thought.objects.filter(pk=row.pk).update(reasons=reasons, points=points)


def _keys(preference: Preference, thoughts: Iterable[Thought]) -> set[Key]:
    taught = [str(thought.pk) for thought in thoughts if thought.taught_at is not None]
    return {("preference", str(preference.pk))} | {(kind, key) for key in taught for kind in ("liked", "disliked")}


def _key(part: dict[str, Any]) -> Key:
    return part["kind"], part["key"]
