"""Store the vectors of passages, and find passages by their meaning.

The signs of all vectors are compared in memory, the nearest by their numbers. For the worker alone. The signs take 48
bytes a passage, and leave the memory after IDLE_S without a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import Count, Max, Q

from thoughts.index.vectors import COMPARED, closest, code_of, unembedded
from thoughts.models import Chunk, Kept

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thoughts.index.vectors import Matrix, Vector

KIND = "<f2"  # of a vector's numbers
MORE = 3  # times as many, because some were forgotten
CLOSE = 0.2  # passages below this cosine are unrelated
READ_TOGETHER = 20_000
IDLE_S = 600.0


@dataclass(frozen=True)
class _State:
    """What must be the same for the signs in memory to be those of the database."""

    model: str
    entries: int
    newest: datetime | None


@dataclass(frozen=True)
class _Signs:
    state: _State
    keys: NDArray[np.int64]
    codes: NDArray[np.uint64]


class _InMemory:
    """The signs in memory, and when they were last used."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.signs: _Signs | None = None
        self.used_at = 0.0


_memory = _InMemory()


def by_meaning(model: str, vector: Vector, allowed: Q, most: int, *, is_narrowed: bool) -> dict[int, float]:
    """Return the cosines of the `allowed` passages nearest to a vector of this model, at most `most`, nearest first.

    `is_narrowed`: `allowed` leaves out more than what is forgotten, so that the nearest of all may not be among them.
    """
    import numpy as np

    signs = _signs_now(model)
    keys, codes = signs.keys, signs.codes
    if is_narrowed:
        chosen = np.isin(
            keys, np.fromiter(Chunk.objects.filter(allowed).order_by().values_list("pk", flat=True), np.int64)
        )
        keys, codes = keys[chosen], codes[chosen]
    if not len(keys):
        return {}
    distances = np.bitwise_count(codes ^ _padded(np.packbits(vector > 0)[None])).sum(axis=1, dtype=np.uint16)
    nearest = np.argpartition(distances, COMPARED)[:COMPARED] if len(keys) > COMPARED else np.arange(len(keys))
    close = closest(_vectors(keys[nearest].tolist()), KIND, vector, CLOSE)[: MORE * most]
    # What was forgotten is still among the signs in memory.
    there = set(Chunk.objects.filter(allowed, pk__in=[key for key, _ in close]).values_list("pk", flat=True))
    return dict([one for one in close if one[0] in there][:most])


def _vectors(keys: Iterable[int]) -> list[tuple[int, bytes]]:
    """Return the vectors of passages. A thousand parameters would take Django longer than the search."""
    table, numbers = connection.ops.quote_name(Chunk._meta.db_table), ",".join(str(int(key)) for key in keys)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT id, vector FROM {table} WHERE id IN ({numbers or 'NULL'}) AND code <> %s", [b""])  # noqa: S608
        rows: list[tuple[int, bytes]] = cursor.fetchall()
    return rows


def drop_idle() -> None:
    """Give the memory back once nobody has searched for IDLE_S."""
    if _memory.signs is not None and time.monotonic() - _memory.used_at > IDLE_S:
        _memory.signs = None


def _signs_now(model: str) -> _Signs:
    with _memory.lock:
        state = _state_now(model)
        if _memory.signs is None or _memory.signs.state != state:
            _memory.signs = _read_signs(state)
        _memory.used_at = time.monotonic()
        return _memory.signs


def _state_now(model: str) -> _State:
    totals = Kept.objects.filter(embedded_with=model).aggregate(entries=Count("pk"), newest=Max("embedded_at"))
    return _State(model, totals["entries"], totals["newest"])


def _read_signs(state: _State) -> _Signs:
    import numpy as np

    rows = Chunk.objects.filter(kept__embedded_with=state.model).exclude(code=b"").order_by().values_list("pk", "code")
    keys, codes = list[int](), list[bytes]()
    for key, code in rows.iterator(chunk_size=READ_TOGETHER):
        keys.append(key)
        codes.append(bytes(code))
    together = np.frombuffer(b"".join(codes), np.uint8).reshape(len(keys), -1) if keys else np.empty((0, 8), np.uint8)
    return _Signs(state, np.array(keys, np.int64), _padded(together))


def _padded(codes: Any) -> NDArray[np.uint64]:
    """Return rows of bytes as rows of 64 bits, filled up with zeros."""
    import numpy as np

    missing = -codes.shape[1] % 8
    whole: NDArray[np.uint64] = np.ascontiguousarray(np.pad(codes, ((0, 0), (0, missing)))).view(np.uint64)
    return whole


# Filling
# ----------------------------------------------------------------------------------------------------------------------


def unembedded_entry(model: str) -> Kept | None:
    """Return an entry of which not all passages have a vector of this model."""
    rows = Kept.objects.kept().exclude(indexed_at=None).select_related("page")
    return next(iter(unembedded(rows, model, "-kept_at", 1)), None)


def unembedded_passages(row: Kept, count: int) -> list[Chunk]:
    """Return the first passages of an entry without a vector. Before the first, all lose those of another model."""
    if row.embedded_with:
        row.chunks.update(vector=b"", code=b"")
        Kept.objects.filter(pk=row.pk).update(embedded_with="")
    return list(row.chunks.filter(end__gt=0, code=b"")[:count])


@transaction.atomic
def store_passage_vectors(row: Kept, chunks: Sequence[Chunk], vectors: Matrix) -> None:
    """Store the vectors of passages, unless their entry was deleted meanwhile."""
    if not Kept.objects.select_for_update().filter(pk=row.pk).exists():
        return
    for chunk, vector in zip(chunks, vectors, strict=True):
        chunk.vector, chunk.code = vector.astype(KIND).tobytes(), code_of(vector)
    Chunk.objects.bulk_update(chunks, ["vector", "code"])
