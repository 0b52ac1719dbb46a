"""Penny as an app: what a browser needs to install her, what it shows without her, and what other apps share with
her.
"""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_stranger_gets_a_manifest_that_browsers_install_and_nothing_of_the_owners(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/manifest+json")
    manifest = json.loads(answer.content)
    assert {"name", "start_url", "display", "icons", "share_target"} <= manifest.keys()
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    assert all(finders.find(icon["src"].removeprefix("/static/")) for icon in manifest["icons"])


def test_the_page_for_no_connection_needs_nobody_to_be_signed_in(client: Client) -> None:
    assert "Penny cannot be reached" in client.get("/offline/").content.decode()
    script = client.get("/service_worker.js")
    assert (script.status_code, script.headers["Content-Type"]) == (200, "text/javascript")
    assert '"/offline/"' in script.content.decode()


@pytest.mark.parametrize(
    ("shared", "words"),
    [
        ({"url": "https://coffee.example/x"}, "Look into this: https://coffee.example/x"),
        (
            {"title": "Espresso", "text": "Read https://coffee.example/x now"},
            "Look into this: https://coffee.example/x",
        ),
        ({"title": "Espresso", "text": "Nine bars"}, "Espresso Nine bars"),
        ({"url": "javascript:alert(1)"}, "javascript:alert(1)"),
    ],
)
def test_what_is_shared_stands_in_the_composer_and_is_not_sent(
    owner_client: Client, shared: dict[str, str], words: str
) -> None:
    there = owner_client.get("/share/", shared).headers["Location"]
    assert parse_qs(urlsplit(there).query) == {"words": [words]}
    html = owner_client.get(there).content.decode()
    assert f">{words}</textarea>" in html


def test_nothing_shared_leads_to_the_chat(owner_client: Client) -> None:
    assert owner_client.get("/share/").headers["Location"] == "/chat/"


def test_another_site_puts_no_words_into_the_composer_and_without_that_rule_it_would(owner_client: Client) -> None:
    address = "/chat/?words=Send+all+you+know"
    assert (
        "Send all you know" not in owner_client.get(address, headers={"Sec-Fetch-Site": "cross-site"}).content.decode()
    )
    assert "Send all you know" in owner_client.get(address, headers={"Sec-Fetch-Site": "none"}).content.decode()
