"""The tools for metadata, links, several pages, videos, history and pictures."""

import base64
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PIL import Image, ImageChops

from devices.protocol import Ack, ApprovalAnswer, ApprovalAsk, GrantSet, TurnDone
from tests.agents.pages.seeing import is_picture_request
from tests.client import Client
from tests.e2e.browser import shows, visible
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.articles import GRIND, GRINDER, WATER
from tests.stand_ins.model_script import zone
from tests.stand_ins.model_server import ModelServer, Reply, Request, text, tool
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

COFFEE, SHOP = "coffee.example", "shop.example"


@contextmanager
def allow_hosts(desk: Desk, *hosts: str) -> Iterator[Client]:
    """Another device of the owner, which has allowed these hosts."""
    with desk.penny.client("Helper") as helper:
        for host in hosts:
            helper.send(GrantSet(host=host, capability="read", state="allowed", scope="always"))
            helper.expect(Ack, ref=host)
        yield helper


def script_calls(model: ModelServer, *replies: Reply) -> None:
    """Let the planner make these calls in order, and the writer repeat all its input."""
    model.on(
        lambda r: bool(r.tools),
        lambda r: remaining[0] if (remaining := replies[len(r.tool_results) :]) else text("Say what there is."),
    )
    model.on(lambda r: zone(r) == "writer", lambda r: text(r.last_user.partition("\n\n")[2]))


def planner_results(model: ModelServer) -> list[dict[str, Any]]:
    return [dict(json.loads(result)) for result in max((r.tool_results for r in model.requests), key=len)]


@pytest.mark.one_browser("firefox", "the server decides it")
def test_metadata_is_looked_up_and_no_word_of_it_reaches_the_planner(
    desk: Desk, model: ModelServer, web: Sites
) -> None:
    url = web.url(SHOP, "/grinder")
    script_calls(model, tool("read_metadata", url=url))
    with allow_hosts(desk, SHOP) as helper:
        answer = helper.ask(f"What does it cost? {url}", 30)
    expected = {
        "handle": "b1",
        "domain": SHOP,
        "kind": "product",
        "price": 129.0,
        "currency": "EUR",
        "availability": "in_stock",
        "images": 0,
    }
    assert planner_results(model) == [expected]
    assert "Copper hand grinder" in answer.text
    assert not any("Copper hand grinder" in request.everything for request in model.requests if request.tools)


@pytest.mark.one_browser("chromium", "the server decides it")
def test_the_links_of_a_page_are_handles_and_one_of_them_is_read(desk: Desk, model: ModelServer, web: Sites) -> None:
    url = web.url(COFFEE, "/water")
    script_calls(model, tool("read_links", url=url), tool("browse_url", url="b1.l1"))
    with allow_hosts(desk, COFFEE) as helper:
        answer = helper.ask(f"What is linked there? {url}", 30)
    links, read = planner_results(model)
    best = [{"handle": "b1.l1", "domain": COFFEE}, {"handle": "b1.l2", "domain": "museum.example"}]
    assert (links["handle"], links["domain"], links["links"], links["best"][:2]) == ("b1", COFFEE, 4, best)
    assert (read["handle"], web.visited(COFFEE, "/grind")) == ("p1", 1)
    assert "where pressure comes from" in answer.text
    assert not any("where pressure comes from" in request.everything for request in model.requests if request.tools)


@pytest.mark.one_browser("chromium", "the server decides it")
def test_several_pages_are_read_in_one_call(desk: Desk, model: ModelServer, web: Sites) -> None:
    urls = [
        web.url(COFFEE, "/water"),
        web.url(COFFEE, "/grind"),
        web.url(SHOP, "/grinder"),
        web.url("lab.example", "/nowhere"),
    ]
    script_calls(model, tool("browse_urls", urls=urls))
    with allow_hosts(desk, COFFEE, SHOP, "lab.example") as helper:
        helper.ask(f"How is espresso made? {' '.join(urls)}", 40)
    [content] = planner_results(model)
    assert [page.get("domain", page.get("error")) for page in content["pages"]] == [COFFEE, COFFEE, SHOP, "load_failed"]
    [writer] = [request for request in model.requests if zone(request) == "writer"]
    assert [
        words[:40] in writer.everything for words in (WATER.paragraphs[0], GRIND.paragraphs[0], GRINDER.paragraphs[0])
    ] == [True] * 3


