"""Misfits between Penny and her extension; programs with versions of their own always fit."""

import pytest
from pytest_django.fixtures import Settings

from devices import protocol
from devices.access.versions import misfit


@pytest.fixture(autouse=True)
def _version(settings: Settings) -> None:
    settings.VERSION = "1.4.2"


@pytest.mark.parametrize(
    ("version", "relation"),
    [
        ("1.4.2", None),
        ("1.4.0", None),
        ("1.4", None),
        ("1.3.9", "older"),
        ("0.9.0", "older"),
        ("1.10.0", "newer"),
        ("2.0.0", "newer"),
    ],
)
def test_the_first_two_numbers_of_the_version_must_be_the_same(version: str, relation: str | None) -> None:
    result = misfit(f"penny-extension {version}, firefox")
    assert (result and result.model_dump()) == (relation and {"extension": relation, "version": "1.4.2"})


@pytest.mark.parametrize(
    "client", ["", "my-program 0.1, none", "penny-extension of mine, chrome", "penny-extensions 0.1.0, chrome"]
)
def test_whoever_is_no_extension_of_pennys_fits(client: str) -> None:
    assert misfit(client) is None


def test_a_client_that_fits_is_welcomed_as_before() -> None:
    device = {"id": "0" * 32, "label": "A", "tool_use": True, "keeping": "off"}
    values = {"device": device, "owner": {"name": "O", "timezone": "UTC"}}
    welcome = protocol.Welcome.model_validate({**values, "grants": [], "unread_thoughts": 0, "seq": 0})
    assert "misfit" not in protocol.encode(welcome)
