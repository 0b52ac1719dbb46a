"""The prompt queue over real sockets: one prompt for a host on every device.

The first answer counts for all who wait.
"""

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID

import pytest

from devices import protocol as p
from tests.client import Client
from tests.penny import Penny
from tests.stand_ins.articles import WATER
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse
from tests.waiting import until

URLS = [f"https://coffee.example/{name}" for name in ("water", "grind", "pressure")]


def _ask_about(client: Client, *urls: str) -> UUID:
    return client.say(f"How is espresso brewed? {' '.join(urls)}")


def _answer_ask(client: Client, ask: p.GrantAsk, decision: str = "allow", **fields: str) -> None:
    client.send(p.GrantAnswer.model_validate({"request_id": ask.request_id, "decision": decision, **fields}))


def _answer_types(ask: p.GrantAsk, *clients: Client) -> list[str]:
    """Return the types of the frames that answered these clients' answers."""
    return [
        frame.type
        for client in clients
        for frame in list(client.frames)
        if getattr(frame, "ref", "") == str(ask.request_id)
    ]


def _waits(client: Client, *turns: UUID) -> None:
    for turn in turns:
        client.expect(p.TurnStatus, turn_id=turn, text="Waiting for your answer about coffee.example")


@pytest.mark.parametrize("scope", ["once", "run", "always"])
def test_turns_that_wait_for_one_host_are_one_prompt_and_go_on_together(
    desk: Client, phone: Client, scope: str
) -> None:
    turns = [_ask_about(desk, URLS[0]), _ask_about(phone, URLS[1]), _ask_about(desk, URLS[2])]
    _waits(desk, *turns)
    ask = desk.expect(p.GrantAsk)
    _answer_ask(phone, phone.expect(p.GrantAsk, request_id=ask.request_id), scope=scope)
    for turn in turns:
        assert WATER.paragraphs[0] in desk.expect(p.TurnDone, turn_id=turn).message.text
    assert desk.opened_urls() == set(URLS)
    for client in (desk, phone):
        client.expect(p.GrantDismiss, request_id=ask.request_id)
        assert [len(client.frames_of(kind)) for kind in (p.GrantAsk, p.GrantDismiss)] == [1, 1]


def test_calls_of_one_turn_for_one_host_are_one_prompt_and_go_on_together(desk: Client, model: ModelServer) -> None:
    def is_first(request: Request) -> bool:
        return bool(request.tools) and not request.tool_results

    model.on(is_first, Reply(tools=tuple(ToolUse("browse_url", {"url": url}) for url in URLS)))
    turn = _ask_about(desk, *URLS)
    _answer_ask(desk, desk.expect(p.GrantAsk), scope="run")
    desk.expect(p.TurnDone, turn_id=turn)
    assert desk.opened_urls() == set(URLS)
    assert len(desk.frames_of(p.GrantAsk)) == 1


def test_a_browser_knows_what_was_granted_before_it_is_called(desk: Client, phone: Client) -> None:
    turn = _ask_about(desk, URLS[0])
    _answer_ask(phone, phone.expect(p.GrantAsk), scope="once")
    desk.expect(p.TurnDone, turn_id=turn)
    frames = list(desk.frames)
    before = frames[: next(at for at, frame in enumerate(frames) if isinstance(frame, p.ToolCall))]
    assert "coffee.example" in {
        grant.host for frame in before if isinstance(frame, p.GrantsSync) for grant in frame.grants
    }


def test_of_answers_that_come_at_once_the_first_holds_and_the_others_are_told(
    penny: Penny, desk: Client, phone: Client
) -> None:
    turn = _ask_about(desk, URLS[0])
    ask = desk.expect(p.GrantAsk)
    phone.expect(p.GrantAsk)
    with ThreadPoolExecutor(2) as pool:
        list(
            pool.map(
                lambda client: _answer_ask(client, ask, "block" if client is phone else "allow", scope="always"),
                (desk, phone),
            )
        )
    desk.expect(p.TurnDone, turn_id=turn)
    until(lambda: len(_answer_types(ask, desk, phone)) >= 2, "an answer to each of both answers")
    assert sorted(_answer_types(ask, desk, phone)) == ["ack", "error"]
    states = {(grant.host, grant.state) for sync in desk.frames_of(p.GrantsSync) for grant in sync.grants}
    assert len(states) == 1
    assert bool(desk.opened_urls()) is (states == {("coffee.example", "allowed")})


def test_a_prompt_stays_for_the_turn_that_still_waits_when_another_is_stopped(desk: Client, phone: Client) -> None:
    first = _ask_about(desk, URLS[0])
    _waits(desk, first)
    second = _ask_about(phone, URLS[1])
    _waits(desk, second)
    desk.send(p.TurnCancel(turn_id=first))
    desk.expect(p.TurnFailed, turn_id=first)
    assert not phone.frames_of(p.GrantDismiss)
    _answer_ask(phone, phone.expect(p.GrantAsk), scope="always")
    phone.expect(p.TurnDone, turn_id=second)
    assert desk.opened_urls() == {URLS[1]}


def test_silence_ends_every_turn_that_waited_and_stores_nothing(penny: Penny, desk: Client, phone: Client) -> None:
    penny.set(ASK_S=2)
    try:
        turns = [_ask_about(desk, URLS[0]), _ask_about(phone, URLS[1])]
        ask = desk.expect(p.GrantAsk)
        for turn in turns:
            desk.expect(p.TurnDone, turn_id=turn)
    finally:
        penny.set(ASK_S=60)
    desk.expect(p.GrantDismiss, request_id=ask.request_id)
    assert not desk.frames_of(p.ToolCall)
    assert [sync.grants for sync in desk.frames_of(p.GrantsSync) if sync.grants] == []
    _answer_ask(phone, ask)
    assert phone.expect(p.Error, ref=str(ask.request_id)).code == "over"


def test_a_device_that_connects_meanwhile_shows_the_prompt_once(penny: Penny, desk: Client, phone: Client) -> None:
    turns = [_ask_about(desk, URLS[0]), _ask_about(phone, URLS[1])]
    _waits(desk, *turns)
    with penny.client("Late") as late:
        _answer_ask(late, late.expect(p.GrantAsk), "dismiss")
        for turn in turns:
            late.expect(p.TurnDone, turn_id=turn)
        assert len(late.frames_of(p.GrantAsk)) == 1
    assert not desk.frames_of(p.ToolCall)


def test_an_answer_that_names_a_public_suffix_leaves_the_prompt_open(desk: Client) -> None:
    turn = _ask_about(desk, URLS[0])
    ask = desk.expect(p.GrantAsk)
    for host in ("example", "other.example", "127.0.0.1"):
        _answer_ask(desk, ask, scope="always", host=host)
    desk.expect(p.Error, count=3, ref=str(ask.request_id))
    assert {error.code for error in desk.frames_of(p.Error)} == {"bad_host"}
    _answer_ask(desk, ask, scope="always", session="clean")
    desk.expect(p.TurnDone, turn_id=turn)
    call = desk.expect(p.ToolCall)
    assert isinstance(call.arguments, p.BrowseUrlArguments)
    assert call.arguments.session == "clean"