VIDEOS = "video.example"
FOUND = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Results</title><header><a \
href="/">Home</a></header>
<div><a href="/watch?v=abc"><span>12:34</span></a><h3><a href="/watch?v=abc">Quillfeather on levers</a></h3>
<a href="/@barista">The Barista</a><p>1.2M views</p></div>
<div><h3><a href="/watch?v=def">Grinding</a></h3><a href="/@miller">Miller</a><p>981 views</p></div></html>"""
# It loads the transcript on a click and the comments when they are scrolled to.
WATCHED = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Quillfeather on levers</title>
<h1>Quillfeather on levers</h1><div id="owner"><ytd-channel-name><a href="/@barista">The \
Barista</a></ytd-channel-name></div>
<span class="ytp-time-duration">12:34</span><div id="info">1.2M views</div>
<div id="description"><p>How the lever machine came about, from the first patent to the kitchens of today.</p></div>
<ytd-video-description-transcript-section-renderer><button>Show \
transcript</button></ytd-video-description-transcript-section-renderer>
<div id="panel"></div><div style="height: 4000px">The player</div><div id="comments">Comments</div><script>
const add = (place, name, inner) => document.querySelector(place).insertAdjacentHTML('beforeend', \
`<${name}>${inner}</${name}>`)
const said = '<div class="segment-text">Achille Gaggia filed his patent in 1938.</div>'
const comment = '<span id="content-text">My own lever machine is from 1961.</span>'
document.querySelector('button').onclick = () => setTimeout(() => add('#panel', 'ytd-transcript-segment-renderer', \
said), 300)
const looking = setInterval(() => {
  if (scrollY === 0) return
  clearInterval(looking)
  add('#comments', 'ytd-comment-thread-renderer', comment)
}, 100)
</script></html>"""


