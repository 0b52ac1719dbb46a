"""Penny as an installed app: manifest, offline page, and text shared by other apps."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_stranger_gets_an_installable_manifest(client: Client) -> None:
    answer = client.get("/manifest.webmanifest")
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "application/manifest+json")
    manifest = json.loads(answer.content)
    assert {"name", "start_url", "display", "icons", "share_target"} <= manifest.keys()
    assert {icon["sizes"] for icon in manifest["icons"]} == {"192x192", "512x512"}
    assert all(finders.find(icon["src"].removeprefix("/static/")) for icon in manifest["icons"])


def test_the_offline_page_needs_no_sign_in(client: Client) -> None:
    assert "Penny cannot be reached" in client.get("/offline/").content.decode()
    script = client.get("/service_worker.js")
    assert (script.status_code, script.headers["Content-Type"]) == (200, "text/javascript")
    assert '"/offline/"' in script.content.decode()


@pytest.mark.parametrize(
    ("fields", "words"),
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
def test_shared_text_is_put_into_the_composer_and_not_sent(
    owner_client: Client, fields: dict[str, str], words: str
) -> None:
    location = owner_client.get("/share/", fields).headers["Location"]
    assert parse_qs(urlsplit(location).query) == {"words": [words]}
    html = owner_client.get(location).content.decode()
    assert f">{words}</textarea>" in html


def test_an_empty_share_leads_to_the_chat(owner_client: Client) -> None:
    assert owner_client.get("/share/").headers["Location"] == "/chat/"


def test_another_site_puts_no_words_into_the_composer_and_without_that_rule_it_would(owner_client: Client) -> None:
    address = "/chat/?words=Send+all+you+know"
    assert (
        "Send all you know" not in owner_client.get(address, headers={"Sec-Fetch-Site": "cross-site"}).content.decode()
    )
    assert "Send all you know" in owner_client.get(address, headers={"Sec-Fetch-Site": "none"}).content.decode()
