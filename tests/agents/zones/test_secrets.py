"""No model sees the secrets of an address, whoever wrote it, and the owner's own address still opens."""

import json
from datetime import date

import pytest

from agents.runs.handles import Handles
from agents.zones import inputs
from agents.zones.inputs import Private, Untrusted
from agents.zones.planner import planner_request
from agents.zones.writer import shared_request
from thoughts.text.private.addresses import cut_secrets_in

SIGNED = "https://files.example/a.pdf?page=2&X-Amz-Signature=fe5f80f77d5fa3beca038a248ff027d0"
RESET = "https://app.example/reset/3f9c1d2e8b7a"
SECRETS = ("fe5f80f77d5fa3beca038a248ff027d0", "3f9c1d2e8b7a")


def words_of_requests() -> str:
    """Return what models would see of the owner's words, and of a page that says the same."""
    words = f"Read {SIGNED} and {RESET}, please."
    planner = planner_request(Private("Ada"), date(2026, 3, 2), [], Private(words), [], [])
    shared = shared_request(Private("What is it?"), "p1", Untrusted(words, frozenset({"evil.example"})))
    return json.dumps([planner.record(), shared.record()])


def test_secrets_of_addresses_reach_no_model_and_without_that_rule_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    words = words_of_requests()
    assert not any(secret in words for secret in SECRETS)
    assert words.count("https://files.example/a.pdf?page=2") == 2
    monkeypatch.setattr(inputs, "cut_secrets_in", str)
    assert all(words_of_requests().count(secret) == 2 for secret in SECRETS)


@pytest.mark.parametrize("address", [SIGNED, RESET, "https://a.example/?token=abc"])
def test_the_address_that_a_model_sees_opens_the_one_that_the_owner_wrote(address: str) -> None:
    cut = cut_secrets_in(address)
    assert cut != address
    assert Handles([f"Read {address} now"]).resolve(cut) == (address, True)
    assert Handles(["Read https://other.example/?token=abc now"]).resolve(cut)[1] is False


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("See https://jo:pw@nas.example/files.", "See https://nas.example/files."),
        ("(https://a.example/cb#access_token=abc)", "(https://a.example/cb)"),
        ("app.example/magic-link/Zk81mQ02pLx94TtaW7 is it", "app.example/magic-link is it"),
        ("Use ghp_16C7e42F292c6912E7710c838347Ae178B4a", "Use [secret cut]"),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- here", "[secret cut] here"),
        ("a legal winner thank year wave sausage worth useful legal winner thank yellow!", "a [secret cut]!"),
    ],
)
def test_a_secret_is_cut_and_the_rest_stays_letter_by_letter(text: str, result: str) -> None:
    assert cut_secrets_in(text) == result


@pytest.mark.parametrize(
    "text",
    [
        "Why? Look at https://a.example/2026/old-maps-of-rome?page=2#part, (or b.example/?q=maps).",
        "https://a.example/share/old-maps-2026 and https://github.com/penny/penny/commit/853f384",
        "bearer instruments and a token ring; either/or, 1/2 or 3/4?",
    ],
)
def test_what_is_no_secret_is_left_as_it_is_written(text: str) -> None:
    assert cut_secrets_in(text) == text
