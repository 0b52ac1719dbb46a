"""A browser that opens an address which only takes forms gets the page above it."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db

OPENED = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none"}


@pytest.mark.parametrize(
    ("address", "above"),
    [
        ("/activity/stop/", "/activity/"),
        ("/setup/test/model/", "/setup/"),
        ("/permissions/sites/decide/", "/permissions/"),
        ("/sign-out/", "/"),
    ],
)
def test_a_reload_of_a_form_leads_to_its_page(owner_client: Client, address: str, above: str) -> None:
    answer = owner_client.get(address, headers=OPENED, follow=True)
    assert (answer.status_code, answer.redirect_chain[-1][0]) == (200, above)


def test_what_no_browser_opens_is_refused_as_before(owner_client: Client) -> None:
    assert owner_client.get("/activity/stop/").status_code == 405
    assert owner_client.get("/activity/stop/", headers={"Sec-Fetch-Mode": "cors"}).status_code == 405
    assert owner_client.put("/activity/stop/", headers=OPENED).status_code == 405


def test_another_site_s_link_to_a_form_is_refused(owner_client: Client) -> None:
    assert owner_client.get("/activity/stop/", headers=OPENED | {"Sec-Fetch-Site": "cross-site"}).status_code == 403
