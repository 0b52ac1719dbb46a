"""Tools that look without reading, read several pages, or look at the owner's own things.

The planner gets typed values; words go to the reader and the writer.
"""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from devices import protocol as p
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, Request, text, tool
from tests.stand_ins.sites import png

SHOP, COFFEE = "https://shop.example/grinder", "https://coffee.example/water"
GRINDING = "https://coffee.example/grind"
PAGES = {COFFEE: make_page(COFFEE, WATER.title, WATER.text), GRINDING: make_page(GRINDING, GRIND.title, GRIND.text)}
TITLE, AUTHOR = "Zanzibar hand grinder of copper", "Umberto Quillfeather"
METADATA = p.Metadata(
    kind="product",
    title=TITLE,
    author=AUTHOR,
    price="129.00",
    currency="EUR",
    availability="in_stock",
    published=datetime(2026, 1, 2, tzinfo=UTC),
)
LINKS = [
    p.Link(text="Zanzibar spare parts", url="https://shop.example/parts"),
    p.Link(text="Quillfeather on water", url=COFFEE),
]
VISITS = [
    p.Visit(domain="coffee.example", title="Zanzibar lever espresso", visited_at=datetime(2026, 1, 2, tzinfo=UTC))
]
VIDEOS = [
    p.Video(
        title="Zanzibar levers",
        url="https://www.youtube.com/watch?v=a",
        channel="Quillfeather",
        seconds=754,
        views=1_200_000,
    ),
    p.Video(title="Another Zanzibar", url="https://www.youtube.com/watch?v=b"),
    p.Video(title="A Zanzibar elsewhere", url="https://sink.example/watch?v=c"),
]
SEEN = "A copper kettle stands on a Zanzibar stove"
WORDS = [TITLE, AUTHOR, "Zanzibar", "Quillfeather"]


def picture_data_url() -> str:
    return f"data:image/png;base64,{base64.b64encode(png(320, 200)).decode()}"


TOOLS: dict[str, Callable[[p.ToolCall], Any]] = {
    **browser_tools(PAGES),
    "read_metadata": lambda _: p.PageMetadata(url=SHOP, metadata=METADATA),
    "read_links": lambda _: p.PageLinks(url=SHOP, links=LINKS),
    "search_youtube": lambda _: p.Videos(url="https://www.youtube.com/results?search_query=x", videos=VIDEOS),
    "get_history": lambda _: p.Visits(visits=VISITS),
    "screenshot_page": lambda _: p.Screenshot(url=SHOP, image=picture_data_url(), width=320, height=200, masked=2),
}


DESK_TOOLS = TOOLS
DESK_ANSWERS = allow("always")


def calls(model: ModelServer, *replies: Reply) -> None:
    """Script the planner's calls in order, and a writer that repeats what it gets."""
    model.requests.clear()
    model.on(
        lambda r: bool(r.tools),
        lambda r: rest[0] if (rest := replies[len(r.tool_results) :]) else text("Say what there is."),
    )
    model.on(lambda r: zone(r) == "writer", lambda r: text(r.last_user.partition("\n\n")[2]))


def planner_results(model: ModelServer) -> list[dict[str, Any]]:
    """Return the results that the planner got."""
    return [dict(json.loads(result)) for result in max((r.tool_results for r in model.requests), key=len)]


def beside_tools(model: ModelServer) -> list[str]:
    planners = [request for request in model.requests if request.tools or zone(request) == "planner"]
    assert planners
    return [word for request in planners for word in WORDS if word in request.everything]


def test_of_what_a_page_says_about_itself_the_planner_learns_typed_values_and_the_writer_the_words(
    desk: Client, model: ModelServer
) -> None:
    calls(model, tool("read_metadata", url=SHOP))
    answer = desk.ask(f"What does this cost, and who wrote it? {SHOP}", 30)
    assert planner_results(model) == [
        {
            "handle": "b1",
            "domain": "shop.example",
            "kind": "product",
            "currency": "EUR",
            "availability": "in_stock",
            "published": "2026-01-02T00:00:00+00:00",
            "price": 129.0,
            "images": 0,
        }
    ]
    assert (AUTHOR in answer.text, beside_tools(model)) == (True, [])
    assert {"owner", "penny", "shop.example"} == set(answer.origin)
    [ask] = desk.frames_of(p.GrantAsk)
    assert (ask.host, ask.reason) == ("shop.example", "To look up what a page says about itself there.")


