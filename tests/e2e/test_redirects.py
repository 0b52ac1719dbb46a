"""Pages that lead away from a granted site in every way that a page can.

Penny does not read their targets.
"""

import json
from collections.abc import Iterator
from html import escape

import pytest

from devices import protocol as p
from devices.web.hosts import HostInvalid, grant_host
from tests.client import Client
from tests.e2e.browser import ROOT
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.articles import GRIND
from tests.stand_ins.model_server import ModelServer, Reply, ToolUse
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites, redirect
from tests.waiting import until

FARM, VAULT = "coffee.example", "shop.example"
CANARY = "The vault opens with the word heliotrope and with no other."
SECRET = Answer(GRIND.html("", f"<p>{CANARY}</p>"))
AT_ONCE = 10  # pages that a turn opens at the same time
ON_LOAD = "addEventListener('load', () => {{ {} }})"
# TO is the URL to which a script leads.
SCRIPTS = {
    "href": "location.href = TO",
    "replace": "location.replace(TO)",
    "assign": "location.assign(TO)",
    "navigation": "window.navigation ? navigation.navigate(TO) : location.assign(TO)",
    "script-address": "location.href = `javascript:location.href='${TO}'`",
    "open-self": "open(TO, '_self')",
    "written": "document.write(`<meta http-equiv='refresh' content='0;url=${TO}'>`)",
    "inserted": ON_LOAD.format("document.head.append(refresh())"),
    "click": ON_LOAD.format("link('_self').click()"),
    "get": ON_LOAD.format("submit('get', '_self')"),
    "post": ON_LOAD.format("submit('post', '_self')"),
    "replace-state": "history.replaceState({}, '', '/ways/pushed'); location.reload()",
    "frame": ON_LOAD.format("frame(`parent.location = '${TO}'`)"),
    "frame-form": ON_LOAD.format("frame(`parent.submit('get', '_top')`)"),
    "frame-link": ON_LOAD.format(
        "frame(`document.body.append(parent.link('_top')); document.querySelector('a').click()`)"
    ),
}
# These leave some time after they have loaded. Until then they are empty, so they do not count as whole pages.
LATER = {
    "late": ON_LOAD.format("setTimeout(() => (location = TO), 700)"),
    "push": (
        f"history.pushState({{}}, '', '/ways/pushed'); {ON_LOAD.format('setTimeout(() => (location.href = TO), 100)')}"
    ),
    "late-refresh": ON_LOAD.format("setTimeout(() => document.head.append(refresh()), 700)"),
}
HEADS = {"meta": "0;url={to}", "meta-late": "1; url={to}", "meta-quoted": " 0 ; URL='{to}'"}
STATUSES = (301, 302, 303, 307, 308)
# Penny closes tabs that a page opens at once. Firefox also stops the request; Chrome has no rule for a future tab.
BESIDE = {
    "open": ON_LOAD.format("open(TO)"),
    "noopener": ON_LOAD.format("open(TO, '_blank', 'noopener')"),
    "window": ON_LOAD.format("open(TO, '', 'width=300,height=300')"),
    "blank": ON_LOAD.format("submit('get', '_blank')"),
    "anchor": ON_LOAD.format("link('_blank', 'noopener noreferrer').click()"),
    "two": ON_LOAD.format("open('/ways/noopener'); open('/ways/open')"),
}
# Targets that no grant allows: Penny herself, a URL with a user name, and other schemes.
NOWHERE = ("own", "userinfo", "file", "data")
TOOLS = (
    "function submit(method, target) { const form = Object.assign(document.createElement('form'), "
    "{method, target, action: TO});"
    " document.body.append(form); form.submit() }"
    " function link(target, rel = '') { const a = Object.assign(document.createElement('a'), {href: TO, target, rel});"
    " document.body.append(a); return a }"
    " function refresh() { return Object.assign(document.createElement('meta'), {httpEquiv: 'refresh', "
    "content: `0;url=${TO}`}) }"
    " function frame(script) { const srcdoc = `<body><script>${script}</scr` + 'ipt>';"
    " document.body.append(Object.assign(document.createElement('iframe'), {srcdoc})) }"
)
AWAY = [*SCRIPTS, *LATER, *HEADS, "header", "missing", "chain", "and-back", *map(str, STATUSES)]
SOME = ["302", "meta", "push", "frame", "noopener"]


def _secret(way: str) -> str:
    return f"/secret/{way}"


