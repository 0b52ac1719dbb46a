"""Where a sign-in service may lead Penny: to no other host, and to no private address that the owner did not enter."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from requests import Session

from devices.channels import reach
from tests.page_client import PageClient
from tests.penny_site.sign_in.test_oidc import set_up_service, sign_in_at_service
from tests.stand_ins.oidc_service import Service, run_oidc_service
from tests.stand_ins.serving import Served, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("redis")]
METADATA = "/.well-known/openid-configuration"


@pytest.fixture
def oidc() -> Iterator[Service]:
    with run_oidc_service() as stand_in, set_up_service(stand_in.url):
        yield stand_in


@pytest.fixture
def inner() -> Iterator[tuple[str, list[str]]]:
    """A service of the owner's machine at another address, and the paths that were asked of it."""
    visits: list[str] = []

    class Visit(BaseHTTPRequestHandler):
        def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002  the name is the base class's
            pass

        def do_POST(self) -> None:
            visits.append(self.path)
            self.send_response(400)
            self.send_header("Content-Length", "0")
            self.end_headers()

    with serving(Served(Visit, host="127.0.0.2")) as server:
        yield f"http://127.0.0.2:{server.port}", visits


def _begin() -> int:
    return PageClient().post("/sign-in/oidc/").status_code


def test_a_service_leads_to_itself_and_to_no_other_host(oidc: Service) -> None:
    with serving(Service()) as other:
        for place in (other.url, other.url.replace("127.0.0.1", "localhost"), oidc.url.replace("http", "https")):
            oidc.leads_to = f"{place}{METADATA}"
            assert _begin() == 502
    oidc.leads_to = f"{oidc.url}{METADATA}/"  # itself: then what is there counts, which is no metadata
    assert _begin() == 502
    oidc.leads_to = ""
    assert _begin() == 200


def test_without_that_it_leads_anywhere(oidc: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penny_site.sign_in.oidc_session.ServiceSession", Session)
    with serving(Service()) as other:
        oidc.leads_to = f"{other.url}{METADATA}"
        assert _begin() == 200


def _come_back(oidc: Service, endpoint: str) -> int:
    oidc.metadata["token_endpoint"] = endpoint
    client = PageClient()
    return client.get(sign_in_at_service(client, "ada")).status_code


def test_a_private_address_of_its_metadata_is_not_reached_and_without_the_bound_it_is(
    oidc: Service, inner: tuple[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, visits = inner
    assert _come_back(oidc, f"{place}/token") == 403
    assert visits == []
    monkeypatch.setattr(reach, "_check", lambda *_: None)
    assert _come_back(oidc, f"{place}/token") == 403
    assert visits == ["/token"]
