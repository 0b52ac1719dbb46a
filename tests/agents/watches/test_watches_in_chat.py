"""Watches from the conversation and the form, on a running Penny with its own sandbox."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from agents.gateway.arguments import WatchPage
from agents.watches.wish import parse_watch_request
from devices import protocol as p
from tests.client import Client, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.model_server import ModelServer, Reply, Request, ToolUse, text, tool
from tests.waiting import until

URL = "https://watched.example/lever"
OFFER = {"@type": "Offer", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}


def page_with_price(price: str) -> p.Page:
    metadata: dict[str, Any] = {"json_ld": [{"@type": "Product", "name": "Lever", "offers": OFFER | {"price": price}}]}
    words = (
        f"Lever espresso\nNow {price} EUR\nA machine of brass and steel that keeps nine bars for as long as "
        "you hold it."
    )
    return make_page(URL, "Lever espresso", words, metadata=p.Metadata.model_validate(metadata))


@pytest.fixture
def pages() -> dict[str, p.Page]:
    return {URL: page_with_price("950.00")}


@pytest.fixture
def watching_desk(penny: Penny, pages: dict[str, p.Page]) -> Iterator[Client]:
    for rows in ("devices/grant", "thoughts/thought", "thoughts/watch"):
        penny.admin_action(rows, "delete_selected")
    with penny.client(
        "Fake browser", tools={**browser_tools(pages), "get_current_tab": lambda _: p.CurrentTab(url=URL)}
    ) as fake_browser:
        fake_browser.allow_site("watched.example")
        yield fake_browser
    penny.admin_action("thoughts/watch", "delete_selected")  # or its questions would appear in other tests


def first(request: Request) -> bool:
    return bool(request.tools) and not request.tool_results


def tool_results(model: ModelServer) -> list[dict[str, Any]]:
    """Return what the planner received from its last calls."""
    return [
        json.loads(result)
        for result in [request.tool_results for request in model.requests if request.tool_results][-1]
    ]


def newest(penny: Penny) -> str:
    link = re.search(r'href="(/watches/\d+/)"', penny.http.get("/watches/").text)
    assert link is not None
    return link.group(1)


def test_a_drop_is_seen_by_a_browser_believed_the_second_time_and_counted_everywhere(
    penny: Penny, watching_desk: Client, pages: dict[str, p.Page], model: ModelServer
) -> None:
    penny.post("/watches/add/", url=URL, when="below", below="900 €", label="lever", every_minutes="60")
    watching_desk.expect(p.ToolCall)
    address = newest(penny)
    for number, price in enumerate(("899.00", "899.00"), 2):
        until(lambda: "looking now" not in penny.http.get(address).text, "the visit is over")
        pages[URL] = page_with_price(price)
        penny.post(f"{address}visit/")
        watching_desk.expect(p.ToolCall, count=number)
    watching_desk.expect(p.ThoughtsCount, unread=1)
    assert "lever: now 899 €, below 900 €" in penny.http.get("/").text
    html = penny.http.get(address).text
    assert html.count("the page&#x27;s own data (JSON-LD) offers.price") == 2
    assert "unchanged ×1" in html
    assert "told you" in html
    assert model.requests == []


def test_the_planner_watches_the_page_in_front_of_the_owner_by_its_handle(
    penny: Penny, watching_desk: Client, model: ModelServer
) -> None:
    model.on(first, tool("get_current_tab"))
    arguments = {"page": "b1", "below": 900, "currency": "EUR", "when_back": True, "name": "lever machine"}
    model.on(lambda r: bool(r.tools) and len(r.tool_results) == 1, Reply(tools=(ToolUse("watch", arguments),)))
    model.on(
        lambda r: bool(r.tools) and len(r.tool_results) == 2, text("I tell you when it drops below 900 € or is back.")
    )
    assert "below 900 €" in watching_desk.ask("Tell me when this drops below 900 € or is back", 30).text
    reply = {"domain": "watched.example", "is_new": True, "every_minutes": 60, "below": 900.0, "currency": "EUR"}
    assert tool_results(model)[1] == reply
    assert [call for call in watching_desk.frames_of(p.ToolCall) if call.tool == "browse_url"] == []
    html = penny.http.get("/watches/").text
    assert "lever machine" in html
    assert "below 900 € or back in stock" in html


@pytest.mark.parametrize(
    ("message", "arguments", "code"),
    [
        ("Watch the lever", {"page": "https://unwritten.example/lever", "below": 5}, "unknown_address"),
        ("Watch the lever", {"page": "p7", "below": 5}, "unknown_handle"),
        (f"Watch {URL}", {"page": URL}, "nothing_to_tell"),
        (f"Watch {URL}", {"page": URL, "below": -1}, "bad_arguments"),
    ],
)
def test_a_planner_can_watch_no_address_that_the_owner_did_not_write_and_nothing_without_a_reason(
    penny: Penny, watching_desk: Client, model: ModelServer, message: str, arguments: dict[str, Any], code: str
) -> None:
    model.on(first, tool("watch", **arguments))
    model.on(lambda r: bool(r.tool_results), text("That did not work."))
    watching_desk.ask(message, 30)
    assert tool_results(model) == [{"error": code}]
    assert "Nothing is watched yet" in penny.http.get("/watches/").text


WISHES: list[tuple[str, dict[str, Any] | None]] = [
    (f"Tell me when {URL} drops below 900 € or is back", {"below": 900.0, "currency": "EUR", "when_back": True}),
    (f"watch {URL} under CHF 1'299.–", {"below": 1299.0, "currency": "CHF"}),
    (f"Let me know if {URL} is less than 1.299,50", {"below": 1299.5}),
    (f"tell me when {URL} is in stock", {"when_back": True}),
    (f"Tell me of new posts on {URL}", {"kind": "posts"}),
    (f"notify me of new replies in this thread: {URL}", {"kind": "thread"}),
    (f"watch {URL} unter 20 EUR", {"below": 20.0, "currency": "EUR"}),
    (
        f"Sag mir Bescheid, wenn {URL} günstiger als 1.299,50 € oder wieder lieferbar ist",
        {"below": 1299.5, "currency": "EUR", "when_back": True},
    ),
    (f"Beobachte {URL} auf neue Beiträge", {"kind": "posts"}),
    (f"Gib Bescheid, sobald es neue Antworten gibt: {URL}", {"kind": "thread"}),
    (
        "watch shop.example.com/lever under 20 EUR",
        {"page": "https://shop.example.com/lever", "below": 20.0, "currency": "EUR"},
    ),
    (f"Sag mir, was unter {URL} steht", None),
    (f"Was kostet {URL} unter 900 €?", None),
    (f"Tell me what {URL} says about pressure", None),
    (f"Summarise {URL}", None),
    ("Tell me when it drops below 900 €", None),
    (f"Watch {URL} and https://b.example/ below 5 €", None),
    (f"Which watch on {URL} is below 900 €?", None),
    (f"Tell me which of these are below 900 €: {URL}", None),
]
HERE: list[tuple[str, dict[str, Any] | None]] = [
    ("Tell me when this drops below 900 € or is back", {"below": 900.0, "currency": "EUR", "when_back": True}),
    ("Could you watch this and say when it is in stock?", {"when_back": True}),
    ("Tell me of new posts in this thread", {"kind": "thread"}),
    ("Tell me what this says about pressure", None),
    ("Which of these are below 900 €?", None),
    ("Tell me when this and https://b.example/ drop below 900 €", None),
]


@pytest.mark.parametrize(("message", "wish"), WISHES)
def test_without_a_model_plain_words_with_an_address_are_understood(message: str, wish: dict[str, Any] | None) -> None:
    assert parse_watch_request(message) == (WatchPage(**{"page": URL} | wish) if wish else None)


@pytest.mark.parametrize(("message", "wish"), HERE)
def test_plain_words_about_a_page_that_is_included_are_understood(message: str, wish: dict[str, Any] | None) -> None:
    assert parse_watch_request(message, here="b1") == (WatchPage(page="b1", **wish) if wish else None)


def test_a_page_that_is_included_is_watched_and_not_read_for_it(
    penny: Penny, watching_desk: Client, model: ModelServer
) -> None:
    watching_desk.send(
        frame := p.ChatSend(turn_id=uuid4(), text="Tell me when this drops below 900 €", page=page_with_price("950.00"))
    )
    answer = watching_desk.expect(p.TurnDone, 30, turn_id=frame.turn_id).message
    assert (
        "I watch that page on watched.example from now on, and tell you when the price is below 900 EUR." in answer.text
    )
    assert (answer.origin, model.requests) == (["owner", "penny"], [])
    assert URL in penny.http.get(newest(penny)).text
