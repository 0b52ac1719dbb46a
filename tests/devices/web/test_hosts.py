"""The rules for URLs and hosts, case by case.

browser_ext/src/grants/hosts_table.test.ts uses the same table.
"""

import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from devices.grants.grants import decide
from devices.models import Grant
from devices.web.hosts import HostInvalid, clean_url, grant_host, is_own, normalise_host, url_to_store

Case = dict[str, Any]
RUN = UUID(int=1)  # two grants for one host: one that lasts, one for this run
TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("hosts_table.json").read_text())


@pytest.fixture(autouse=True)
def _served_at(settings: Settings) -> None:
    settings.PUBLIC_URL = TABLE["server"]


def _outcome(do: Any, text: str) -> Case:
    try:
        return {"host": do(text)}
    except HostInvalid as refused:
        return {"refused": refused.code}


def _cases(section: str, key: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", TABLE[section], ids=lambda case: repr(case[key])[:60])


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert sum(len(cases) for cases in TABLE.values() if isinstance(cases, list)) >= 300


@_cases("hosts", "url")
def test_a_url_names_the_host_that_a_browser_would_go_to_or_is_refused(case: Case) -> None:
    assert {"url": case["url"]} | _outcome(grant_host, case["url"]) == case


@_cases("typed", "typed")
def test_what_the_owner_types_becomes_a_host_that_a_grant_may_name_or_is_refused(case: Case) -> None:
    assert {"typed": case["typed"]} | _outcome(normalise_host, case["typed"]) == case


@_cases("own", "url")
def test_pennys_own_address_is_known_in_every_spelling(case: Case, settings: Settings) -> None:
    settings.PUBLIC_URL = case["server"]
    assert is_own(grant_host(case["url"])) is case["own"]


@pytest.mark.django_db
@_cases("decisions", "url")
def test_the_grants_decide(case: Case, settings: Settings) -> None:
    settings.PUBLIC_URL = case.get("server", TABLE["server"])
    _store_grants(case["grants"])
    assert _decision(case["url"]) == case["decision"]


def _decision(url: str) -> str:
    try:
        decision = decide(url, "read", RUN)
    except HostInvalid as refused:
        return refused.code
    return "allowed" if decision.is_allowed else "blocked" if decision.is_blocked else "unknown"


@_cases("stored", "url")
def test_a_stored_address_has_no_secrets(case: Case) -> None:
    result = url_to_store(case["url"])
    assert result == case["stored"]
    assert url_to_store(result) == result


def test_the_fragment_is_no_part_of_an_address() -> None:
    assert clean_url(" https://Example.com/a/../b#c ") == "https://example.com/b"


def test_the_text_of_a_refusal_says_why() -> None:
    with pytest.raises(HostInvalid, match="many people's sites live below it"):
        normalise_host("github.io")


def _store_grants(grants: list[list[str]]) -> None:
    """Store rows without the checks of set_grant: decisions must not rely on sensible rows."""
    for host, capability, state in grants:
        run_id = RUN if Grant.objects.filter(host=host, capability=capability, run_id=None).exists() else None
        Grant.objects.create(host=host, capability=capability, state=state, run_id=run_id)