def test_links_are_handles_that_can_be_opened_and_their_texts_reach_no_planner(
    desk: Client, model: ModelServer
) -> None:
    calls(model, tool("read_links", url=SHOP), tool("browse_url", url="b1.l2"))
    answer = desk.ask(f"Which links are there? {SHOP}", 30)
    links_result, read = planner_results(model)
    best = [{"handle": "b1.l1", "domain": "shop.example"}, {"handle": "b1.l2", "domain": "coffee.example"}]
    assert links_result == {"handle": "b1", "domain": "shop.example", "links": 2, "best": best}
    assert (read["handle"], read["domain"]) == ("p1", "coffee.example")
    assert "[shop.example](https://shop.example/parts) Zanzibar spare parts" in answer.text
    # The page alone chose where that link leads.
    assert f"[coffee.example]({COFFEE}) Quillfeather on water" not in answer.text
    assert beside_tools(model) == []


def test_several_pages_are_read_in_one_call_after_one_question(desk: Client, model: ModelServer) -> None:
    calls(model, tool("browse_urls", urls=[COFFEE, GRINDING, COFFEE, "s9.r9", "https://nowhere.example/"]))
    turn = desk.say(f"How is it brewed and ground? {COFFEE} {GRINDING} https://nowhere.example/")
    ask = desk.expect(p.ApprovalAsk)
    assert ask.text == "May Penny read pages on coffee.example and nowhere.example for this answer?"
    desk.send(p.ApprovalAnswer(request_id=ask.request_id, decision="allow"))
    desk.expect(p.TurnDone, 30, turn_id=turn)
    [content] = planner_results(model)
    assert [page_content.get("domain", page_content.get("error")) for page_content in content["pages"]] == [
        "coffee.example",
        "coffee.example",
        "unknown_handle",
        "not_found",
    ]
    assert content["read"] == 2
    assert not desk.frames_of(p.GrantAsk)
    [writer] = [request for request in model.requests if zone(request) == "writer"]
    assert [paragraph[:40] in writer.everything for paragraph in (WATER.paragraphs[0], GRIND.paragraphs[0])] == [
        True,
        True,
    ]


def test_of_videos_the_planner_learns_lengths_and_views_and_the_writer_the_titles(
    desk: Client, model: ModelServer
) -> None:
    calls(model, tool("search_youtube", query="hand grinders"))
    answer = desk.ask("Find a video about hand grinders", 30)
    [result] = planner_results(model)
    first = {"handle": "s1.r1", "domain": "youtube.com", "seconds": 754, "views": 1_200_000}
    assert result["results"] == [first, {"handle": "s1.r2", "domain": "youtube.com"}]
    assert "Zanzibar levers — Quillfeather — 12:34 — 1,200,000 views" in answer.text
    assert ("www.youtube.com" in answer.origin, beside_tools(model)) == (True, [])
    [ask] = desk.frames_of(p.GrantAsk)
    assert (ask.host, ask.reason) == ("www.youtube.com", "To search for videos there.")


def switch_history(client: Client, is_on: bool) -> None:
    client.send(p.DeviceUpdate(ref=(ref := uuid4()), history=is_on))
    client.expect(p.Ack, ref=str(ref))


