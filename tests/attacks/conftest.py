"""One Penny under attack for all of these tests; its defences are on unless a test turns one off."""

from collections.abc import Iterator

import pytest

from tests.attacks import range as ranges
from tests.attacks import without
from tests.attacks.range import Range
from tests.environment import DATA


@pytest.fixture(scope="package")
def _field() -> Iterator[Range]:
    with ranges.running_range(**without.environment(DATA / "without")) as attack_range:
        yield attack_range


@pytest.fixture
def field(_field: Range) -> Range:
    """Without what earlier tests sent; what Penny stored and remembers of them stays."""
    _field.model.reset()
    _field.calls.clear()
    _field.client.frames.clear()
    return _field


@pytest.fixture
def uncounted(redis: str) -> Iterator[None]:
    """Guesses of other tests do not count here."""
    from devices.redis import sync_client

    sync_client().flushall()
    yield
    sync_client().flushall()
