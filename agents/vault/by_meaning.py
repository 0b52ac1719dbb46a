"""Find passages by their meaning: the signs of all vectors are compared in memory, the nearest by their numbers.

For the worker alone. The signs take 48 bytes a passage, and leave the memory after IDLE_S without a search.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.db.models import Count, Max, Q

from agents.embeddings import embed
from agents.zones.inputs import Private
from thoughts.models import Chunk, Kept

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COMPARED = 1_000
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


def by_meaning(
    question: str, allowed: Q, most: int, *, is_narrowed: bool, vector: NDArray[np.float32] | None = None
) -> dict[int, float]:
    """Return the cosines of the `allowed` passages nearest to the question, at most `most`, nearest first.

    `is_narrowed`: `allowed` leaves out more than what is forgotten, so that the nearest of all may not be among them.
    `vector`: of the question, if it is embedded already. Raises NotEmbedded.
    """
    import numpy as np

    vector = embed.embed([Private(question)])[0] if vector is None else vector
    signs = _signs_now()
    if not len(signs.keys):
        return {}
    keys, codes = signs.keys, signs.codes
    if is_narrowed:
        chosen = np.isin(
            keys, np.fromiter(Chunk.objects.filter(allowed).order_by().values_list("pk", flat=True), np.int64)
        )
        keys, codes = keys[chosen], codes[chosen]
    distances = np.bitwise_count(codes ^ _padded(np.packbits(vector > 0)[None])).sum(axis=1, dtype=np.uint16)
    nearest = np.argpartition(distances, COMPARED)[:COMPARED] if len(keys) > COMPARED else np.arange(len(keys))
    return _closest(keys[nearest].tolist(), vector, allowed, most)


def _closest(keys: list[int], vector: Any, allowed: Q, most: int) -> dict[int, float]:
    import numpy as np

    row_keys, data = list[int](), list[bytes]()
    for key, numbers in _vectors(keys):
        row_keys.append(key)
        data.append(bytes(numbers))
    if not row_keys:
        return {}
    cosines = np.frombuffer(b"".join(data), "<f2").reshape(len(row_keys), -1).astype(np.float32) @ vector
    close = sorted(
        ((key, float(cosine)) for key, cosine in zip(row_keys, cosines, strict=True) if cosine >= CLOSE),
        key=lambda one: (-one[1], -one[0]),
    )[: MORE * most]
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


def _signs_now() -> _Signs:
    with _memory.lock:
        state = _state_now()
        if _memory.signs is None or _memory.signs.state != state:
            _memory.signs = _read_signs(state)
        _memory.used_at = time.monotonic()
        return _memory.signs


def _state_now() -> _State:
    model = embed.model_name()
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
