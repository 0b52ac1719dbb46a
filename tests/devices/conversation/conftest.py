"""The owner's account."""

import pytest
from django.contrib.auth.models import User

from devices.owner.account import the_owner


@pytest.fixture
def owner() -> User:
    return the_owner()