def _scripted(script: str, to: str, body: str | None = None, status: int = 200) -> Answer:
    head = f"<script>const TO = '{to}'; {TOOLS} {script}</script>"
    return Answer(
        GRIND.html(head) if body is None else f"<!doctype html><head>{head}</head><body>{body}</body>", status
    )


def _make_routes(web: Sites, penny_url: str) -> dict[tuple[str, str], sites.Route]:
    def to(way: str) -> str:
        return web.url(VAULT, _secret(way))

    pages = {way: _scripted(script, to(way)) for way, script in (SCRIPTS | BESIDE).items()}
    pages |= {way: _scripted(script, to(way), "") for way, script in LATER.items()}
    pages |= {way: _refresh_page(content.format(to=to(way))) for way, content in HEADS.items()}
    pages |= {str(status): redirect(to(str(status)), status) for status in STATUSES}
    pages["header"] = Answer(GRIND.html(), headers={"Refresh": f"0;url={to('header')}"})
    pages["missing"] = _scripted("location.href = TO", to("missing"), "", 404)
    pages["chain"] = redirect("/ways/link")
    pages["link"] = redirect(web.url(f"www.{FARM}", "/ways/link"))
    pages["and-back"] = redirect(to("and-back"))
    pages["pushed"] = redirect(to("replace-state"))
    nowhere = (
        f"{penny_url}/",
        f"http://owner@{FARM}:{web.port}/grind",
        "file:///etc/passwd",
        "data:text/html,<p>heliotrope",
    )
    pages |= {way: redirect(address) for way, address in zip(NOWHERE, nowhere, strict=True)}
    routes: dict[tuple[str, str], sites.Route] = {(FARM, f"/ways/{way}"): _always(page) for way, page in pages.items()}
    routes[f"www.{FARM}", "/ways/link"] = _always(redirect(to("chain")))
    routes |= {(VAULT, _secret(way)): _always(SECRET) for way in [*AWAY, *BESIDE]}
    routes[VAULT, _secret("and-back")] = _always(redirect(web.url(FARM, "/grind")))
    return routes


def _refresh_page(content: str) -> Answer:
    return Answer(f'<!doctype html><head><meta http-equiv="refresh" content="{escape(content)}"></head><body></body>')


def _always(answer: Answer) -> sites.Route:
    return lambda _web, _query: answer


@pytest.fixture
def farm(web: Sites, desk: Desk) -> Iterator[Sites]:
    routes = _make_routes(web, desk.penny.url)
    sites.ROUTES.update(routes)
    desk.penny.set(TURN_PAGES_MAX=100)
    yield web
    for route in routes:
        del sites.ROUTES[route]


def _allow(client: Client, host: str) -> None:
    client.send(p.GrantSet(host=host, capability="read", state="allowed", scope="always"))
    client.expect(p.Ack, ref=host)


def _not_now(ask: p.GrantAsk) -> p.GrantAnswer:
    return p.GrantAnswer(request_id=ask.request_id, decision="dismiss")


def _open_all(client: Client, model: ModelServer, web: Sites, ways: list[str]) -> dict[str, str]:
    """Open pages, AT_ONCE in a turn; return the error codes of unread pages."""
    errors: dict[str, str] = {}
    for start in range(0, len(ways), AT_ONCE):
        together = ways[start : start + AT_ONCE]
        urls = [web.url(FARM, f"/ways/{way}") for way in together]
        uses = tuple(ToolUse("browse_url", {"url": url}) for url in urls)
        model.on(lambda request: bool(request.tools) and not request.tool_results, Reply(tools=uses), times=1)
        client.expect(p.TurnDone, 90, turn_id=client.say("Read these: " + " ".join(urls)))
        results = [json.loads(result) for result in next(r.tool_results for r in reversed(model.requests) if r.tools)]
        errors |= {way: result["error"] for way, result in zip(together, results, strict=True) if "error" in result}
    return errors


def _vault_visits(web: Sites) -> set[str]:
    return {path for host, path in web.visits if host == VAULT and path != "/favicon.ico"}


