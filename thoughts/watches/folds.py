"""Fold the visits of a watch that read the same as the visit after them."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from thoughts.models.watches import Observation


@dataclass
class Fold:
    """A visit, and the visits right before it that read the same and told nothing, newest first."""

    visit: Observation
    same: list[Observation] = field(default_factory=list)


def fold_visits(visits: Iterable[Observation], *, for_items: bool) -> list[Fold]:
    """Return the folds of visits, given newest first."""
    folds: list[Fold] = []
    for visit in visits:
        if folds and visit.thought_id is None and _values(folds[-1].visit, for_items) == _values(visit, for_items):
            folds[-1].same.append(visit)
        else:
            folds.append(Fold(visit))
    return folds


def _values(visit: Observation, for_items: bool) -> tuple[object, ...]:
    if for_items:
        return (visit.items_new,)
    return (visit.price, visit.currency, visit.stock, visit.unsure, visit.evidence)
