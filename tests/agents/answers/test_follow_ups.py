"""Follow-ups about pages: the planner knows handles, the reader and the writer get the text."""

import json
import re
from collections.abc import Iterator
from uuid import UUID, uuid4

import pytest

from agents.answers.conversation import history
from agents.zones.inputs import Past, Private
from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import PRESSURE, WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, Request, text, tool

URL = "https://coffee.example/water"
LINKED = "https://brewing.example/linked"  # no owner wrote its site: only a page leads there
LINKS = [("Tickets", "https://museum.example/tickets?token=abc"), ("How espresso is brewed", LINKED)]
SHARED = make_page("https://museum.example/gaggia", PRESSURE.title, PRESSURE.text, LINKS)
FURTHER = "https://museum.example/pressure"
PAGES = {
    URL: make_page(
        URL, WATER.title, WATER.text, [(PRESSURE.title, FURTHER), ("Opening hours", "https://coffee.example/hours")]
    ),
    LINKED: make_page(LINKED, WATER.title, WATER.text),
    FURTHER: make_page(FURTHER, PRESSURE.title, PRESSURE.text),
}
RESULTS = [p.SearchResult(title=WATER.title, url=URL, snippet=WATER.paragraphs[0])]
ARTICLE_WORDS = [words[:25] for article in (WATER, PRESSURE) for words in (article.title, *article.paragraphs)]


DESK_TOOLS = browser_tools(PAGES, RESULTS)
DESK_ANSWERS = allow("always")


def ask_about_shared_page(client: Client, words: str) -> p.Message:
    client.send(frame := p.ChatSend(turn_id=uuid4(), text=words, page=SHARED))
    return client.expect(p.TurnDone, 30, turn_id=frame.turn_id).message


def follow_up(
    client: Client, model: ModelServer, name: str, *handles: str, words: str = "Make it shorter"
) -> p.Message:
    """Have the planner call a tool with these handles. Only requests of this turn are recorded."""
    model.requests.clear()
    model.on(
        lambda request: bool(request.tools),
        lambda request: (
            tool(name, handle=rest[0]) if (rest := handles[len(request.tool_results) :]) else text("Answer briefly.")
        ),
    )
    return client.ask(words, 30)


def only(model: ModelServer, role: str) -> Request:
    [request] = (request for request in model.requests if zone(request) == role)
    return request


def page_words_beside_tools(model: ModelServer) -> list[str]:
    return [
        words for request in model.requests if request.tools for words in ARTICLE_WORDS if words in request.everything
    ]


def test_earlier_answers_go_to_the_writer_by_handle_and_the_answer_has_the_labels_of_all(
    desk: Client, model: ModelServer
) -> None:
    first = desk.ask(f"How is espresso brewed? {URL}", 30)
    second = ask_about_shared_page(desk, "Who built the first lever machine?")
    answer = follow_up(desk, model, "hand_over", f"a{first.seq}", f"a{second.seq}")
    assert answer.origin == ["coffee.example", "museum.example", "owner", "penny"]
    writer = only(model, "writer")
    assert writer.tools == []
    assert WATER.paragraphs[0] in writer.last_user
    assert any(words in writer.last_user for words in PRESSURE.paragraphs)
    assert "://" not in writer.last_user
    assert page_words_beside_tools(model) == []
    assert f"[answer a{first.seq}, from coffee.example]" in model.requests[0].everything


