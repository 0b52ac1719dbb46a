import pytest
from django.test import Client

from devices.owner import the_owner


@pytest.fixture
def owner_client(client: Client) -> Client:
    """The owner's own browser, signed in, on loopback and without a password."""
    client.force_login(the_owner())
    return client
