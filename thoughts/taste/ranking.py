"""Where a new thought stands on the feed, and why: its points are the sum of the parts that are stored and shown with
it.

A point is worth some days: a thought stands where it would if it were that much newer. So an order once given holds
with time, and a page of it can begin at any place. Only the worker comes here: numpy is imported where it is needed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from constance import config
from django.utils import timezone

from thoughts.embeddings import preference_vectors, thought_vectors
from thoughts.models import Preference, Taste, Thought
from thoughts.text.labels import foreign

if TYPE_CHECKING:
    from thoughts.embeddings import Vector
    from thoughts.taste import regression

LEARNED_FROM = 400  # thoughts at most, those that the owner did something with last
RANKED_AGAIN = 1000  # new ones at most, the newest first
BATCH = 200
SHOWN = 5  # parts; what the smaller ones come to is one more
POINTS_MOST = 10.0
MATCH_FROM, MATCH_TO = 0.1, 0.6  # cosines of a few words with a text: none of it, all of it
SEED_MATCH = 0.5  # of a find without a vector with the preference that it was looked for
LIKE_WEIGHT, NOVELTY_WEIGHT, EXPLORATION_WEIGHT, STRENGTH_MOST = 1.8, 0.1, 0.2, 1.5
A_DAY = timedelta(days=1)
# What each act says, from -1 to 1, and how little that is. A reaction says most, and it alone where there is one.
REACTED, HIDDEN, SAVED, OPENED = (1.0, 1.0), (-0.7, 1.0), (0.7, 1.0), (0.5, 3.0)


def catch_up(model: str) -> int:
    """Give points to new thoughts that have none; to all of them anew where the owner's taste changed. Return to how
    many.
    """
    known, now, preferences = Taste.the_only(), timezone.now(), list(Preference.objects.order_by("pk"))
    state = _checksum(model, preferences, known.changed_at)
    changed = known.preferences != state
    rows = Thought.objects.unread() if changed else Thought.objects.unread().filter(points=None)
    thoughts = list(rows.order_by("-created_at")[:RANKED_AGAIN])
    nothing_known = not preferences and known.changed_at is None and not known.preferences
    if not thoughts and (nothing_known or not changed):
        return 0
    learned = _learned(model, preferences, known.since)
    if changed:
        weights = _named(_weights(learned), preferences)
        known = Taste(
            pk=known.pk,
            weights=weights,
            outcomes=len(learned.thoughts),
            learned_at=now,
            preferences=state,
            since=known.since,
        )
        known.save(update_fields=["weights", "outcomes", "learned_at", "preferences"])
    for first in range(0, len(thoughts), BATCH):
        _give_points(model, learned, thoughts[first : first + BATCH], preferences)
    _spread(model)
    return len(thoughts)


def _checksum(model: str, preferences: Iterable[Preference], changed_at: datetime | None) -> str:
    """Return what differs as soon as a preference, or what it means, is another one, or the owner showed taste.

    `changed_at` as it was read before all that is learned from: what is committed while this learns is learned the next
    time.
    """
    embedded = preference_vectors(model, preferences).keys()
    said = [(row.pk, row.text, row.valence, row.muted, row.strength, row.pk in embedded) for row in preferences]
    return hashlib.sha256(repr((model, changed_at, said)).encode()).hexdigest()


# Learning
# ---------------------------------------------------------------------------------------------------------------------


def _learned(model: str, preferences: Sequence[Preference], since: datetime | None) -> regression.Taste:
    from thoughts.taste.regression import Outcome, Taste

    shown = Thought.objects.filter(taught_at__isnull=False)
    rows = list((shown.filter(taught_at__gt=since) if since else shown).order_by("-taught_at")[:LEARNED_FROM])
    told = [(row, outcome) for row in rows if (outcome := outcome_of(row))]
    finds = _finds(model, [row for row, _ in told], preferences)
    outcomes = [Outcome(find, *outcome) for find, (_, outcome) in zip(finds, told, strict=True)]
    return Taste.learned(outcomes, _priors(preferences))


@dataclass(frozen=True)
class Worth:
    """How many points a find would have. `like`: the title of what was disliked that it is so like that it is not worth
    telling.
    """

    points: float
    like: str = ""


def worths(model: str, found: Sequence[tuple[str, Vector]]) -> list[Worth]:
    """Return what finds would be worth of which a domain and a vector are known; nothing at all before anything was
    learned.
    """
    from thoughts.taste.regression import Find

    preferences = list(Preference.objects.order_by("pk"))
    learned = _learned(model, preferences, Taste.the_only().since)
    if not learned.thoughts:
        return []
    liked = preference_vectors(model, preferences)
    finds = [Find("", "", {f"source:{domain}": 1.0} | _matches(vector, liked), vector) for domain, vector in found]
    against = learned.disliked(finds)
    titles = {
        str(pk): title for pk, title in Thought.objects.filter(pk__in=filter(None, against)).values_list("pk", "title")
    }
    points = [sum(part.points for part in parts) for parts in learned.parts(finds)]
    return [Worth(most, titles.get(key, "")) for most, key in zip(points, against, strict=True)]


def outcome_of(thought: Thought) -> tuple[float, float] | None:
    """Return what the owner made of a thought, from -1 to 1, and how little it says; None when nothing is known."""
    if thought.reaction is not None:
        return thought.reaction * REACTED[0], REACTED[1]
    acts = ((thought.hidden_at, HIDDEN), (thought.saved_at, SAVED), (thought.opened_at, OPENED))
    return next((said for at, said in acts if at is not None), None)


def _priors(preferences: Iterable[Preference]) -> dict[str, float]:
    """Return what weights begin with: what the owner said counts before anything is learned."""
    said = {f"preference:{row.pk}": row.valence * LIKE_WEIGHT * _strength(row) for row in preferences}
    return said | {"novelty": NOVELTY_WEIGHT, "exploration": EXPLORATION_WEIGHT}


def _strength(row: Preference) -> float:
    return 0.0 if row.muted else min(max(row.strength, 0.0), STRENGTH_MOST)


# Features
# ---------------------------------------------------------------------------------------------------------------------


def _finds(model: str, thoughts: Sequence[Thought], preferences: Sequence[Preference]) -> list[regression.Find]:
    from thoughts.taste.regression import Find

    vectors, liked = thought_vectors(model, [row.pk for row in thoughts]), preference_vectors(model, preferences)
    read = Thought.objects.archived().order_by("-created_at").values_list("pk", flat=True)
    seen = thought_vectors(model, read[: config.DUPLICATE_LOOKBACK])
    return [
        Find(str(row.pk), row.title, _features(row, vectors.get(row.pk), liked, seen), vectors.get(row.pk))
        for row in thoughts
    ]


def _features(
    row: Thought, vector: Vector | None, liked: dict[int, Vector], seen: dict[Any, Vector]
) -> dict[str, float]:
    """Return the named features of a thought, each from 0 to 1."""
    domains = foreign(row.origin)
    found = {f"source:{domain}": 1 / len(domains) for domain in domains} | {"exploration": float(row.explores)}
    if vector is None:
        return found | ({f"preference:{row.preference_id}": SEED_MATCH} if row.preference_id else {})
    match = _matches(vector, liked)
    nearest = max((float(vector @ other) for key, other in seen.items() if key != row.pk), default=0.0)
    return found | match | {"novelty": 1 - _share(nearest, 0.2, 0.8)}


def _matches(vector: Vector, liked: dict[int, Vector]) -> dict[str, float]:
    return {f"preference:{key}": _share(float(vector @ other), MATCH_FROM, MATCH_TO) for key, other in liked.items()}


def _share(cosine: float, low: float, high: float) -> float:
    return min(max((cosine - low) / (high - low), 0.0), 1.0)


# Points
# ---------------------------------------------------------------------------------------------------------------------


def _give_points(
    model: str, learned: regression.Taste, thoughts: Sequence[Thought], preferences: Sequence[Preference]
) -> None:
    days = config.DAYS_PER_POINT
    every = learned.parts(_finds(model, thoughts, preferences))
    named = _named([part for parts in every for part in parts[:SHOWN]], preferences)
    texts = {(each["kind"], each["key"]): each["text"] for each in named}
    for thought, parts in zip(thoughts, every, strict=True):
        shown = [_written(part, texts[part.kind, part.key]) for part in parts[:SHOWN]]
        rest = sum(part.points for part in parts[SHOWN:])
        thought.reasons = [
            *shown,
            *([{"kind": "rest", "key": "", "text": "", "points": round(rest, 2)}] if round(rest, 2) else []),
        ]
        thought.points = _points(thought.reasons)
        thought.stands_at = place(thought.created_at, thought.points, days)
    Thought.objects.bulk_update(thoughts, ["points", "reasons", "stands_at"])


def _spread(model: str) -> None:
    """Keep a page from filling with one thing: of those on top each loses points for being like any that stands above
    it.
    """
    from thoughts.taste.regression import CROWD, SPREAD, Find, crowded, likeness

    rows = list(Thought.objects.unread().exclude(points=None).order_by("-stands_at", "-id")[:SPREAD])
    rows.sort(key=lambda row: row.pk, reverse=True)  # of equal ones the order is that of the feed
    vectors = thought_vectors(model, [row.pk for row in rows])
    finds = [Find(str(row.pk), "", {}, vectors.get(row.pk)) for row in rows]
    days = config.DAYS_PER_POINT
    apart = [_points([part for part in row.reasons if part["kind"] != "crowd"]) for row in rows]
    standing = [
        (place(row.created_at, points, days) - rows[0].created_at) / A_DAY
        for row, points in zip(rows, apart, strict=True)
    ]
    is_free = [row.watch_id is None for row in rows]  # what a watch tells was asked for
    shares = crowded(standing, likeness(finds, finds), is_free, CROWD * days)
    changed = [row for row, share in zip(rows, shares, strict=True) if _crowd(row, -round(CROWD * share, 2), days)]
    Thought.objects.bulk_update(changed, ["points", "reasons", "stands_at"])


def _crowd(row: Thought, points: float, days_per_point: float) -> bool:
    """Put this part in the place of the one that there was; return whether that changed anything."""
    others = [part for part in row.reasons if part["kind"] != "crowd"]
    reasons = [*others, *([{"kind": "crowd", "key": "", "text": "", "points": points}] if points else [])]
    if reasons == row.reasons:
        return False
    row.reasons, row.points = reasons, _points(reasons)
    row.stands_at = place(row.created_at, row.points, days_per_point)
    return True


def _points(reasons: Iterable[dict[str, Any]]) -> float:
    total: float = round(sum(part["points"] for part in reasons), 2)
    return min(max(total, -POINTS_MOST), POINTS_MOST)


def place(created_at: datetime, points: float, days_per_point: float) -> datetime:
    return created_at + timedelta(days=points * days_per_point)


def _weights(learned: regression.Taste) -> list[regression.Part]:
    """Return every weight as the part that it is of a find to which its feature applies wholly, the largest first."""
    from thoughts.taste.regression import LEAST, Part

    parts = [Part(*_split(name), points) for name, points in learned.weights.items()]
    parts += [Part("liked" if points > 0 else "disliked", key, points) for key, points in learned.thoughts.items()]
    return sorted((part for part in parts if abs(part.points) >= LEAST), key=lambda part: -abs(part.points))


def _split(name: str) -> tuple[str, str]:
    kind, _, key = name.partition(":")
    return kind, key


def _named(parts: Iterable[regression.Part], preferences: Iterable[Preference]) -> list[dict[str, Any]]:
    """Return parts with the words for them: of a preference, a domain, the title of a thought."""
    parts, said = list(parts), {str(row.pk): row.text for row in preferences}
    keys = {part.key for part in parts if part.kind in ("liked", "disliked")}
    titles = {str(pk): title for pk, title in Thought.objects.filter(pk__in=keys).values_list("pk", "title")}
    return [
        _written(part, said.get(part.key) or titles.get(part.key) or (part.key if part.kind == "source" else ""))
        for part in parts
    ]


def _written(part: regression.Part, text: str) -> dict[str, Any]:
    return {"kind": part.kind, "key": part.key, "text": text, "points": round(part.points, 2)}
