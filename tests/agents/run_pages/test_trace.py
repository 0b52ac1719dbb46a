"""The trace of a run as a file that can be shown to others."""

import json

import pytest
from django.test import Client as Http

from agents.run_pages.trace import REMOVED, cut_secrets_of_text
from tests.agents.run_pages.recorded import DOMAIN, QUOTE, URL, answers, reads_a_page, step, turn
from tests.cpu_time import check_growth

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl"
SECRETS = {
    f"see https://shop.example/a?session=qwe8rty&page=2#{JWT}": ["qwe8rty", JWT],
    "the key is ghp_a1b2c3d4e5f6a7b8c9d0": ["ghp_a1b2c3d4e5f6a7b8c9d0"],
    f"Authorization: Bearer {JWT}": [JWT],
    "authorization: Basic QWRhOmxvdmU=": ["QWRhOmxvdmU="],
    "my password: hunter2, and more": ["hunter2"],
    'it sent {"api_key": "plain-words", "n": 1}': [],
    '{"user_password": "correct horse battery", "n": 1}': ["correct", "horse", "battery"],
    '{"arguments": "{\\"password\\": \\"correct horse\\"}"}': ["correct", "horse"],
    "Set-Cookie: sid=abc123def": ["abc123def"],
    "hash d41d8cd98f00b204e9800998ecf8427e": ["d41d8cd98f00b204e9800998ecf8427e"],
    "access_token=abc.def": ["abc.def"],
    "http://ada:love@[::1": ["love", "ada"],
    "https://ada:love@a.example/x": ["love"],
}
KEPT = ["How hot is the water?", "The author: Ada = 1", f"{URL}?page=2", "a pinned note: yes", "state: Berlin, code: 7"]


@pytest.mark.parametrize("text", SECRETS)
def test_no_secret_of_a_text_is_kept(text: str) -> None:
    cut = cut_secrets_of_text(text)
    assert not [secret for secret in SECRETS[text] if secret in cut]


@pytest.mark.parametrize("text", KEPT)
def test_other_words_stay(text: str) -> None:
    assert cut_secrets_of_text(text) == text


@pytest.mark.parametrize(
    "piece", ["password:", "a_", 'pin"', "https://a.de/?a=1 ", "eyJ", "0", '\\"', "token: \\", "a"]
)
def test_four_times_the_text_costs_at_most_six_times_as_much(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    check_growth(cut_secrets_of_text, text[: len(text) // 4], text, repr(piece))


@pytest.mark.django_db
def test_a_trace_holds_every_step_in_order_and_no_secret(owner_client: Http) -> None:
    run = turn(question=f"What is on https://{DOMAIN}/?token=qwe8rty&page=2")
    reads_a_page(run)
    answers(run)
    step(run, "planner", request={"password": "hunter2", "turns": []}, result={"text": f"It is {JWT}"})
    response = owner_client.get(f"/runs/{run.pk}/trace.json")
    assert response.headers["Content-Disposition"] == f'attachment; filename="penny-run-{run.pk}.json"'
    text = response.content.decode()
    assert not [secret for secret in (JWT, "hunter2", "qwe8rty") if secret in text]
    trace = json.loads(text)
    assert trace["asked"] == f"What is on https://{DOMAIN}/?page=2"
    zones = [
        "planner",
        "planner",
        "reader",
        "planner",
        "writer",
        "planner",
    ]
    assert [entry["zone"] for entry in trace["steps"]] == zones
    assert trace["steps"][2]["result"]["reading"]["summary"] == QUOTE
    assert trace["steps"][-1]["request"]["password"] == REMOVED
    assert f"/runs/{run.pk}/trace.json" in owner_client.get(f"/runs/{run.pk}/").content.decode()


@pytest.mark.django_db
def test_only_the_owner_gets_a_trace(client: Http) -> None:
    run = turn()
    assert client.get(f"/runs/{run.pk}/trace.json").status_code in (302, 401, 403, 404)
