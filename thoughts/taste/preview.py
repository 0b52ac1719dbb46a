"""Compute what another strength of an interest would do to the feed, by the functions that rank it. Store nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from thoughts.models import Preference, Taste, Thought
from thoughts.taste import ranking


@dataclass(frozen=True)
class Shift:
    """By how many days a new find would stand higher, None if it is not new, and how many cards change places."""

    days: float | None
    moved: int


def preview(model: str, preference: int, strength: float, thought: UUID) -> Shift:
    """Compare the order of the newest 1,000 new finds with their order after the change."""
    preferences = list(Preference.objects.order_by("pk"))
    for row in preferences:
        if row.pk == preference:
            row.strength = strength
    rows = list(Thought.objects.unread().order_by("-created_at")[: ranking.RANKED_AGAIN])
    places, order = {row.pk: _standing(row)[0] for row in rows}, _cards(rows)
    taste = ranking.learn_taste(model, preferences, Taste.the_only().since)
    for first in range(0, len(rows), ranking.BATCH):
        ranking.give_points(model, taste, rows[first : first + ranking.BATCH], preferences)
    _spread(model, rows)
    after = {row.pk: _standing(row)[0] for row in rows}
    days = (after[thought] - places[thought]) / ranking.A_DAY if thought in after else None
    return Shift(days, sum(one != other for one, other in zip(order, _cards(rows), strict=True)))


def _spread(model: str, rows: list[Thought]) -> None:
    """Spread the top of these, and of older finds that keep their points."""
    from thoughts.taste.regression import SPREAD

    weighed = {row.pk for row in rows}
    older = [row for row in ranking.top_thoughts() if row.pk not in weighed]
    ranking.spread(model, sorted([*rows, *older], key=_standing, reverse=True)[:SPREAD])


def _cards(rows: Iterable[Thought]) -> list[UUID]:
    """Return the cards in the order of the feed, without finds that are folded beneath a similar one."""
    cards: dict[UUID, UUID] = {}
    for row in sorted(rows, key=_standing, reverse=True):
        cards.setdefault(row.alike or row.pk, row.pk)
    return list(cards.values())


def _standing(row: Thought) -> tuple[datetime, UUID]:
    return row.stands_at or row.created_at, row.pk
