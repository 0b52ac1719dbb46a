"""Store and compare the vectors of thoughts, preferences and candidates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import QuerySet

from thoughts.index.vectors import COMPARED, closest, code_of, unembedded
from thoughts.models import Candidate, CandidateMeaning, Preference, PreferenceMeaning, Thought, ThoughtMeaning
from thoughts.rendering import plain

if TYPE_CHECKING:
    from thoughts.index.vectors import Matrix, Vector

# Results of a search at most; texts below this cosine are unrelated.
HITS_MAX, HIT_COSINE = 60, 0.25
KIND = "<f4"  # of a vector's numbers
READ_TOGETHER = 10_000  # rows in memory at once


@dataclass(frozen=True)
class Embedded:
    """The vectors of some texts, and the model that made them."""

    model: str
    vectors: Mapping[str, Vector]


def words_of(title: str, text: str) -> str:
    """Return the text of a find that is embedded."""
    return f"{title}\n{text}"


def text_to_embed(thought: Thought) -> str:
    return words_of(thought.title, plain(thought.html) or thought.text)


def unembedded_thoughts(model: str, count: int) -> list[Thought]:
    return unembedded(Thought.objects.all(), model, "-created_at", count)


def unembedded_preferences(model: str, count: int) -> list[Preference]:
    """Return preferences without a vector of this model for their current text."""
    embedded_texts = dict(PreferenceMeaning.objects.filter(model=model).values_list("preference_id", "text"))
    return [row for row in Preference.objects.order_by("pk") if embedded_texts.get(row.pk) != row.text][:count]


def unembedded_candidates(model: str, count: int) -> list[Candidate]:
    """Return candidates without a vector of this model, the newest first.

    Answered candidates count too: similar candidates are not offered again.
    """
    return list(Candidate.objects.exclude(meaning__model=model).order_by("-pk")[:count])


@transaction.atomic
def store_thought_vectors(model: str, thoughts: Sequence[Thought], vectors: Matrix) -> None:
    """Store one vector for each thought that still exists, and have its points computed again."""
    existing = _lock(Thought.objects.all(), thoughts)
    ThoughtMeaning.objects.filter(thought__in=existing).delete()
    ThoughtMeaning.objects.bulk_create(
        ThoughtMeaning(thought_id=thought.pk, code=code_of(vector), **_columns(model, vector))
        for thought, vector in zip(thoughts, vectors, strict=True)
        if thought.pk in existing
    )
    Thought.objects.filter(pk__in=existing).update(embedded_with=model, points=None)


@transaction.atomic
def store_preference_vectors(model: str, preferences: Sequence[Preference], vectors: Matrix) -> None:
    existing = _lock(Preference.objects.all(), preferences)
    for preference, vector in zip(preferences, vectors, strict=True):
        if preference.pk in existing:
            columns = _columns(model, vector) | {"text": preference.text}
            PreferenceMeaning.objects.update_or_create(preference_id=preference.pk, defaults=columns)


@transaction.atomic
def store_candidate_vectors(model: str, candidates: Sequence[Candidate], vectors: Iterable[Vector]) -> None:
    existing = _lock(Candidate.objects.all(), candidates)
    for candidate, vector in zip(candidates, vectors, strict=True):
        if candidate.pk in existing:
            CandidateMeaning.objects.update_or_create(candidate_id=candidate.pk, defaults=_columns(model, vector))


def _lock(rows: QuerySet[Any], some: Iterable[Any]) -> set[Any]:
    """Lock those of some rows that still exist; return their keys."""
    return set(rows.select_for_update().filter(pk__in=[row.pk for row in some]).values_list("pk", flat=True))


def _columns(model: str, vector: Vector) -> dict[str, Any]:
    return {"model": model, "dimension": len(vector), "vector": vector.astype(KIND).tobytes()}


def preference_vectors(model: str, rows: Iterable[Preference]) -> dict[int, Vector]:
    """Return the vectors of these preferences by key, without those made of an earlier text."""
    texts = {row.pk: row.text for row in rows}
    meanings = PreferenceMeaning.objects.filter(model=model, preference__in=texts).values_list(
        "preference_id", "text", "vector"
    )
    return {key: read_vector(data) for key, text, data in meanings if texts[key] == text}


def candidate_vectors(model: str) -> dict[int, Vector]:
    rows = CandidateMeaning.objects.filter(model=model).values_list("candidate_id", "vector")
    return {key: read_vector(data) for key, data in rows}


def thought_vectors(model: str, keys: Iterable[Any]) -> dict[Any, Vector]:
    return {key: read_vector(data) for key, data in _thought_rows(model, keys)}


def _thought_rows(model: str, keys: Iterable[Any]) -> Iterable[tuple[Any, bytes | memoryview]]:
    return ThoughtMeaning.objects.filter(model=model, thought__in=list(keys)).values_list("thought_id", "vector")


def nearest(model: str, vector: Vector) -> list[tuple[UUID, float]]:
    """Return the thoughts nearest to a vector with their cosines, at most HITS_MAX.

    First compares the signs of all vectors of this model, one bit for each number. Only vectors with the most similar
    signs are compared by their numbers. No more than READ_TOGETHER rows are in memory.
    """
    return closest(_thought_rows(model, _likely(model, vector)), KIND, vector, HIT_COSINE)[:HITS_MAX]


def _likely(model: str, vector: Vector) -> list[UUID]:
    """Return the thoughts with the most similar signs.

    Similarity is the sum of the vector's numbers at the positive places of a thought.
    """
    import numpy as np

    best: list[tuple[float, str]] = []
    least = -np.inf
    for keys, codes in _coded(model, len(vector)):
        signs = np.unpackbits(np.frombuffer(codes, np.uint8).reshape(len(keys), -1), axis=1, count=len(vector))
        sums = signs @ vector
        best += [(float(sums[place]), keys[place]) for place in np.flatnonzero(sums > least)]
        best = sorted(best, key=lambda pair: -pair[0])[:COMPARED]
        least = best[-1][0] if len(best) == COMPARED else least
    return [UUID(key) for _, key in best]


def _coded(model: str, dimension: int) -> Iterator[tuple[list[str], bytes]]:
    """Yield keys as text, and their concatenated codes.

    Building a UUID of each key would take longer than the rest of the search.
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
    """Yield a cursor that streams rows.

    PostgreSQL needs a transaction for it; on SQLite a transaction would lock out others.
    """
    in_one = transaction.atomic() if connection.vendor == "postgresql" else nullcontext()
    with in_one, connection.chunked_cursor() as cursor:
        yield cursor


def read_vector(data: bytes | memoryview) -> Vector:
    import numpy as np

    return np.frombuffer(data, KIND)
