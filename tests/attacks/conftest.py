"""A Penny under attack for the tests of each file.

Its defences are on unless a test switches one off. What got through then stays in that Penny.
"""

from collections.abc import Iterator

import pytest

from tests.attacks import range as ranges
from tests.attacks import without
from tests.attacks.range import Range
from tests.environment import DATA


@pytest.fixture(scope="module")
def _field() -> Iterator[Range]:
    with ranges.running_range(**without.environment(DATA / "without")) as attack_range:
        yield attack_range


@pytest.fixture
def field(_field: Range) -> Range:
    """The range without the frames of earlier tests; Penny still remembers those tests."""
    _field.model.reset()
    _field.calls.clear()
    _field.client.frames.clear()
    return _field