@pytest.mark.one_browser("chromium", "shared code reads the page")
def test_a_video_is_found_and_read_with_its_transcript_and_its_comments(
    desk: Desk, model: ModelServer, web: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sites.ROUTES, (VIDEOS, "/results"), lambda *_: Answer(FOUND))
    monkeypatch.setitem(sites.ROUTES, (VIDEOS, "/watch"), lambda *_: Answer(WATCHED))
    desk.penny.set(VIDEO_TEMPLATE=web.url(VIDEOS, "/results?search_query={query}"))
    script_calls(model, tool("search_youtube", query="levers"), tool("browse_url", url="s1.r1"))
    with allow_hosts(desk, VIDEOS) as helper:
        answer = helper.ask("Find a video about lever machines", 40)
    search, read = planner_results(model)
    first, second = ({"handle": f"s1.r{number}", "domain": VIDEOS} for number in (1, 2))
    results = [first | {"seconds": 754, "views": 1_200_000}, second | {"views": 981}]
    assert search == {"handle": "s1", "count": 2, "results": results, "best": ["s1.r1", "s1.r2"]}
    assert (read["handle"], read["domain"], "Quillfeather on levers" in answer.text) == ("p1", VIDEOS, True)
    [reader] = [request for request in model.requests if zone(request) == "reader"]
    for words in (
        "Channel: The Barista",
        "Length: 12:34",
        "1.2M views",
        "first patent",
        "Gaggia filed his patent",
        "is from 1961",
    ):
        assert words in reader.last_user
    assert not any("Quillfeather" in request.everything for request in model.requests if request.tools)


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_the_history_is_read_after_a_yes_and_its_titles_reach_only_the_reader(
    desk: Desk, model: ModelServer, web: Sites, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path, title in {"/lever": "Zanzibar lever machines", "/ill": "Zanzibar diabetes clinic"}.items():
        html = (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><p>Words of the '
            "page.</p></html>"
        )
        monkeypatch.setitem(sites.ROUTES, (COFFEE, path), lambda *_, html=html: Answer(html))
    options = desk.browser.page(f"{desk.browser.origin}/options.html")
    visible(options, "#share-history")
    options.click("#share-history")
    until(lambda: "Stop sharing" in desk.penny.http.get("/memory/history/").text, "the server knows that it is shared")
    tabs = [desk.browser.page(web.url(COFFEE, path)) for path in ("/lever", "/ill")]
    script_calls(model, tool("get_history", words="", days=1))
    with desk.penny.client("Helper") as helper:
        turn = helper.say("Which page about machines did I see today?")
        ask = helper.expect(ApprovalAsk, 20)
        helper.send(ApprovalAnswer(request_id=ask.request_id, decision="allow"))
        helper.expect(TurnDone, 30, turn_id=turn)
    [content] = planner_results(model)
    assert (content["visits"] >= 1, content["days"]) == (True, 1)
    [reader] = [request for request in model.requests if zone(request) == "reader"]
    assert f"{COFFEE}: Zanzibar lever machines" in reader.last_user
    assert not any("diabetes" in request.everything for request in model.requests)
    assert not any("Zanzibar" in request.everything for request in model.requests if request.tools)
    options.click("#share-history")
    until(lambda: "Stop sharing" not in desk.penny.http.get("/memory/history/").text, "the server knows that it is not")
    for page in (*tabs, options):
        page.close()


RED, BLUE, NEARLY = (255, 0, 0), (0, 0, 255), 60
SECRETIVE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>An account</title>
<style>body { margin: 0; font: 16px sans-serif } div, input { display: block; width: 300px; height: 40px; border: 0; \
margin: 0 }
.red { background: #f00; color: #f00 } .blue { background: #00f; color: #00f }
iframe { display: block; border: 0; width: 300px; height: 60px }
</style>
<div class="blue" id="seen" style="margin-bottom: 20px">What may be seen</div>
<input class="red" type="password" value="secret">
<input class="red" autocomplete="one-time-code" value="482913">
<p><span class="red">4111 1111</span><span class="red"> 1111 1111</span></p>
<p>Your code is <b class="red">482913</b></p>
<p>Your key is <b class="red">ghp_16C7e42F292c6912E7710c838347Ae178B4a</b></p>
<div id="closed" style="height: auto"></div><p>Your code is <span id="code"></span></p>
<script>
const STYLE = '<style>input { display: block; border: 0 } input, b { background: #f00; color: #f00 }</style>'
const closed = (host, html) => {
  const root = host.attachShadow({ mode: 'closed' })
  root.innerHTML = html
  return root
}
const outer = closed(document.querySelector('#closed'), `<div><input type="password" value="x"></div>${STYLE}`)
closed(outer.appendChild(document.createElement('section')), `<p><b class="card">4111 1111 1111 1111</b></p>${STYLE}`)
closed(document.querySelector('#code'), `<b>482913</b>${STYLE}`)
</script>
<iframe src="FRAME"></iframe>
<div style="height: 3000px"></div>
<div class="blue">The end</div></html>"""


@pytest.fixture
def account(desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A page with secrets in red and the rest in blue, which embeds a page of another site."""
    html = SECRETIVE.replace("FRAME", web.url("lab.example", "/red"))
    monkeypatch.setitem(sites.ROUTES, (SHOP, "/account"), lambda *_: Answer(html))
    red = '<!doctype html><body style="margin: 0; background: #f00">'
    monkeypatch.setitem(sites.ROUTES, ("lab.example", "/red"), lambda *_: Answer(red))
    options = desk.browser.page(f"{desk.browser.origin}/options.html")
    visible(options, "#pictures")
    is_on = "document.querySelector('#pictures').checked"
    shows(options, f"!{is_on}", "that none may be taken before that is switched on")
    options.click("#pictures")
    shows(options, is_on, "that pictures may be taken")
    desk.panel.wait_connected()
    page = desk.browser.page(web.url(SHOP, "/account"))
    yield web.url(SHOP, "/account")
    page.close()
    options.click("#pictures")
    shows(options, f"!{is_on}", "that none may be taken any more")
    desk.panel.wait_connected()
    options.close()


def decode_picture(request: Request) -> Image.Image:
    [part] = [part for part in request.messages[-1]["content"] if part["type"] == "image_url"]
    return Image.open(io.BytesIO(base64.b64decode(part["image_url"]["url"].partition(",")[2]))).convert("RGB")


def count_pixels(picture: Image.Image, colour: tuple[int, int, int]) -> int:
    """Return the number of pixels with nearly this colour."""
    pairs = zip(picture.split(), colour, strict=True)
    near = [channel.point([255 * (abs(value - target) < NEARLY) for value in range(256)]) for channel, target in pairs]
    all_near = ImageChops.darker(ImageChops.darker(near[0], near[1]), near[2])
    return int(all_near.histogram()[255])


def test_a_picture_shows_the_page_without_secrets(desk: Desk, model: ModelServer, account: str) -> None:
    until(lambda: "screenshot_page" in _tools(desk), "the browser says that it takes pictures")
    with allow_hosts(desk, SHOP) as helper:
        for arguments in ({"area": "visible"}, {"area": "full"}, {"area": "element", "selector": "#seen"}):
            model.reset()
            check_picture(helper, model, arguments)


def check_picture(helper: Client, model: ModelServer, arguments: dict[str, str]) -> None:
    script_calls(model, tool("screenshot_page", **arguments))
    model.on(
        is_picture_request, Reply(tokens=(json.dumps({"found": True, "headline": "Blue", "summary": "It is blue."}),))
    )
    answer = helper.ask("Which colour has it?", 40)
    [content] = planner_results(model)
    assert (content["domain"], content["found"], "blue" in answer.text) == (SHOP, True, True)
    [request] = filter(is_picture_request, model.requests)
    picture = decode_picture(request)
    assert count_pixels(picture, RED) == 0
    assert count_pixels(picture, BLUE) > 100
    assert content["masked"] == 0 if arguments["area"] == "element" else content["masked"] >= 8
    sizes = {
        "visible": picture.height < 1200,
        "full": content["height"] > 2 * content["width"],
        "element": picture.height <= 40,
    }
    assert sizes[arguments["area"]], (arguments, picture.size)


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_no_picture_is_taken_of_a_site_that_is_not_allowed(desk: Desk, model: ModelServer, account: str) -> None:
    until(lambda: "screenshot_page" in _tools(desk), "the browser says that it takes pictures")
    script_calls(model, tool("screenshot_page"))
    with allow_hosts(desk) as helper:
        helper.ask("Which colour has it?", 30)
    assert planner_results(model) == [{"error": "not_granted"}]
    assert not any(is_picture_request(request) for request in model.requests)


def _tools(desk: Desk) -> str:
    """Return the text of the admin about the desk, with its tools. It has another label after it was paired again."""
    listed = desk.penny.http.get(f"/admin/devices/device/?q={desk.browser.name}").text
    rows = re.findall(rf'href="(/admin/devices/device/[^"]+)">\w+ {desk.browser.name}<', listed)
    return " ".join(desk.penny.http.get(row).text for row in rows)
