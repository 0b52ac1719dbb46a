"""Store the vectors of passages, and find passages by their meaning.

The signs of all vectors are compared in memory, the vectors of the nearest are read from the database. For the worker
alone. The signs take 48 bytes a passage, and leave the memory after IDLE_S without a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, Max, Q

from thoughts.index.passages import forgotten_passages
from thoughts.index.vectors import COMPARED, closest, code_of, unembedded
from thoughts.models import Chunk, Kept

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thoughts.index.vectors import Matrix, Vector

KIND = "<f2"  # of a vector's numbers
MORE = 2  # times as many are compared by their numbers, because some were forgotten
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
    codes: NDArray[np.uint64]  # a row for each 64 signs of a vector, a column for each passage


class _InMemory:
    """The signs in memory, and when they were last used."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.signs: _Signs | None = None
        self.used_at = 0.0


_memory = _InMemory()


def by_meaning(model: str, vector: Vector, only: Q | None, most: int) -> dict[int, float]:
    """Return the cosines of the passages nearest to a vector of this model, at most `most`, nearest first.

    `only`: those of the entries that fit. None: all but those of forgotten entries.
    """
    import numpy as np

    signs = _signs_now(model)
    keys, codes = signs.keys, signs.codes
    if only is not None:
        chosen = np.isin(
            keys, np.fromiter(Chunk.objects.filter(only).order_by().values_list("pk", flat=True), np.int64)
        )
        keys, codes = keys[chosen], codes[:, chosen]
    if not len(keys):
        return {}
    nearest = keys[_nearest(codes, vector, MORE * most)].tolist()
    # What was forgotten is still among the signs in memory.
    allowed = ~Q(pk__in=forgotten_passages()) if only is None else only
    rows = Chunk.objects.filter(allowed, pk__in=nearest).exclude(code=b"").order_by().values_list("pk", "vector")
    return dict(closest(rows, KIND, vector, CLOSE)[:most])


def _nearest(codes: NDArray[np.uint64], vector: Vector, most: int) -> NDArray[np.intp]:
    """Return the places of the `most` codes that are nearest to a vector.

    The signs of both are compared first, then of the nearest the vector's numbers with the signs.
    """
    import numpy as np

    distances = np.zeros(codes.shape[1], np.uint16)
    for signs, own in zip(codes, _padded(np.packbits(vector > 0)[None]), strict=True):
        distances += np.bitwise_count(signs ^ own)
    places = np.arange(len(distances))
    if len(places) > COMPARED:
        places = np.flatnonzero(distances <= np.partition(distances, COMPARED)[COMPARED])
    bits = np.unpackbits(np.ascontiguousarray(codes[:, places].T).view(np.uint8), axis=1, count=len(vector))
    return places[np.argsort(-(bits @ vector))[:most]]


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
    """Return rows of bytes as columns of 64 bits, filled up with zeros."""
    import numpy as np

    missing = -codes.shape[1] % 8
    whole: NDArray[np.uint64] = np.ascontiguousarray(np.pad(codes, ((0, 0), (0, missing)))).view(np.uint64)
    return np.ascontiguousarray(whole.T)


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
