"""Meanings: the vectors of thoughts, preferences and candidates, stored beside them with the model that made them.

Who makes the vectors is not known here. numpy is imported where it is used: the web process has no need of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q

from thoughts.models import Candidate, CandidateMeaning, Preference, PreferenceMeaning, Thought, ThoughtMeaning
from thoughts.rendering import plain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Matrix = NDArray[np.float32]

FOUND, FOUND_COSINE = (
    60,
    0.25,
)  # a search gives so many at most; below that cosine texts have little to do with each other
COMPARED = (
    1000  # by all their numbers: with so many a search among a million finds what one that compares them all does
)
READ_TOGETHER = 10_000


@dataclass(frozen=True)
class Embedded:
    """The vectors of some texts, and the model that made them."""

    model: str
    vectors: Mapping[str, Vector]


def words_of(title: str, text: str) -> str:
    """Return the words of a find that are embedded."""
    return f"{title}\n{text}"


def text_of(thought: Thought) -> str:
    return words_of(thought.title, plain(thought.html) or thought.text)


def unembedded_thoughts(model: str, count: int) -> list[Thought]:
    """Return thoughts without a vector of this model: those without any, the newest first, then those that another
    model left.
    """
    # Three places in one index, where "not equal" would read all rows.
    for place in (Q(embedded_with=""), Q(embedded_with__gt="", embedded_with__lt=model), Q(embedded_with__gt=model)):
        if found := list(Thought.objects.filter(place).order_by("embedded_with", "-created_at")[:count]):
            return found
    return []


def unembedded_preferences(model: str, count: int) -> list[Preference]:
    """Return preferences without a vector of this model for the words that they have now."""
    known = dict(PreferenceMeaning.objects.filter(model=model).values_list("preference_id", "text"))
    return [row for row in Preference.objects.order_by("pk") if known.get(row.pk) != row.text][:count]


def unembedded_candidates(model: str, count: int) -> list[Candidate]:
    """Return candidates without a vector of this model, the newest first. Answered ones too: what is like them is not
    offered again.
    """
    return list(Candidate.objects.exclude(meaning__model=model).order_by("-pk")[:count])


@transaction.atomic
def keep_thoughts(model: str, thoughts: Sequence[Thought], vectors: Matrix) -> None:
    """Store one vector for each thought; those deleted meanwhile are left out. Points are given anew with what it
    means.
    """
    there = set(
        Thought.objects.select_for_update().filter(pk__in=[each.pk for each in thoughts]).values_list("pk", flat=True)
    )
    ThoughtMeaning.objects.filter(thought__in=there).delete()
    kept = [(thought, vector) for thought, vector in zip(thoughts, vectors, strict=True) if thought.pk in there]
    made = [(thought, _columns(model, vector) | {"code": code_of(vector)}) for thought, vector in kept]
    ThoughtMeaning.objects.bulk_create(ThoughtMeaning(thought_id=thought.pk, **columns) for thought, columns in made)
    Thought.objects.filter(pk__in=there).update(embedded_with=model, points=None)


@transaction.atomic
def keep_preferences(model: str, preferences: Sequence[Preference], vectors: Matrix) -> None:
    there = set(
        Preference.objects.select_for_update()
        .filter(pk__in=[each.pk for each in preferences])
        .values_list("pk", flat=True)
    )
    for preference, vector in zip(preferences, vectors, strict=True):
        if preference.pk in there:
            columns = _columns(model, vector) | {"text": preference.text}
            PreferenceMeaning.objects.update_or_create(preference_id=preference.pk, defaults=columns)


@transaction.atomic
def keep_candidates(model: str, candidates: Sequence[Candidate], vectors: Iterable[Vector]) -> None:
    there = set(
        Candidate.objects.select_for_update()
        .filter(pk__in=[each.pk for each in candidates])
        .values_list("pk", flat=True)
    )
    for candidate, vector in zip(candidates, vectors, strict=True):
        if candidate.pk in there:
            CandidateMeaning.objects.update_or_create(candidate_id=candidate.pk, defaults=_columns(model, vector))


def _columns(model: str, vector: Vector) -> dict[str, Any]:
    return {"model": model, "dimension": len(vector), "vector": vector.astype("<f4").tobytes()}


def preference_vectors(model: str, rows: Iterable[Preference]) -> dict[int, Vector]:
    """Return the vectors that there are of these preferences, by their keys. One that was made of other words is not
    among them.
    """
    texts = {row.pk: row.text for row in rows}
    found = PreferenceMeaning.objects.filter(model=model, preference__in=texts).values_list(
        "preference_id", "text", "vector"
    )
    return {key: read_vector(stored) for key, text, stored in found if texts[key] == text}


def candidate_vectors(model: str) -> dict[int, Vector]:
    """Return the vectors that there are of all candidates, by their keys."""
    found = CandidateMeaning.objects.filter(model=model).values_list("candidate_id", "vector")
    return {key: read_vector(stored) for key, stored in found}


def thought_vectors(model: str, keys: Iterable[Any]) -> dict[Any, Vector]:
    """Return the vectors that there are of these thoughts, by their keys."""
    found = ThoughtMeaning.objects.filter(model=model, thought__in=list(keys)).values_list("thought_id", "vector")
    return {key: read_vector(stored) for key, stored in found}


def nearest(model: str, vector: Vector) -> list[tuple[UUID, float]]:
    """Return the thoughts nearest to a vector, at most FOUND of them, with their cosines.

    Looks at the signs of all vectors of this model, a bit for each of their numbers, and at the numbers themselves of
    those whose signs are most like it. However many there are, no more than READ_TOGETHER are in memory.
    """
    keys = _likely(model, vector)
    cosines = {key: float(other @ vector) for key, other in thought_vectors(model, keys).items()}
    best = sorted(cosines.items(), key=lambda each: -each[1])[:FOUND]
    return [(key, closeness) for key, closeness in best if closeness >= FOUND_COSINE]


def code_of(vector: Vector) -> bytes:
    """Return the signs of a vector's numbers, a bit each."""
    import numpy as np

    return np.packbits(vector > 0).tobytes()


