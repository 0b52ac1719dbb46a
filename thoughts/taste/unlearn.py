"""What was learned of the owner's taste from a preference and its thoughts: shown, and taken out when it is
forgotten.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from thoughts.models import Preference, Taste, Thought

TOGETHER = 50
Key = tuple[str, str]


def learned_from(preference: Preference, thoughts: Iterable[Thought]) -> list[str]:
    """Return the weights that name a preference or one of its thoughts, each with its points."""
    keys, known = _keys(preference, thoughts), Taste.objects.filter(pk=Taste.ONLY).first()
    return [
        f"{part['text']} ({part['points']:+.2f})" for part in (known.weights if known else []) if _key(part) in keys
    ]


def unlearn(preference: Preference, thoughts: Iterable[Thought], now: datetime) -> None:
    """Take these weights out, and the reasons that name them from under other thoughts. All others are learned anew by
    the next tick.
    """
    keys = _keys(preference, thoughts)
    for known in Taste.objects.select_for_update().filter(pk=Taste.ONLY):
        known.weights, known.changed_at = [part for part in known.weights if _key(part) not in keys], now
        known.save(update_fields=["weights", "changed_at"])
    named = sorted({key for _, key in keys})
    for first in range(0, len(named), TOGETHER):
        _take_out(keys, named[first : first + TOGETHER])


def _take_out(keys: Collection[Key], named: Iterable[str]) -> None:
    """Of what is in the archive nobody would learn anew: its sum is what is left of it."""
    holding = Q()
    for key in named:
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
