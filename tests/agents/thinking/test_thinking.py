"""A thinking run from preference to thought, or to the reason why there is none.

Against a fake browser and a scripted model.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import pytest

from devices import protocol as p
from tests.agents.thinking.conftest import ARTICLES, PAGES, RESULTS, browsed_urls, engine_host, grant_all, run_think
from tests.agents.thinking.look_steps import check_steps_sent
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until


def test_no_browser_and_no_preference_are_said_and_cost_no_model_call(thinker: Penny, model: ModelServer) -> None:
    assert "No browser is connected" in run_think(thinker)
    thinker.admin_action("thoughts/preference", "delete_selected")
    with thinker.client(tools=browser_tools(PAGES, RESULTS), answers=allow()):
        assert "no preference" in run_think(thinker, "")
    assert model.requests == []


def test_a_preference_becomes_a_thought_with_evidence_and_is_counted_on_every_device(
    thinker: Penny, laptop: Client
) -> None:
    grant_all(laptop)
    printed = run_think(thinker)
    assert "passages say about espresso" in printed
    laptop.expect(p.ThoughtsCount, unread=1)
    check_steps_sent(laptop)
    feed = thinker.http.get("/").text
    thought = re.search(r"/thoughts/[0-9a-f-]{36}/", feed)
    assert thought is not None
    html = thinker.http.get(thought.group()).text
    quotes = re.findall(r"<mark>(.*?)</mark>", html)
    sentences = {sentence for article in ARTICLES.values() for sentence in article.paragraphs}
    assert quotes
    assert all(any(quote in sentence for sentence in sentences) for quote in quotes)
    _same_find_is_not_stored_again(thinker)
    _a_reaction_is_told_to_every_device(thinker, laptop, UUID(thought.group().split("/")[2]))


def _same_find_is_not_stored_again(thinker: Penny) -> None:
    assert "No thought" in run_think(thinker)
    assert thinker.http.get("/").text.count('<article class="card"') == 1


def _a_reaction_is_told_to_every_device(thinker: Penny, client: Client, thought: UUID) -> None:
    with thinker.client("Phone") as phone:
        for _ in range(2):  # repeating it changes nothing
            phone.send(p.ThoughtReact(thought_id=thought, valence=1))
        phone.expect(p.Ack, count=2, ref=str(thought))
        for device in (client, phone):
            device.expect(p.ThoughtsCount, unread=0)
            notification, thumb = _notification_and_thumb(thought, device)
            assert (notification.direction, notification.kind) == ("out", "notification")
            assert {*notification.origin} > {"owner", "penny"}
            assert (thumb.direction, thumb.kind, thumb.text, thumb.device_label) == ("in", "reaction", "👍", "Phone")
            assert (thumb.parent_id, thumb.seq) == (notification.id, notification.seq + 1)
    assert 'class="card"' not in thinker.http.get("/").text
    assert 'class="card"' in thinker.http.get("/archive/").text


def _notification_and_thumb(thought: UUID, device: Client) -> list[p.Message]:
    """Return the two messages of a reaction, once they are there."""

    def messages() -> list[p.Message]:
        return [frame.message for frame in device.frames_of(p.MessageNew) if frame.message.thought_id == thought]

    until(lambda: len(messages()) == 2, "the thought and the thumb were told")
    return messages()


def test_a_sentence_without_a_claim_is_dropped(thinker: Penny, laptop: Client, model: ModelServer) -> None:
    grant_all(laptop)
    made_up = "The moon is made of cheese, and everybody who drinks espresso in the evening knows it."

    def drafted(_: object) -> Reply:
        claims = json.loads(model.requests[-1].last_user.partition("Claims:\n")[2])
        sentences = [{"text": words, "supports": [number]} for number, words in claims.items()]
        sentences.insert(1, {"text": made_up, "supports": []})
        sentences.insert(2, {"text": made_up, "supports": ["p9.c9"]})
        return Reply(tokens=(json.dumps({"title": "Espresso", "sentences": sentences}),))

    model.on(lambda request: zone(request) == "drafter", drafted)
    printed = run_think(thinker)
    assert WATER.paragraphs[0] in printed
    assert "cheese" not in printed


def test_no_request_of_a_thinking_run_has_tools_and_none_holds_the_conversation(
    thinker: Penny, laptop: Client, model: ModelServer
) -> None:
    grant_all(laptop)
    laptop.ask("My secret number is 4711")
    model.reset()
    run_think(thinker)
    assert {zone(request) for request in model.requests} >= {"reader", "drafter"}
    assert [request.tools for request in model.requests if request.tools] == []
    assert not any("4711" in request.everything for request in model.requests)


def test_a_run_that_needs_a_grant_is_parked_and_goes_on_after_the_answer(thinker: Penny, model: ModelServer) -> None:
    with thinker.client("Fake browser", tools=browser_tools(PAGES, RESULTS)) as client:
        client.allow_site(engine_host())
        thinker.set(ASK_S=2)
        try:
            assert "No thought: Waits for your answer" in run_think(thinker)
        finally:
            thinker.set(ASK_S=60)
        ask = client.expect(p.GrantAsk)
        client.send(p.GrantAnswer(request_id=ask.request_id, decision="allow", scope="always"))
        client.expect(p.GrantDismiss, request_id=ask.request_id)
        thinker.tick()
        client.expect(p.ThoughtsCount, 30, unread=1)


def test_where_only_unknown_sites_were_found_beside_an_open_question_the_reason_says_so(thinker: Penny) -> None:
    with thinker.client("Fake browser", tools=browser_tools(PAGES, RESULTS)) as client:
        client.allow_site(engine_host())
        with _set(thinker, ASK_S=2):
            assert "No thought: Waits for your answer" in run_think(thinker)
        *_, schedule = re.findall(
            r"/activity/routine/\d+/(?=run/)", thinker.http.get("/activity/routine/").text
        )  # thinking comes last
        thinker.post(f"{schedule}run/")
        reason = "is allowed yet, and another question of thinking waits for you"
        until(lambda: reason in thinker.http.get(schedule).text, "it says why")
        ask = client.expect(p.GrantAsk)
        client.send(p.GrantAnswer(request_id=ask.request_id, decision="dismiss"))
        client.expect(p.GrantDismiss, request_id=ask.request_id)
        thinker.tick()
        until(lambda: f"you did not allow {ask.host}. The next look" in thinker.http.get("/activity/").text, "it says")


def test_a_budget_that_is_used_up_is_the_recorded_reason(thinker: Penny, laptop: Client) -> None:
    grant_all(laptop)
    with _set(thinker, THINKING_STEPS_MAX=2):
        assert "the budget of 2 steps was used up" in run_think(thinker)


def test_a_budget_that_is_used_up_later_leaves_a_thought_of_what_was_found_until_then(
    thinker: Penny, laptop: Client
) -> None:
    grant_all(laptop)
    with _set(thinker, THINKING_PAGES_MAX=2):
        assert "passages say about espresso" in run_think(thinker)
    assert len(laptop.frames_of(p.ToolCall)) == 2
    newest = re.search(r"/admin/agents/run/[0-9a-f-]{36}/", thinker.http.get("/admin/agents/run/").text)
    assert newest is not None
    assert "the budget of 2 pages was used up" in thinker.http.get(newest.group()).text


def test_what_is_searched_for_is_made_of_the_seed_alone(thinker: Penny, laptop: Client, model: ModelServer) -> None:
    grant_all(laptop)
    laptop.ask("My secret number is 4711")
    model.reset()
    model.on(
        lambda request: zone(request) == "queries",
        _json_reply(queries=["espresso pressure", "espresso grind", "espresso pressure"]),
    )
    run_think(thinker)
    assert _search_queries(laptop) == ["espresso pressure", "espresso grind"]
    [sent_request] = [request for request in model.requests if zone(request) == "queries"]
    assert (sent_request.last_user, sent_request.tools) == ("Seed: espresso", [])
    assert "4711" not in sent_request.everything


def test_a_model_that_gives_no_searches_leaves_the_seed(thinker: Penny, laptop: Client, model: ModelServer) -> None:
    grant_all(laptop)
    model.on(lambda request: zone(request) == "queries", _json_reply(queries=[]))
    run_think(thinker)
    assert _search_queries(laptop) == ["espresso"]


def test_pages_are_read_until_two_say_something_and_their_snippets_are_not_enough(
    thinker: Penny, model: ModelServer
) -> None:
    empty = make_page("https://coffee.example/water", "Nothing", "There is nothing of it here. " * 20)
    nothing = _json_reply(found=False, headline="", summary="", claims=[], link_indices=[])
    model.on(lambda request: zone(request) == "reader" and "nothing of it here" in request.last_user, nothing)
    with (
        thinker.client(
            "Fake browser", tools=browser_tools(PAGES | {empty.url or "": empty}, RESULTS), answers=allow()
        ) as client,
        _pages_per_thought(thinker, 1),
    ):
        grant_all(client)
        printed = run_think(thinker)
        calls = [call for call in client.frames_of(p.ToolCall) if isinstance(call.arguments, p.BrowseUrlArguments)]
    assert len(calls) == 3
    assert "What 8 passages say about espresso" in printed  # four claims of each page
    assert "coffee.example" not in thinker.http.get("/").text


def test_search_results_alone_are_no_thought(thinker: Penny, laptop: Client, model: ModelServer) -> None:
    grant_all(laptop)
    model.on(
        lambda request: zone(request) == "reader",
        _json_reply(found=False, headline="", summary="", claims=[], link_indices=[]),
    )
    assert "nothing there was about it" in run_think(thinker)
    assert not any(zone(request) == "drafter" for request in model.requests)


def test_a_thought_is_written_in_the_owners_language(thinker: Penny, laptop: Client, model: ModelServer) -> None:
    grant_all(laptop)
    thinker.set(THOUGHT_LANGUAGE="Deutsch")
    try:
        run_think(thinker)
    finally:
        thinker.set(THOUGHT_LANGUAGE="")
    [sent_request] = [request for request in model.requests if zone(request) == "drafter"]
    assert "Write in Deutsch, whatever language the claims are in." in sent_request.everything


def test_what_pages_suggest_waits_for_the_owner(
    thinker: Penny, laptop: Client, model: ModelServer, request: pytest.FixtureRequest
) -> None:
    grant_all(laptop)
    thinker.set(CANDIDATES="on")
    sentence = WATER.paragraphs[0]
    claim = {"text": sentence, "quote": sentence}
    reading = {"found": True, "headline": "Hot", "summary": "Hot.", "claims": [claim], "candidates": ["latte art cups"]}
    model.on(lambda request: zone(request) == "reader" and sentence in request.last_user, _json_reply(**reading))
    printed = run_think(thinker)
    assert "passages say" in printed
    assert "latte art cups" in thinker.http.get("/interests/suggestions/").text
    assert "latte art cups" not in thinker.http.get("/interests/").text


OPML = """<opml version="2.0"><body><outline text="Brewing at home">
<outline text="Roaster" type="rss" xmlUrl="https://roaster.example/feed" htmlUrl="https://roaster.example/"/>
<outline text="Elsewhere" type="rss" xmlUrl="https://elsewhere.example/feed" htmlUrl="https://elsewhere.example/"/>
</outline></body></opml>"""


def test_a_source_that_was_imported_gives_ideas_and_is_looked_at_where_it_is_allowed(
    thinker: Penny, model: ModelServer
) -> None:
    thinker.set(CANDIDATES="on")
    reading = {
        "found": True,
        "headline": "",
        "summary": "",
        "claims": [],
        "candidates": ["home brewing", "sailing boats"],
    }
    model.on(lambda request: "Roaster · Brewing at home" in request.last_user, _json_reply(**reading))
    imported = thinker.upload("/interests/sources/", file=("mine.opml", OPML.encode()))
    until(lambda: "Found 1 idea" in thinker.http.get(imported.url).text, "the file was looked through")
    assert "home brewing" in thinker.http.get(imported.url).text
    assert "sailing boats" not in thinker.http.get("/interests/suggestions/").text  # nothing in the file supports it
    [sent_request] = model.requests
    assert (zone(sent_request), sent_request.tools) == ("reader", [])
    home = make_page("https://roaster.example/", GRIND.title, GRIND.text)
    with thinker.client(
        "Fake browser", tools=browser_tools(PAGES | {home.url or "": home}, RESULTS[:1]), answers=allow()
    ) as client:
        grant_all(client)
        client.send(p.GrantSet(host="roaster.example", capability="read", state="allowed", scope="always"))
        client.expect(p.Ack, ref="roaster.example")
        printed = run_think(thinker)
        assert client.frames_of(p.GrantAsk) == []
    assert browsed_urls(client) == ["https://roaster.example/", "https://coffee.example/water"]
    assert GRIND.paragraphs[0] in printed
    assert "from roaster.example" in thinker.http.get("/").text


def test_thinking_gives_way_to_a_chat_at_once_and_goes_on_after_it(
    thinker: Penny, laptop: Client, model: ModelServer
) -> None:
    grant_all(laptop)
    model.on(lambda request: zone(request) == "drafter", Reply(hangs=True), times=1)
    thinker.post("/interests/", text="espresso", valence="1", next="/")  # the first interest is looked for at once
    drafts = until(
        lambda: [request for request in model.requests if zone(request) == "drafter"], "the thought is being written"
    )
    assert "I have nothing to add" in laptop.ask("Hello").text
    until(lambda: drafts[0].closed_early, "the model has room for the chat")
    laptop.expect(p.ThoughtsCount, 30, unread=1)
    assert len([request for request in model.requests if zone(request) == "drafter"]) == 2


def _json_reply(**fields: object) -> Reply:
    return Reply(tokens=(json.dumps(fields),))


@contextmanager
def _pages_per_thought(penny: Penny, count: int) -> Iterator[None]:
    penny.set(PAGES_PER_THOUGHT=count)
    try:
        yield
    finally:
        penny.set(PAGES_PER_THOUGHT=3)


def _search_queries(client: Client) -> list[str]:
    calls = [call.arguments for call in client.frames_of(p.ToolCall)]
    return [arguments.query for arguments in calls if isinstance(arguments, p.SearchWebArguments)]


@contextmanager
def _set(penny: Penny, **numbers: int) -> Iterator[None]:
    """Change the limits of thinking runs for a while."""
    defaults = {"THINKING_STEPS_MAX": 30, "THINKING_PAGES_MAX": 8}
    penny.set(**(defaults | numbers))
    try:
        yield
    finally:
        penny.set(**defaults)
