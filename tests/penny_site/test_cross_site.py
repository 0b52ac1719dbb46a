import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from penny_site.cross_site import OWN_RULES, SHOWN
from thoughts.models import Preference

pytestmark = pytest.mark.django_db
LINK = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
PREVIEW = "/activity/routine/times/?kind=task&how=rule&rule=FREQ%3DDAILY"


@pytest.mark.parametrize("address", ["/", "/chat/", "/help/", "/sign-in/"])
def test_a_link_of_another_site_opens_what_changes_nothing(owner_client: Client, address: str) -> None:
    assert owner_client.get(address, headers=LINK).status_code in (200, 302)


@pytest.mark.parametrize(
    "address", ["/activity/routine/", PREVIEW, "/setup/", "/admin/", "/archive/?words=a", "/search/?q=a", "/nothing/"]
)
def test_any_other_page_waits_for_the_owner_to_follow_a_link_of_penny_s(owner_client: Client, address: str) -> None:
    refusal = owner_client.get(address, headers=LINK)
    html = refusal.content.decode()
    assert refusal.status_code == 403
    assert re.search(r'href="([^"]+)">Open the page', html)[1].replace("&amp;", "&") == address  # type: ignore[index]
    followed = owner_client.get(address, headers=LINK | {"Sec-Fetch-Site": "same-origin"})
    assert followed.status_code in ((404,) if address == "/nothing/" else (200, 302))


@pytest.mark.parametrize(
    "embedded",
    [
        {"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"},
        {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "empty"},
    ],
)
@pytest.mark.parametrize("address", ["/", PREVIEW, "/static/penny/penny.svg", "/pictures/a.webp"])
def test_no_part_of_another_site_s_page_is_answered(
    owner_client: Client, address: str, embedded: dict[str, str]
) -> None:
    refusal = owner_client.get(address, headers={"Sec-Fetch-Site": "cross-site"} | embedded)
    assert (refusal.status_code, refusal.content) == (403, b"Only Penny's own pages may ask for this.\n")


def test_a_form_of_another_site_is_refused_on_a_page_that_says_so(owner_client: Client) -> None:
    refusal = owner_client.post("/interests/", {"text": "tea", "valence": "1"}, headers=LINK)
    assert (refusal.status_code, "<h1>Not sent</h1>" in refusal.content.decode()) == (403, True)
    script = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty"}
    refusal = owner_client.post("/interests/", {"text": "tea", "valence": "1"}, headers=script)
    assert (refusal.status_code, refusal.content) == (403, b"Only Penny's own pages may send this.\n")
    assert not Preference.objects.exists()


@pytest.mark.parametrize("address", ["/healthz", "/readyz", "/api/docs"])
def test_addresses_with_a_rule_of_their_own_answer_by_it(client: Client, address: str) -> None:
    answer = client.get(address, headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"})
    assert b"own pages" not in answer.content


@pytest.mark.parametrize("site", [None, "none", "same-origin", "same-site"])
def test_the_owner_s_own_requests_and_programs_pass(owner_client: Client, site: str | None) -> None:
    assert owner_client.get("/activity/routine/", headers={"Sec-Fetch-Site": site} if site else {}).status_code == 200


def test_without_that_rule_a_page_of_another_site_causes_costly_reads(
    owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = "penny_site.cross_site.own_reads"
    monkeypatch.setattr(settings, "MIDDLEWARE", [name for name in settings.MIDDLEWARE if name != rule])
    client = Client()
    client.cookies = owner_client.cookies
    assert client.get(PREVIEW, headers=LINK).status_code == 200


def test_the_names_are_those_of_addresses() -> None:
    names = {pattern.name for pattern in _patterns(get_resolver().url_patterns)}
    assert {name for name in SHOWN | OWN_RULES if name not in names} <= {"oidc_begin", "openid_connect_callback"}


def _patterns(patterns: Sequence[Any]) -> list[Any]:
    return [inner for pattern in patterns for inner in _patterns(getattr(pattern, "url_patterns", [])) or [pattern]]