def test_the_history_is_looked_through_only_where_it_is_shared_and_the_owner_says_yes(
    desk: Client, model: ModelServer
) -> None:
    calls(model)
    desk.ask("Hello")
    assert "get_history" not in model.requests[0].tools
    switch_history(desk, True)
    calls(model, tool("get_history", words="espresso", days=7))
    turn = desk.say("Which page about espresso did I see last week?")
    ask = desk.expect(p.ApprovalAsk, 20)
    assert "browsing history of “Desk”" in ask.text
    desk.send(p.ApprovalAnswer(request_id=ask.request_id, decision="allow"))
    answer = desk.expect(p.TurnDone, 30, turn_id=turn).message
    assert planner_results(model) == [{"visits": 1, "days": 7, "found": False, "claims": 0}]
    assert (beside_tools(model), "coffee.example" in answer.origin) == ([], True)
    [reader] = [request for request in model.requests if zone(request) == "reader"]
    assert "2026-01-02 coffee.example: Zanzibar lever espresso" in reader.last_user


def test_a_no_keeps_the_history_where_it_is(desk: Client, model: ModelServer) -> None:
    switch_history(desk, True)
    calls(model, tool("get_history"))
    turn = desk.say("What did I look at?")
    desk.send(p.ApprovalAnswer(request_id=desk.expect(p.ApprovalAsk, 20).request_id, decision="deny"))
    desk.expect(p.TurnDone, 30, turn_id=turn)
    assert planner_results(model) == [{"error": "not_granted"}]
    assert not desk.frames_of(p.ToolCall)


def test_a_history_that_says_more_than_domains_is_refused_whole(penny: Penny, model: ModelServer) -> None:
    telling = [
        *VISITS,
        p.Visit(domain="bank.example/account", title="An account", visited_at=datetime(2026, 1, 2, tzinfo=UTC)),
    ]
    with penny.client("Desk", tools={**TOOLS, "get_history": lambda _: p.Visits(visits=telling)}) as client:
        switch_history(client, True)
        calls(model, tool("get_history"))
        turn = client.say("What did I look at?")
        client.send(p.ApprovalAnswer(request_id=client.expect(p.ApprovalAsk, 20).request_id, decision="allow"))
        client.expect(p.TurnDone, 30, turn_id=turn)
    assert planner_results(model) == [{"error": "bad_result"}]
    assert not any("bank.example" in request.everything for request in model.requests)


def is_picture_request(request: Request) -> bool:
    return "You look at one picture" in request.everything


def test_a_picture_of_the_page_is_looked_at_by_the_model_that_sees_and_by_nobody_else(
    desk: Client, model: ModelServer
) -> None:
    desk.allow_site("shop.example")
    calls(model, tool("screenshot_page", area="visible"))
    model.on(is_picture_request, Reply(tokens=(json.dumps({"found": True, "headline": SEEN, "summary": SEEN}),)))
    answer = desk.ask("What stands on the stove in the picture?", 30)
    size = {"width": 320, "height": 200, "masked": 2}
    assert planner_results(model) == [{"handle": "b1", "domain": "shop.example", "found": True} | size]
    [picture_request] = [request for request in model.requests if is_picture_request(request)]
    assert (picture_request.tools, picture_request.body["model"]) == ([], "scripted-sees")
    assert [r for r in model.requests if "image_url" in r.everything] == [picture_request]
    assert "data:image/jpeg;base64," in picture_request.everything
    assert (SEEN in answer.text, beside_tools(model)) == (True, [])


def test_no_picture_is_looked_at_of_a_site_that_is_not_allowed(desk: Client, model: ModelServer) -> None:
    calls(model, tool("screenshot_page"))
    desk.ask("What do you see?", 30)
    assert planner_results(model) == [{"error": "not_granted"}]
    assert not any(is_picture_request(request) for request in model.requests)


def test_what_is_no_picture_is_refused(penny: Penny, model: ModelServer) -> None:
    broken = p.Screenshot(url=SHOP, image="data:image/png;base64,AAAA", width=1, height=1, masked=0)
    with penny.client("Desk", tools={**TOOLS, "screenshot_page": lambda _: broken}) as client:
        client.allow_site("shop.example")
        calls(model, tool("screenshot_page"))
        client.ask("What do you see?", 30)
    assert planner_results(model) == [{"error": "image_broken"}]
