"""A parsed web address gives the same answers as the functions of hosts.py."""

import json
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from devices.web import hosts
from devices.web.address import Address
from devices.web.hosts import HostInvalid

TABLE: dict[str, Any] = json.loads(Path(__file__).with_name("hosts_table.json").read_text())


def _host_or_code(text: str) -> dict[str, str]:
    try:
        return {"host": Address.parse(text).host}
    except HostInvalid as refusal:
        return {"refused": refusal.code}


@pytest.mark.parametrize("case", TABLE["hosts"], ids=lambda case: repr(case["url"])[:60])
def test_its_host_is_the_one_that_a_grant_names(case: dict[str, str]) -> None:
    assert {"url": case["url"]} | _host_or_code(case["url"]) == case


@pytest.mark.parametrize("case", TABLE["stored"], ids=lambda case: repr(case["url"])[:60])
def test_what_is_stored_of_it_has_no_secrets_and_what_is_opened_is_whole(case: dict[str, str]) -> None:
    address = Address.parse(case["url"])
    assert (address.stored, address.href) == (case["stored"], hosts.clean_url(case["url"]))


@pytest.mark.parametrize("case", TABLE["own"], ids=lambda case: repr(case["url"])[:60])
def test_it_says_whether_it_is_pennys_own(case: dict[str, Any], settings: Settings) -> None:
    settings.PUBLIC_URL = case["server"]
    assert Address.parse(case["url"]).is_own is case["own"]


def test_it_does_not_change() -> None:
    address = Address.parse("https://coffee.example/water?token=hunter2#top")
    assert address == Address("https://coffee.example/water?token=hunter2", "coffee.example", address.stored)
    with pytest.raises(FrozenInstanceError):
        address.host = "evil.example"  # type: ignore[misc]
