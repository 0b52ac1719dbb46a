"""Compute the points of new thoughts, with the reasons that each card shows.

A point is worth some days: a thought ranks as if it were that much newer. Therefore an order stays valid as time
passes, and a page can start at any place. Only the worker imports this module; numpy is imported inside the functions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from constance import config
from django.utils import timezone

from thoughts.index.meanings import preference_vectors, thought_vectors
from thoughts.models import Preference, Taste, Thought
from thoughts.models.preferences import STRENGTH_MOST
from thoughts.text.labels import foreign

if TYPE_CHECKING:
    from thoughts.index.vectors import Vector
    from thoughts.taste import regression

LEARNED_FROM = 400  # thoughts at most, those with the latest actions of the owner
RANKED_AGAIN = 1000  # new thoughts at most, the newest first
BATCH = 200
PARTS_SHOWN = 5  # the sum of the smaller parts is one more
POINTS_MOST = 10.0
MATCH_FROM, MATCH_TO = 0.1, 0.6  # cosines of a preference with a text: no match, full match
SEED_MATCH = 0.5  # match of a find without a vector with its seed preference
LIKE_WEIGHT, NOVELTY_WEIGHT, EXPLORATION_WEIGHT = 1.8, 0.1, 0.2
WATCH_WEIGHT = LIKE_WEIGHT  # the owner asked for a watch's report, as for what matches an interest fully
A_DAY = timedelta(days=1)
# The worth of each action from -1 to 1, and its noise. A reaction overrides all other actions.
REACTED, HIDDEN, SAVED, OPENED = (1.0, 1.0), (-0.7, 1.0), (0.7, 1.0), (0.5, 3.0)


def catch_up(model: str) -> int:
    """Compute points of new thoughts without any, or of all new thoughts if taste changed.

    Return how many.
    """
    row, now, preferences = Taste.the_only(), timezone.now(), list(Preference.objects.order_by("pk"))
    state = _checksum(model, preferences, row.changed_at)
    is_stale = row.preferences != state
    rows = Thought.objects.unread() if is_stale else Thought.objects.unread().filter(points=None)
    thoughts = list(rows.order_by("-created_at")[:RANKED_AGAIN])
    nothing_known = not preferences and row.changed_at is None and not row.preferences
    if not thoughts and (nothing_known or not is_stale):
        return 0
    taste = learn_taste(model, preferences, row.since)
    if is_stale:
        weights = _with_texts(_weights(taste), preferences)
        row = Taste(
            pk=row.pk,
            weights=weights,
            outcomes=len(taste.thoughts),
            learned_at=now,
            preferences=state,
            since=row.since,
        )
        row.save(update_fields=["weights", "outcomes", "learned_at", "preferences"])
    for first in range(0, len(thoughts), BATCH):
        batch = thoughts[first : first + BATCH]
        give_points(model, taste, batch, preferences)
        Thought.objects.bulk_update(batch, ["points", "reasons", "stands_at"])
    _spread(model)
    return len(thoughts)


def _checksum(model: str, preferences: Iterable[Preference], changed_at: datetime | None) -> str:
    """Return a checksum that changes with preferences, their vectors and `changed_at`.

    The caller reads `changed_at` first: whatever is committed during learning makes the next run learn again.
    """
    embedded = preference_vectors(model, preferences).keys()
    state = [(row.pk, row.text, row.valence, row.muted, row.strength, row.pk in embedded) for row in preferences]
    return hashlib.sha256(repr((model, changed_at, state)).encode()).hexdigest()


# Learning
# ---------------------------------------------------------------------------------------------------------------------


def learn_taste(model: str, preferences: Sequence[Preference], since: datetime | None) -> regression.Taste:
    from thoughts.taste.regression import Outcome, Taste

    taught = Thought.objects.filter(taught_at__isnull=False)
    rows = list((taught.filter(taught_at__gt=since) if since else taught).order_by("-taught_at")[:LEARNED_FROM])
    judged = [(row, outcome) for row in rows if (outcome := outcome_of(row))]
    finds = _finds(model, [row for row, _ in judged], preferences)
    outcomes = [Outcome(find, *outcome) for find, (_, outcome) in zip(finds, judged, strict=True)]
    return Taste.learn(outcomes, _priors(preferences))


@dataclass(frozen=True)
class Worth:
    """The expected points of a find.

    `like` is the title of a disliked thought if the find is so similar that it should be discarded.
    """

    points: float
    like: str = ""


def worths(model: str, sources: Sequence[tuple[str, Vector]]) -> list[Worth]:
    """Return the expected points of finds with a domain and a vector.

    The list is empty before anything was learned.
    """
    from thoughts.taste.regression import Find

    preferences = list(Preference.objects.order_by("pk"))
    taste = learn_taste(model, preferences, Taste.the_only().since)
    if not taste.thoughts:
        return []
    liked = preference_vectors(model, preferences)
    finds = [Find("", "", {f"source:{domain}": 1.0} | _matches(vector, liked), vector) for domain, vector in sources]
    against = taste.disliked(finds)
    titles = {
        str(pk): title for pk, title in Thought.objects.filter(pk__in=filter(None, against)).values_list("pk", "title")
    }
    points = [sum(part.points for part in parts) for parts in taste.parts(finds)]
    return [Worth(most, titles.get(key, "")) for most, key in zip(points, against, strict=True)]


def outcome_of(thought: Thought) -> tuple[float, float] | None:
    """Return the worth of a thought to the owner, from -1 to 1, with its noise.

    Return None without any action.
    """
    if thought.reaction is not None:
        return thought.reaction * REACTED[0], REACTED[1]
    acts = ((thought.hidden_at, HIDDEN), (thought.saved_at, SAVED), (thought.opened_at, OPENED))
    return next((outcome for at, outcome in acts if at is not None), None)


def _priors(preferences: Iterable[Preference]) -> dict[str, float]:
    """Return the weights before any learning: the stated preferences."""
    preference_priors = {f"preference:{row.pk}": row.valence * LIKE_WEIGHT * _strength(row) for row in preferences}
    return preference_priors | {
        "novelty": NOVELTY_WEIGHT,
        "exploration": EXPLORATION_WEIGHT,
        "watch": WATCH_WEIGHT,
    }


def _strength(row: Preference) -> float:
    return 0.0 if row.muted else min(max(row.strength, 0.0), STRENGTH_MOST)


# Features
# ---------------------------------------------------------------------------------------------------------------------


def _finds(model: str, thoughts: Sequence[Thought], preferences: Sequence[Preference]) -> list[regression.Find]:
    from thoughts.taste.regression import Find

    vectors, liked = thought_vectors(model, [row.pk for row in thoughts]), preference_vectors(model, preferences)
    read = Thought.objects.archived().order_by("-created_at").values_list("pk", flat=True)
    archive = thought_vectors(model, read[: config.DUPLICATE_LOOKBACK])
    return [
        Find(str(row.pk), row.title, _features(row, vectors.get(row.pk), liked, archive), vectors.get(row.pk))
        for row in thoughts
    ]


def _features(
    row: Thought, vector: Vector | None, liked: dict[int, Vector], archive: dict[Any, Vector]
) -> dict[str, float]:
    """Return the named features of a thought, each from 0 to 1."""
    domains = foreign(row.origin)
    features = {f"source:{domain}": 1 / len(domains) for domain in domains}
    features |= {"exploration": float(row.explores), "watch": float(row.watch_id is not None)}
    if vector is None:
        return features | ({f"preference:{row.preference_id}": SEED_MATCH} if row.preference_id else {})
    match = _matches(vector, liked)
    nearest = max((float(vector @ other) for key, other in archive.items() if key != row.pk), default=0.0)
    return features | match | {"novelty": 1 - _share(nearest, 0.2, 0.8)}


def _matches(vector: Vector, liked: dict[int, Vector]) -> dict[str, float]:
    return {f"preference:{key}": _share(float(vector @ other), MATCH_FROM, MATCH_TO) for key, other in liked.items()}


def _share(cosine: float, low: float, high: float) -> float:
    return min(max((cosine - low) / (high - low), 0.0), 1.0)


# Points
# ---------------------------------------------------------------------------------------------------------------------


def give_points(
    model: str, taste: regression.Taste, thoughts: Sequence[Thought], preferences: Sequence[Preference]
) -> None:
    """Set the points of thoughts with their reasons and places, and store nothing."""
    days = config.DAYS_PER_POINT
    every = taste.parts(_finds(model, thoughts, preferences))
    parts_with_text = _with_texts([part for parts in every for part in parts[:PARTS_SHOWN]], preferences)
    texts = {(part["kind"], part["key"]): part["text"] for part in parts_with_text}
    for thought, parts in zip(thoughts, every, strict=True):
        reasons = [_as_reason(part, texts[part.kind, part.key]) for part in parts[:PARTS_SHOWN]]
        rest = sum(part.points for part in parts[PARTS_SHOWN:])
        thought.reasons = [
            *reasons,
            *([{"kind": "rest", "key": "", "text": "", "points": round(rest, 2)}] if round(rest, 2) else []),
        ]
        thought.points = _points(thought.reasons)
        thought.stands_at = place(thought.created_at, thought.points, days)


def _spread(model: str) -> None:
    Thought.objects.bulk_update(spread(model, top_thoughts()), ["points", "reasons", "stands_at"])


def top_thoughts() -> list[Thought]:
    from thoughts.taste.regression import SPREAD

    return list(Thought.objects.unread().exclude(points=None).order_by("-stands_at", "-id")[:SPREAD])


def spread(model: str, top: Sequence[Thought]) -> list[Thought]:
    """Lower thoughts near the top that are similar to a higher one; return those that changed, and store nothing."""
    from thoughts.taste.regression import CROWD, Find, crowded, likeness

    rows = list(top)
    if not rows:
        return []
    rows.sort(key=lambda row: row.pk, reverse=True)  # ties in the order of the feed
    vectors = thought_vectors(model, [row.pk for row in rows])
    finds = [Find(str(row.pk), "", {}, vectors.get(row.pk)) for row in rows]
    days = config.DAYS_PER_POINT
    apart = [_points([part for part in row.reasons if part["kind"] != "crowd"]) for row in rows]
    standing = [
        (place(row.created_at, points, days) - rows[0].created_at) / A_DAY
        for row, points in zip(rows, apart, strict=True)
    ]
    is_free = [row.watch_id is None for row in rows]  # the owner asked for a watch's alerts
    shares = crowded(standing, likeness(finds, finds), is_free, CROWD * days)
    return [row for row, share in zip(rows, shares, strict=True) if _crowd(row, -round(CROWD * share, 2), days)]


def _crowd(row: Thought, points: float, days_per_point: float) -> bool:
    """Replace the crowd part of a thought; return whether anything changed."""
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


def _weights(taste: regression.Taste) -> list[regression.Part]:
    """Return every weight as a part with a full feature, the largest first."""
    from thoughts.taste.regression import LEAST, Part

    parts = [Part(*_split(name), points) for name, points in taste.weights.items()]
    parts += [Part("liked" if points > 0 else "disliked", key, points) for key, points in taste.thoughts.items()]
    return sorted((part for part in parts if abs(part.points) >= LEAST), key=lambda part: -abs(part.points))


def _split(name: str) -> tuple[str, str]:
    kind, _, key = name.partition(":")
    return kind, key


def _with_texts(parts: Iterable[regression.Part], preferences: Iterable[Preference]) -> list[dict[str, Any]]:
    """Return parts with their text: of a preference, a domain, or the title of a thought."""
    parts, preference_texts = list(parts), {str(row.pk): row.text for row in preferences}
    keys = {part.key for part in parts if part.kind in ("liked", "disliked")}
    titles = {str(pk): title for pk, title in Thought.objects.filter(pk__in=keys).values_list("pk", "title")}
    return [
        _as_reason(
            part, preference_texts.get(part.key) or titles.get(part.key) or (part.key if part.kind == "source" else "")
        )
        for part in parts
    ]


def _as_reason(part: regression.Part, text: str) -> dict[str, Any]:
    return {"kind": part.kind, "key": part.key, "text": text, "points": round(part.points, 2)}
