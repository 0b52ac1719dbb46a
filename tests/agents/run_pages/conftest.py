"""The signed-in owner."""

import pytest
from django.test import Client as Http

from devices.owner.account import the_owner


@pytest.fixture
def owner(client: Http, db: None) -> Http:
    client.force_login(the_owner())
    return client
