"""Vectors of length 1 as rows hold them: their numbers, and their signs, which a search compares first.

agents/embeddings makes them. numpy is imported inside the functions: the web process does not need it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from django.db.models import Model, Q, QuerySet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Matrix = NDArray[np.float32]

# Candidates that are compared by their full vectors. With so many, a search among a million vectors returns the same
# as a comparison with all of them.
COMPARED = 1_000
Row = TypeVar("Row", bound=Model)


def code_of(vector: Vector) -> bytes:
    """Return the signs of a vector's numbers, one bit each."""
    import numpy as np

    return np.packbits(vector > 0).tobytes()


def closest(
    rows: Iterable[tuple[Any, bytes | memoryview]], kind: str, vector: Vector, least: float
) -> list[tuple[Any, float]]:
    """Return the keys of stored vectors with their cosines, from `least` on, the nearest first.

    `kind` of their numbers: "<f4" or "<f2".
    """
    import numpy as np

    keys, data = list[Any](), list[bytes]()
    for key, numbers in rows:
        keys.append(key)
        data.append(bytes(numbers))
    if not keys:
        return []
    cosines = np.frombuffer(b"".join(data), kind).reshape(len(keys), -1).astype(np.float32) @ vector
    pairs = ((key, float(cosine)) for key, cosine in zip(keys, cosines, strict=True) if cosine >= least)
    return sorted(pairs, key=lambda pair: pair[::-1], reverse=True)


def unembedded(rows: QuerySet[Row], model: str, newest: str, count: int) -> list[Row]:
    """Return rows that are not `embedded_with` this model.

    The `newest` without any vector come first, then those with a vector of another model.
    """
    # Three ranges of one index; "not equal" would read all rows.
    for index_range in (
        Q(embedded_with=""),
        Q(embedded_with__gt="", embedded_with__lt=model),
        Q(embedded_with__gt=model),
    ):
        if some := list(rows.filter(index_range).order_by("embedded_with", newest)[:count]):
            return some
    return []
