"""Whose choice an address is decides whether the owner's logins go along, and whether it is opened at all."""

from collections.abc import Mapping

import pytest
from constance.utils import get_values
from django.db import connections
from django.utils import timezone

from agents.gateway import open_page
from agents.gateway.catalog import BROWSE_URL
from agents.gateway.open_page import permit_address
from agents.models import Run
from agents.runs.context import Context, ToolRefused
from agents.runs.handles import Handles
from devices import protocol as p
from devices.db import in_db
from devices.models import Device, Grant
from tests.agents.background import SOME_MODELS
from tests.client import Client, allow, browser_tools, make_page
from tests.penny import Penny
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.model_script import is_planner
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse, text

URL = "https://coffee.example/water"
SAME, ELSEWHERE = "https://shop.coffee.example/grind", "https://mill.example/grind"
SIGN_OUT, DELETION = "https://coffee.example/logout", "https://mill.example/posts/7?action=delete"
NAMED = "https://press.example/grind"  # the owner names its site in one test alone
LINKS = [SAME, ELSEWHERE, SIGN_OUT, DELETION, NAMED]
PAGES = {URL: make_page(URL, WATER.title, WATER.text, [(f"Link {number}", link) for number, link in enumerate(LINKS)])}
PAGES |= {link: make_page(link, GRIND.title, GRIND.text) for link in LINKS}
DESK_TOOLS = browser_tools(PAGES)
DESK_ANSWERS = allow()
WORDS = f"How is espresso brewed? {URL}"


def _open(model: ModelServer, *targets: str) -> None:
    """Have the model open URL, and then the targets."""
    model.on(lambda r: is_planner(r) and not r.tool_results, Reply(tools=(ToolUse("browse_url", {"url": URL}),)))
    uses = tuple(ToolUse("browse_url", {"url": target}) for target in targets)
    model.on(lambda r: is_planner(r) and len(r.tool_results) == 1, Reply(tools=uses))
    model.on(lambda r: len(r.tool_results) > 1, text("Done."))


def _sessions(desk: Client, words: str) -> Mapping[str, str]:
    """Return the session in which each address was opened."""
    before = len(desk.frames_of(p.ToolCall))
    desk.ask(words, 30)
    calls = [call.arguments for call in desk.frames_of(p.ToolCall)[before:]]
    return {call.url: call.session for call in calls if isinstance(call, p.BrowseUrlArguments)}


def test_a_link_to_a_site_that_the_owner_did_not_ask_for_is_opened_without_logins(
    desk: Client, model: ModelServer
) -> None:
    _open(model, "p1.l1", "p1.l2")
    assert _sessions(desk, WORDS) == {URL: "owner", SAME: "owner", ELSEWHERE: "clean"}


def test_a_link_to_a_site_that_the_owner_named_too_keeps_the_logins(desk: Client, model: ModelServer) -> None:
    _open(model, "p1.l5")
    assert _sessions(desk, f"{WORDS} Compare with press.example") == {URL: "owner", NAMED: "owner"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("redis")
async def test_only_these_rules_keep_logins_from_another_site_and_the_owner_signed_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await Device.objects.acreate(
        label="Desk", kind="browser", tools=["browse_url"], connection="x", seen_at=timezone.now()
    )
    await Grant.objects.acreate(host="mill.example")
    await Grant.objects.acreate(host="coffee.example")
    run = await Run.objects.acreate(kind=Run.Kind.THINKING, state=Run.State.RUNNING, attempt=1)
    handles = Handles([WORDS], urls={"p1.l1": ELSEWHERE, "p1.l2": SIGN_OUT})
    numbers = {**await in_db(get_values)(), "RATE_MINUTE": 10_000, "RATE_PER_HOST_MINUTE": 10_000}
    context = Context(run, "thinking", handles, WORDS, SOME_MODELS, numbers, _say, lambda: None)
    assert not (await permit_address(context, BROWSE_URL, "p1.l1")).with_logins
    with pytest.raises(ToolRefused, match="acting_address"):
        await permit_address(context, BROWSE_URL, "p1.l2")
    monkeypatch.setattr(Handles, "is_asked_for", lambda *_: True)
    assert (await permit_address(context, BROWSE_URL, "p1.l1")).with_logins
    monkeypatch.setattr(open_page, "acts", lambda _: False)
    assert (await permit_address(context, BROWSE_URL, "p1.l2")).with_logins
    await in_db(connections.close_all)()


async def _say(_: str) -> None: ...


def test_a_result_elsewhere_is_opened_without_logins_and_one_of_the_searched_site_with() -> None:
    handles = Handles(["Search for espresso"])
    results = [("https://shop.example/a", "shop.example", ""), ("https://lab.example/b", "lab.example", "")]
    handles.add_search(results, "www.shop.example")
    assert [handles.is_asked_for(name) for name in ("s1.r1", "s1.r2")] == [True, False]


def test_a_source_of_the_owner_keeps_the_logins() -> None:
    handles = Handles([])
    handle = handles.add_own("https://lab.example/b", "lab.example")
    assert handles.is_asked_for(handle)


def test_an_address_that_acts_is_opened_only_where_the_owner_wrote_it(desk: Client, model: ModelServer) -> None:
    _open(model, "p1.l3", "p1.l4")
    assert _sessions(desk, WORDS) == {URL: "owner"}
    assert '{"error":"acting_address"}' in next(r.tool_results for r in reversed(model.requests) if r.tools)
    model.reset()
    _open(model, SIGN_OUT)
    assert _sessions(desk, f"{WORDS} {SIGN_OUT}") == {URL: "owner", SIGN_OUT: "owner"}


@pytest.mark.parametrize("kind", ["page", "search"])
def test_what_leads_to_a_site_without_logins_is_read_there_again_without(
    penny: Penny, model: ModelServer, kind: str
) -> None:
    penny.admin_action("devices/grant", "delete_selected")
    sessions: list[str] = []

    def browse(call: p.ToolCall) -> p.Page | p.SearchResults:
        assert isinstance(call.arguments, p.BrowseUrlArguments | p.SearchWebArguments)
        sessions.append(call.arguments.session)
        if kind == "page":
            return make_page(ELSEWHERE, GRIND.title, f"Read {call.arguments.session}. {GRIND.text}")
        return p.SearchResults(url=ELSEWHERE, results=[])

    model.on(lambda r: is_planner(r) and not r.tool_results and kind == "search", _search())
    with penny.client(
        "Careless browser", tools={"browse_url": browse, "search_web": browse}, answers=allow()
    ) as client:
        client.send(
            p.GrantSet(host="mill.example", capability="read", state="allowed", scope="always", session="clean")
        )
        client.expect(p.Ack, ref="mill.example")
        client.ask(f"Search for espresso or read {URL}", 30)
    assert sessions == ["owner", "clean"]
    assert not any("Read owner." in request.everything for request in model.requests)


def _search() -> Reply:
    return Reply(tools=(ToolUse("search_web", {"query": "espresso"}),))
