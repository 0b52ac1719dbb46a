"""Pages have one address, because cookies and sockets depend on the host."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_page_opened_as_localhost_redirects_to_the_public_address(client: Client) -> None:
    response = client.get("/chat/?x=1", headers={"host": "localhost:8787", "sec-fetch-mode": "navigate"})
    assert (response.status_code, response.headers["Location"]) == (302, "http://127.0.0.1:8787/chat/?x=1")


def test_programs_and_other_ports_are_not_redirected(client: Client) -> None:
    for headers in ({"host": "localhost:8787"}, {"host": "localhost:9000", "sec-fetch-mode": "navigate"}):
        assert client.get("/healthz", headers=headers).status_code == 200
