"""A search among many vectors, of which it compares few by their numbers."""

from uuid import UUID

import numpy as np
import pytest

from tests.bench.taste import world
from thoughts.index import meanings
from thoughts.models import Thought

pytestmark = pytest.mark.django_db


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> dict[UUID, np.ndarray]:
    """Thoughts with vectors, of which a search may compare a third, a few rows at a time."""
    monkeypatch.setattr(meanings, "COMPARED", 150)
    monkeypatch.setattr(meanings, "READ_TOGETHER", 64)
    vectors = world(2, topics=5, finds=80).vectors
    rows = Thought.objects.bulk_create(Thought(title=str(number), text="", html="") for number in range(len(vectors)))
    meanings.store_thought_vectors("made", rows, vectors)
    return {thought.pk: vector for thought, vector in zip(rows, vectors, strict=True)}


def test_the_nearest_are_found_by_their_signs_as_by_all_their_numbers(many: dict[UUID, np.ndarray]) -> None:
    target = next(iter(many.values()))
    hits = meanings.nearest("made", target)
    best = sorted(((float(vector @ target), key) for key, vector in many.items()), reverse=True)[: meanings.HITS_MAX]
    assert len({key for _, key in best} & {key for key, _ in hits}) >= 0.95 * meanings.HITS_MAX
    assert [key for key, _ in hits[:5]] == [key for _, key in best[:5]]
    assert hits[0][1] == pytest.approx(1, abs=1e-5)
    assert meanings.nearest("another", target) == []
