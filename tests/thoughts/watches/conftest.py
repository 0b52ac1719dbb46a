"""Watches that tests share."""

from datetime import timedelta

import pytest

from tests.thoughts.watches.shop import NOW, URL
from thoughts.models import Watch


@pytest.fixture
def lever_watch() -> Watch:
    return Watch.objects.create(
        url=URL, domain="shop.example", below=900, currency="EUR", label="lever", next_check_at=NOW + timedelta(hours=2)
    )
