"""Meanings: the vectors of thoughts and preferences, stored beside them with the model that made them.

Who makes the vectors is not known here. numpy is imported where it is used: the web process has no need of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q

from thoughts.models import Preference, PreferenceMeaning, Thought, ThoughtMeaning
from thoughts.rendering import plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Matrix = NDArray[np.float32]

FOUND, FOUND_COSINE = 60, 0.25  # a search gives so many at most; below that cosine texts have little to do with each other
READ_TOGETHER = 4000


def words_of(title: str, text: str) -> str:
    """Return the words of a find that are embedded."""
    return f"{title}\n{text}"


def text_of(thought: Thought) -> str:
    return words_of(thought.title, plain(thought.html) or thought.text)


def unembedded_thoughts(model: str, count: int) -> list[Thought]:
    """Return thoughts without a vector of this model: those without any, the newest first, then those that another model left."""
    # Three places in one index, where "not equal" would read all rows.
    for place in (Q(embedded_with=""), Q(embedded_with__gt="", embedded_with__lt=model), Q(embedded_with__gt=model)):
        if found := list(Thought.objects.filter(place).order_by("embedded_with", "-created_at")[:count]):
            return found
    return []


def unembedded_preferences(model: str, count: int) -> list[Preference]:
    """Return preferences without a vector of this model for the words that they have now."""
    known = dict(PreferenceMeaning.objects.filter(model=model).values_list("preference_id", "text"))
    return [row for row in Preference.objects.order_by("pk") if known.get(row.pk) != row.text][:count]


@transaction.atomic
def keep_thoughts(model: str, thoughts: Sequence[Thought], vectors: Matrix) -> None:
    """Store one vector for each thought; those deleted meanwhile are left out. Points are given anew with what it means."""
    there = set(Thought.objects.select_for_update().filter(pk__in=[each.pk for each in thoughts]).values_list("pk", flat=True))
    ThoughtMeaning.objects.filter(thought__in=there).delete()
    made = [(thought, _columns(model, vector)) for thought, vector in zip(thoughts, vectors, strict=True) if thought.pk in there]
    ThoughtMeaning.objects.bulk_create(ThoughtMeaning(thought_id=thought.pk, **columns) for thought, columns in made)
    Thought.objects.filter(pk__in=there).update(embedded_with=model, points=None)


@transaction.atomic
def keep_preferences(model: str, preferences: Sequence[Preference], vectors: Matrix) -> None:
    there = set(Preference.objects.select_for_update().filter(pk__in=[each.pk for each in preferences]).values_list("pk", flat=True))
    for preference, vector in zip(preferences, vectors, strict=True):
        if preference.pk in there:
            columns = _columns(model, vector) | {"text": preference.text}
            PreferenceMeaning.objects.update_or_create(preference_id=preference.pk, defaults=columns)


def _columns(model: str, vector: Vector) -> dict[str, Any]:
    return {"model": model, "dimension": len(vector), "vector": vector.astype("<f4").tobytes()}


def preference_vectors(model: str, rows: Iterable[Preference]) -> dict[int, Vector]:
    """Return the vectors that there are of these preferences, by their keys. One that was made of other words is not among them."""
    texts = {row.pk: row.text for row in rows}
    found = PreferenceMeaning.objects.filter(model=model, preference__in=texts).values_list("preference_id", "text", "vector")
    return {key: read_vector(stored) for key, text, stored in found if texts[key] == text}


def thought_vectors(model: str, keys: Iterable[Any]) -> dict[Any, Vector]:
    """Return the vectors that there are of these thoughts, by their keys."""
    found = ThoughtMeaning.objects.filter(model=model, thought__in=list(keys)).values_list("thought_id", "vector")
    return {key: read_vector(stored) for key, stored in found}


def nearest(model: str, vector: Vector) -> list[tuple[UUID, float]]:
    """Return the thoughts nearest to a vector, at most FOUND of them, with their cosines. Reads every vector there is of this model."""
    import numpy as np

    best: list[tuple[object, float]] = []
    for keys, stored in _stored(model, len(vector)):
        cosines = np.frombuffer(b"".join(stored), "<f4").reshape(len(keys), -1) @ vector
        near = [(keys[place], float(cosines[place])) for place in np.flatnonzero(cosines >= FOUND_COSINE)]
        best = sorted(best + near, key=lambda each: -each[1])[:FOUND]
    return [(UUID(str(key)), closeness) for key, closeness in best]


def _stored(model: str, dimension: int) -> Iterator[tuple[tuple[object, ...], tuple[bytes, ...]]]:
    """Yield keys and vectors as the database gives them: making a UUID of each key would take longer than all the rest."""
    table = connection.ops.quote_name(ThoughtMeaning._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT thought_id, vector FROM {table} WHERE model = %s AND dimension = %s", [model, dimension])  # noqa: S608
        while some := cursor.fetchmany(READ_TOGETHER):
            keys, vectors = zip(*some, strict=True)
            yield keys, vectors


def read_vector(stored: bytes | memoryview) -> Vector:
    import numpy as np

    return np.frombuffer(stored, "<f4")