def test_only_the_placeholder_keeps_the_words_of_an_answer_from_the_planner(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = history.Entry(41, "out", "chat", "Words of a page.", ["coffee.example", "owner", "penny"])
    assert history.planner_history([entry], {}) == [Past("assistant", None, "a41", ("coffee.example",))]
    monkeypatch.setattr(history, "_HOUSE", {"coffee.example", "owner", "penny"})
    assert history.planner_history([entry], {}) == [Past("assistant", Private("Words of a page."))]


def test_a_handle_of_nothing_is_an_error_and_hands_nothing_over(desk: Client, model: ModelServer) -> None:
    ask_about_shared_page(desk, "Who built the first lever machine?")
    for handle in ("a999999999", "t7"):
        follow_up(desk, model, "hand_over", handle)
        assert "unknown_handle" in model.requests[-1].tool_results[0]
        assert page_words_beside_tools(model) == []


def test_a_shared_page_is_read_again_for_a_new_question_without_opening_it(desk: Client, model: ModelServer) -> None:
    shared = ask_about_shared_page(desk, "Who built the first lever machine?")
    answer = follow_up(desk, model, "read_again", f"a{shared.seq}", words="And how high was the pressure?")
    reader = only(model, "reader")
    assert (reader.tools, "museum.example" in answer.origin) == ([], True)
    assert PRESSURE.text in reader.last_user
    assert reader.last_user.startswith("Question: And how high was the pressure?")
    assert page_words_beside_tools(model) == []
    assert not desk.frames_of(p.ToolCall)
    assert not desk.frames_of(p.GrantAsk)


def opens_second_link(request: Request, answer: str) -> Reply:
    """Script: read the page of an answer again, and open its second link."""
    results = request.tool_results
    if len(results) == 2:
        return text("Answer briefly.")
    assert f"[answer {answer}, from museum.example]" in request.everything
    return (
        tool("browse_url", url=f"{json.loads(results[0])['handle']}.l2")
        if results
        else tool("read_again", handle=answer)
    )


@pytest.mark.parametrize("decision", ["allow", "dismiss"])
def test_a_link_of_a_shared_page_is_followed_by_its_handle_when_its_site_is_allowed(
    penny: Penny, desk: Client, model: ModelServer, decision: str
) -> None:
    desk.answers = lambda ask: p.GrantAnswer.model_validate({"request_id": ask.request_id, "decision": decision})
    penny.admin_action("devices/grant", "delete_selected")
    shared = ask_about_shared_page(desk, "Who built the first lever machine?")
    model.requests.clear()
    model.on(lambda request: bool(request.tools), lambda request: opens_second_link(request, f"a{shared.seq}"))
    answer = desk.ask("Open the second link: how is espresso brewed?", 30)
    assert [ask.host for ask in desk.frames_of(p.GrantAsk)] == ["brewing.example"]
    assert [call.arguments for call in desk.frames_of(p.ToolCall)] == (
        [p.BrowseUrlArguments(url=LINKED, session="clean")] if decision == "allow" else []
    )
    assert ("brewing.example" in answer.origin, WATER.paragraphs[0] in answer.text) == (decision == "allow",) * 2
    assert page_words_beside_tools(model) == []
    assert [request for request in model.requests if request.tools and LINKED in request.everything] == []
    contents = [json.loads(result) for request in model.requests for result in request.tool_results[:1]]
    assert contents[0]["links"] == 2


def test_only_an_answer_about_a_shared_page_can_be_read_again(desk: Client, model: ModelServer) -> None:
    browsed = desk.ask(f"How is espresso brewed? {URL}", 30)
    follow_up(desk, model, "read_again", f"a{browsed.seq}")
    assert "no_page" in model.requests[-1].tool_results[0]


def test_follow_up_tools_are_not_offered_where_nothing_came_from_pages(penny: Penny, model: ModelServer) -> None:
    with penny.client("Desk") as client:
        for _ in range(11):  # longer than the history of a planner
            client.ask("Hello")
    assert not {"hand_over", "read_again"} & set(model.requests[-1].tools)


# Replies
# --------------------------------------------------------------------------------------------------------------------


def reply_to(client: Client, parent: p.Message, words: str) -> p.Message:
    client.send(frame := p.ChatSend(turn_id=uuid4(), text=words, parent_id=parent.id))
    return client.expect(p.TurnDone, 30, turn_id=frame.turn_id).message


def test_a_reply_to_what_came_from_pages_hands_it_to_the_writer_and_its_name_to_the_planner(
    desk: Client, model: ModelServer
) -> None:
    shared = ask_about_shared_page(desk, "Who built the first lever machine?")
    desk.ask("Something else")
    model.requests.clear()
    answer = reply_to(desk, shared, "Make it shorter")
    assert only(model, "planner").last_user == f"[answer a{shared.seq}, from museum.example]\nMake it shorter"
    writer = only(model, "writer")
    assert (writer.tools, any(words in writer.last_user for words in PRESSURE.paragraphs)) == ([], True)
    assert page_words_beside_tools(model) == []
    assert "museum.example" in answer.origin


def test_a_reply_to_ones_own_words_or_to_pennys_quotes_them(desk: Client, model: ModelServer) -> None:
    answer = desk.ask("Hello, this is mine")
    model.requests.clear()
    reply_to(desk, answer, "What did you mean?")
    assert only(model, "planner").last_user == f"> {answer.text}\nWhat did you mean?"


def test_a_reply_that_is_asked_once_more_is_a_reply_to_the_same(desk: Client, model: ModelServer) -> None:
    answer = desk.ask("Hello, this is mine")
    model.on(lambda _: True, Reply(status=401), times=1)
    desk.send(frame := p.ChatSend(turn_id=uuid4(), text="What did you mean?", parent_id=answer.id))
    failure = desk.expect(p.TurnFailed, 30, turn_id=frame.turn_id).message
    model.requests.clear()
    desk.send(p.ChatSend(turn_id=failure.id, text="What did you mean?", parent_id=failure.id))
    desk.expect(p.TurnDone, 30, turn_id=failure.id)
    assert only(model, "planner").last_user == f"> {answer.text}\nWhat did you mean?"


def test_an_answer_carries_the_header_of_the_page_that_it_rests_on(desk: Client) -> None:
    answers = [
        desk.ask(f"How is espresso brewed? {URL}", 30),
        ask_about_shared_page(desk, "Who built the first lever machine?"),
    ]
    headers = [(answer.page.url, answer.page.title) for answer in answers if answer.page]
    assert headers == [(URL, WATER.title), (SHARED.url, PRESSURE.title)]
    assert desk.ask("Hello").page is None


# Thoughts
# -------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def thought_id(penny: Penny, desk: Client, model: ModelServer) -> Iterator[UUID]:
    for host in ("coffee.example", "duckduckgo.com", "html.duckduckgo.com"):
        desk.send(p.GrantSet(host=host, capability="read", state="allowed", scope="always"))
        desk.expect(p.Ack, ref=host)
    penny.admin_action("thoughts/thought", "delete_selected")  # a thought of another test would count as known
    penny.manage("think", "--preference", "espresso")
    match = re.search(r"/thoughts/([0-9a-f-]{36})/", penny.http.get("/").text)
    assert match is not None
    model.requests.clear()
    yield UUID(match.group(1))
    for rows in ("thoughts/thought", "thoughts/preference"):
        penny.admin_action(rows, "delete_selected")


def test_the_thought_of_a_message_is_with_the_writer_and_a_placeholder_with_the_planner(
    desk: Client, model: ModelServer, thought_id: UUID
) -> None:
    desk.send(frame := p.ChatSend(turn_id=uuid4(), text="Is that so?", thought_id=thought_id))
    answer = desk.expect(p.TurnDone, 30, turn_id=frame.turn_id).message
    planner, writer = only(model, "planner"), only(model, "writer")
    assert planner.last_user == "[thought t1, from coffee.example]\nIs that so?"
    assert WATER.paragraphs[0] in writer.last_user
    assert writer.tools == []
    assert page_words_beside_tools(model) == []
    assert "coffee.example" in answer.origin
    follow_up(desk, model, "hand_over", "t1", words="Say more about the first")
    assert "[thought t1, from coffee.example]\\nIs that so?" in model.requests[0].everything
    assert WATER.paragraphs[0] in only(model, "writer").last_user
    assert page_words_beside_tools(model) == []


def digs(request: Request) -> Reply:
    """Script: read the pages of the thought again, and open their best link."""
    results = [json.loads(result) for result in request.tool_results]
    if not results:
        return tool("read_again", handle="t1")
    if len(results) == 1:
        return tool("browse_url", url=results[0]["pages"][0]["best_links"][0])
    return text("Answer briefly.")


@pytest.mark.parametrize("decision", ["allow", "dismiss"])
def test_digging_deeper_reads_the_pages_of_a_thought_again_and_asks_for_where_they_lead(
    penny: Penny, desk: Client, model: ModelServer, thought_id: UUID, decision: str
) -> None:
    desk.answers = lambda ask: p.GrantAnswer.model_validate({"request_id": ask.request_id, "decision": decision})
    model.on(lambda request: bool(request.tools), digs)
    penny.post(f"/thoughts/{thought_id}/dig/")
    answer = desk.expect(p.TurnDone, 30).message
    planner = next(request for request in model.requests if request.tools)
    assert "about “espresso”" in planner.last_user
    assert [ask.host for ask in desk.frames_of(p.GrantAsk)] == ["museum.example"]
    urls = [
        call.arguments.url for call in desk.frames_of(p.ToolCall) if isinstance(call.arguments, p.BrowseUrlArguments)
    ]
    assert [url for url in urls if url != URL] == ([FURTHER] if decision == "allow" else [])
    assert "coffee.example" in answer.origin
    assert ("museum.example" in answer.origin) == (decision == "allow")
    assert page_words_beside_tools(model) == []


def test_the_pages_of_a_thought_that_nobody_spoke_of_cannot_be_read(desk: Client, model: ModelServer) -> None:
    ask_about_shared_page(desk, "Who built the first lever machine?")
    follow_up(desk, model, "read_again", "t7")
    assert "unknown_handle" in model.requests[-1].tool_results[0]
