"""Store and compare the vectors of thoughts, preferences and candidates.

agents/embeddings makes the vectors. numpy is imported inside the functions: the web process does not need it.
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

# Results of a search at most; texts below this cosine are unrelated.
HITS_MAX, HIT_COSINE = 60, 0.25
# Candidates that are compared by their full vectors. With so many, a search among a million vectors returns the same
# as a comparison with all of them.
COMPARED = 1000
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
    """Return thoughts without a vector of this model.

    The newest without any vector come first, then those with a vector of another model.
    """
    # Three ranges of one index; "not equal" would read all rows.
    for index_range in (
        Q(embedded_with=""),
        Q(embedded_with__gt="", embedded_with__lt=model),
        Q(embedded_with__gt=model),
    ):
        if thoughts := list(Thought.objects.filter(index_range).order_by("embedded_with", "-created_at")[:count]):
            return thoughts
    return []


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
    existing = set(
        Thought.objects.select_for_update().filter(pk__in=[row.pk for row in thoughts]).values_list("pk", flat=True)
    )
    ThoughtMeaning.objects.filter(thought__in=existing).delete()
    ThoughtMeaning.objects.bulk_create(
        ThoughtMeaning(thought_id=thought.pk, code=code_of(vector), **_columns(model, vector))
        for thought, vector in zip(thoughts, vectors, strict=True)
        if thought.pk in existing
    )
    Thought.objects.filter(pk__in=existing).update(embedded_with=model, points=None)


@transaction.atomic
def store_preference_vectors(model: str, preferences: Sequence[Preference], vectors: Matrix) -> None:
    existing = set(
        Preference.objects.select_for_update()
        .filter(pk__in=[row.pk for row in preferences])
        .values_list("pk", flat=True)
    )
    for preference, vector in zip(preferences, vectors, strict=True):
        if preference.pk in existing:
            columns = _columns(model, vector) | {"text": preference.text}
            PreferenceMeaning.objects.update_or_create(preference_id=preference.pk, defaults=columns)


@transaction.atomic
def store_candidate_vectors(model: str, candidates: Sequence[Candidate], vectors: Iterable[Vector]) -> None:
    existing = set(
        Candidate.objects.select_for_update().filter(pk__in=[row.pk for row in candidates]).values_list("pk", flat=True)
    )
    for candidate, vector in zip(candidates, vectors, strict=True):
        if candidate.pk in existing:
            CandidateMeaning.objects.update_or_create(candidate_id=candidate.pk, defaults=_columns(model, vector))


def _columns(model: str, vector: Vector) -> dict[str, Any]:
    return {"model": model, "dimension": len(vector), "vector": vector.astype("<f4").tobytes()}


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
    rows = ThoughtMeaning.objects.filter(model=model, thought__in=list(keys)).values_list("thought_id", "vector")
    return {key: read_vector(data) for key, data in rows}


def nearest(model: str, vector: Vector) -> list[tuple[UUID, float]]:
    """Return the thoughts nearest to a vector with their cosines, at most HITS_MAX.

    First compares the signs of all vectors of this model, one bit for each number. Only vectors with the most similar
    signs are compared by their numbers. No more than READ_TOGETHER rows are in memory.
    """
    keys = _likely(model, vector)
    cosines = {key: float(other @ vector) for key, other in thought_vectors(model, keys).items()}
    best = sorted(cosines.items(), key=lambda pair: -pair[1])[:HITS_MAX]
    return [(key, closeness) for key, closeness in best if closeness >= HIT_COSINE]


def code_of(vector: Vector) -> bytes:
    """Return the signs of a vector's numbers, one bit each."""
    import numpy as np

    return np.packbits(vector > 0).tobytes()


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

    return np.frombuffer(data, "<f4")