def _assert_closed(desk: Desk, model: ModelServer, web: Sites, ways: list[str]) -> None:
    """Open pages that lead to an ungranted site.

    Assert one ask a turn, and that nothing of the site is read.
    """
    with desk.penny.client("Helper", answers=_not_now) as client:
        _allow(client, FARM)
        errors = _open_all(client, model, web, ways)
        asks = client.frames_of(p.GrantAsk)
    assert {ask.host for ask in asks} == {VAULT}
    assert len(asks) <= -(-len(ways) // AT_ONCE)
    # A page that opens tabs may be read, but need not: a debugged Chromium stops it together with its tabs.
    assert {way: code for way, code in errors.items() if way in AWAY} == {
        way: "not_granted" for way in ways if way in AWAY
    }
    assert _vault_visits(web) <= ({_secret(way) for way in BESIDE} if desk.browser.name == "chromium" else set())
    assert {path for host, path in web.visits if host == FARM} >= {f"/ways/{way}" for way in ways}
    assert not any("heliotrope" in request.everything for request in model.requests)
    _assert_no_tab_is_left(desk)


def _assert_no_tab_is_left(desk: Desk) -> None:
    open_tabs: list[str] = []
    until(lambda: not _farm_tabs(desk, open_tabs), f"every tab is closed but {open_tabs}")


def _farm_tabs(desk: Desk, open_tabs: list[str]) -> list[str]:
    open_tabs[:] = [url for url in desk.browser.urls() if "/ways/" in url or "/secret/" in url]
    return open_tabs


def test_ways_out_of_a_granted_site_do_not_reach_one_that_is_not(desk: Desk, model: ModelServer, farm: Sites) -> None:
    _assert_closed(desk, model, farm, SOME)


@pytest.mark.long
def test_no_way_out_of_a_granted_site_reaches_one_that_is_not(desk: Desk, model: ModelServer, farm: Sites) -> None:
    _assert_closed(desk, model, farm, [*AWAY, *BESIDE])


@pytest.mark.long
def test_targets_that_no_grant_can_open_are_not_asked_about(desk: Desk, model: ModelServer, farm: Sites) -> None:
    with desk.penny.client("Helper", answers=_not_now) as client:
        _allow(client, FARM)
        errors = _open_all(client, model, farm, [*NOWHERE])
        assert client.frames_of(p.GrantAsk) == []
    assert errors.keys() == set(NOWHERE)
    assert not any("heliotrope" in request.everything for request in model.requests)
    _assert_no_tab_is_left(desk)


@pytest.mark.long
def test_every_way_leads_away_when_its_target_is_granted(desk: Desk, model: ModelServer, farm: Sites) -> None:
    with desk.penny.client("Helper", answers=_not_now) as client:
        _allow(client, FARM)
        _allow(client, VAULT)
        errors = _open_all(client, model, farm, AWAY)
    assert errors == {}
    assert _vault_visits(farm) == {_secret(way) for way in AWAY}
    assert any("heliotrope" in request.everything for request in model.requests)


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in BESIDE if way != "two"])  # two combines two others
def test_every_page_that_opens_tabs_does_so_in_a_tab_of_the_owner(desk: Desk, farm: Sites, way: str) -> None:
    page = desk.browser.page(farm.url(FARM, f"/ways/{way}"))
    until(lambda: _vault_visits(farm), "another page is opened")
    until(lambda: any("/secret/" in url for url in desk.browser.urls()), "its tab is there")
    page.close()
    for url in desk.browser.urls():
        if "/ways/" in url or "/secret/" in url:
            desk.browser.close(url)
    _assert_no_tab_is_left(desk)


def test_this_browser_parses_urls_as_the_shared_table_says(desk: Desk) -> None:
    """The redirect rules rely on the URL parser of the browser.

    A parser that accepts fewer URLs opens fewer.
    """
    cases = json.loads((ROOT / "tests" / "devices" / "web" / "hosts_table.json").read_text())["hosts"]
    read = (
        "text => URL.canParse(text) ? [new URL(text)].map(u => [u.protocol, u.hostname, u.port, u.username + "
        "u.password])[0] : null"
    )
    results = desk.panel.page.evaluate(f"{json.dumps([case['url'] for case in cases])}.map({read})")
    wrong = [
        (case, parts)
        for case, parts in zip(cases, results, strict=True)
        if parts and _parse_parts(parts) != (case.get("refused") or case["host"])
    ]
    assert wrong == []


def _parse_parts(parts: list[str] | None) -> str:
    """Return the result of hosts.py for these parts."""
    if parts is None:
        return "no_address"
    protocol, hostname, port, credentials = parts
    if protocol not in ("http:", "https:"):
        return "scheme"
    if credentials:
        return "userinfo"
    try:
        return grant_host(f"{protocol}//{hostname}{':' + port if port else ''}/")
    except HostInvalid as error:
        return error.code