def _likely(model: str, vector: Vector) -> list[UUID]:
    """Return the thoughts whose signs are most like a vector's numbers: where they are positive, its numbers add up to
    most.
    """
    import numpy as np

    best: list[tuple[float, str]] = []
    least = -np.inf
    for keys, codes in _coded(model, len(vector)):
        signs = np.unpackbits(np.frombuffer(codes, np.uint8).reshape(len(keys), -1), axis=1, count=len(vector))
        sums = signs @ vector
        best += [(float(sums[place]), keys[place]) for place in np.flatnonzero(sums > least)]
        best = sorted(best, key=lambda each: -each[0])[:COMPARED]
        least = best[-1][0] if len(best) == COMPARED else least
    return [UUID(key) for _, key in best]


def _coded(model: str, dimension: int) -> Iterator[tuple[list[str], bytes]]:
    """Yield keys, as text, and their codes one behind the other: making a UUID of each key would take longer than all
    the rest.
    """
    table = connection.ops.quote_name(ThoughtMeaning._meta.db_table)
    with _reading() as cursor:
        cursor.execute(
            f"SELECT CAST(thought_id AS text), code FROM {table} WHERE model = %s AND dimension = %s",  # noqa: S608
            [model, dimension],
        )
        while some := cursor.fetchmany(READ_TOGETHER):
            yield [key for key, _ in some], b"".join(code for _, code in some)


@contextmanager
def _reading() -> Iterator[Any]:
    """Yield a cursor that brings rows as they are fetched. PostgreSQL keeps them ready in a transaction; SQLite would
    lock others out.
    """
    in_one = transaction.atomic() if connection.vendor == "postgresql" else nullcontext()
    with in_one, connection.chunked_cursor() as cursor:
        yield cursor


def read_vector(stored: bytes | memoryview) -> Vector:
    import numpy as np

    return np.frombuffer(stored, "<f4")
