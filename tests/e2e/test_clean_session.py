"""Pages that are read without the owner's logins, from sites that know the owner, look for them and save files."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from devices.protocol import Ack, GrantSet
from tests.client import Client
from tests.e2e.calling import Call, read_pages
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites, redirect
from tests.waiting import until

SHOP, OTHER, HERE = "shop.example", "museum.example", "localhost"
WORDS = "Burrs of steel grind coffee evenly, and those of ceramic stay sharp for longer. " * 4
LEFT_BEHIND_S = 2
STARTS_S = 60.0  # a worker of a page starts late on a busy machine
SIGN_IN = {"Set-Cookie": "session=owner; Path=/; HttpOnly"}
# What the owner's own visit leaves in the browser.
MARK = """<!doctype html><title>Mark</title><p>Signed in.</p><script>
document.cookie = 'name=heliotrope; path=/'
localStorage.name = 'heliotrope'
indexedDB.open('heliotrope')
new SharedWorker('/shared.js').port.postMessage('heliotrope')
const served = () => navigator.serviceWorker.ready.then(() => (document.title = 'Served'))
navigator.serviceWorker?.register('/service.js').then(served)
</script>"""
SHARED = """let held = 'nobody'
onconnect = ({ ports: [port] }) => {
  fetch('/ask/shared')
  port.onmessage = ({ data }) => { held = data }
  port.postMessage(held)
}"""
SERVICE = """addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (event.request.mode !== 'navigate') return
  const words = fetch('/ask/service', { credentials: 'include' }).then((answer) => answer.text())
  event.respondWith(words.then((text) => new Response(`<!doctype html><p>From heliotrope's worker. ${text}</p>`,
    { headers: { 'Content-Type': 'text/html' } })))
})"""
LOOK = f"""<!doctype html><title>Look</title><main><h1>Burrs</h1><p>{WORDS}</p><p id="found">Found:</p></main>
<img src="/ask/image"><iframe src="/ask/frame"></iframe>
<script>
const found = document.querySelector('#found')
const say = (text) => found.append(` ${{text}}`)
const look = (get) => {{ try {{ say(get()) }} catch (error) {{ say(error.name) }} }}
look(() => document.cookie)
look(() => localStorage.name)
look(() => {{ new SharedWorker('/shared.js').port.onmessage = (event) => say(event.data) }})
look(() => {{ indexedDB.databases().then((all) => all.forEach(({{ name }}) => say(name)), () => 0); return '' }})
look(() => {{ open('/ask/opened'); return '' }})
fetch('/ask/fetched', {{ credentials: 'include' }}).then((answer) => answer.text()).then(say, () => say('no answer'))
fetch('/ask/kept', {{ credentials: 'include', keepalive: true, mode: 'no-cors' }}).catch(() => 0)
navigator.sendBeacon('/ask/beacon')
addEventListener('pagehide', () => {{
  fetch('/ask/left', {{ credentials: 'include', keepalive: true, mode: 'no-cors' }}).catch(() => 0)
  navigator.sendBeacon('/ask/left-beacon')
}})
</script>"""
SAVING = f"""<!doctype html><title>Saving</title><main><h1>Burrs</h1><p>{WORDS}</p></main>
<iframe src="/file"></iframe>
<script>
const link = Object.assign(document.createElement('a'), {{ href: '/file', download: 'burrs.bin' }})
addEventListener('load', () => {{
  link.click()
  const made = URL.createObjectURL(new Blob(['burrs']))
  Object.assign(document.createElement('a'), {{ href: made, download: 'made.txt' }}).click()
  document.body.append(Object.assign(document.createElement('iframe'), {{ src: '/file' }}))
  setTimeout(() => (location.href = '/file'), 100)
}})
</script>"""
FILE = Answer(
    b"burrs", kind="application/octet-stream", headers={"Content-Disposition": "attachment; filename=burrs.bin"}
)


def _routes(web: Sites) -> dict[tuple[str, str], Answer]:
    script = "text/javascript"
    pages = {
        "/mark": Answer(MARK, headers=SIGN_IN),
        "/look": Answer(LOOK),
        "/shared.js": Answer(SHARED, kind=script),
        "/saving": Answer(SAVING),
        "/file": FILE,
    }
    asks = ("image", "frame", "fetched", "kept", "beacon", "left", "left-beacon", "shared", "service", "opened")
    pages |= {f"/ask/{name}": Answer("Asked.", kind="text/plain") for name in asks}
    routes = {(host, path): page for host in (SHOP, OTHER, HERE) for path, page in pages.items()}
    routes[HERE, "/service.js"] = Answer(SERVICE, kind=script)
    routes[OTHER, "/away"] = redirect(web.url(SHOP, "/look"))
    return routes


@pytest.fixture
def spies(web: Sites) -> Iterator[Sites]:
    routes = _routes(web)
    for place, page in routes.items():
        sites.ROUTES[place] = lambda _web, _query, page=page: page  # type: ignore[misc]
    yield web
    for place in routes:
        del sites.ROUTES[place]


@pytest.fixture
def helper(desk: Desk) -> Iterator[Client]:
    with desk.penny.client("Helper") as client:
        yield client


def _allow(helper: Client, host: str, session: str) -> None:
    helper.send(
        GrantSet.model_validate(
            {"host": host, "capability": "read", "state": "allowed", "scope": "always", "session": session}
        )
    )
    helper.expect(Ack, ref=host)


def _visit(desk: Desk, web: Sites, *hosts: str) -> None:
    for host in hosts:
        _mark(desk, web, host)
    web.with_cookie.clear()
    web.visits.clear()


def _mark(desk: Desk, web: Sites, host: str) -> None:
    web.visits.clear()
    page = desk.browser.page(web.url(host, "/mark"))
    until(lambda: web.visited(host, "/ask/shared"), "its shared worker runs", STARTS_S)
    if host == HERE:
        until(lambda: page.evaluate("document.title === 'Served'"), "its service worker runs", STARTS_S)
    page.close()


def _read(desk: Desk, url: str, session: str) -> dict[str, Any]:
    [page] = read_pages(desk.penny, f"Desk {desk.browser.name}", [Call(url, session)])
    time.sleep(LEFT_BEHIND_S)  # for what the page sends after its end
    return page


def _of(requests: list[tuple[str, str]], host: str) -> set[str]:
    return {path for site, path in requests if site == host and path != "/favicon.ico"}


def test_a_site_that_may_know_the_owner_finds_the_logins_everywhere(desk: Desk, spies: Sites, helper: Client) -> None:
    _visit(desk, spies, SHOP)
    _allow(helper, SHOP, "owner")
    page = _read(desk, spies.url(SHOP, "/look"), "owner")
    assert "heliotrope" in page["text"]
    with_logins = _of(spies.with_cookie, SHOP)
    assert with_logins >= {f"/ask/{name}" for name in ("image", "frame", "fetched", "kept", "beacon", "left", "shared")}
    assert "/ask/opened" not in _of(spies.visits, SHOP)


def test_a_site_that_may_not_know_the_owner_finds_no_login_anywhere(desk: Desk, spies: Sites, helper: Client) -> None:
    _visit(desk, spies, SHOP)
    _allow(helper, SHOP, "clean")
    page = _read(desk, spies.url(SHOP, "/look"), "clean")
    assert WORDS.split(",")[0] in page["text"]
    assert "heliotrope" not in page["text"]
    assert _of(spies.visits, SHOP) >= {"/look", "/ask/image", "/ask/fetched", "/ask/kept", "/ask/beacon"}
    assert _of(spies.with_cookie, SHOP) == set()


def test_the_worker_that_a_site_left_with_the_owner_tells_a_clean_page_nothing(
    desk: Desk, spies: Sites, helper: Client
) -> None:
    _visit(desk, spies, HERE)
    _allow(helper, f"{HERE}:{spies.port}", "clean")
    page = _read(desk, spies.url(HERE, "/look"), "clean")
    assert "heliotrope" not in page.get("text", "")
    assert WORDS.split(",")[0] in page.get("text", "") or page["code"] == "no_clean_session"
    assert _of(spies.with_cookie, HERE) == set()


@pytest.mark.one_browser("chromium", "the server and shared code decide it")
def test_the_browser_opens_a_site_clean_whatever_the_call_says(desk: Desk, spies: Sites, helper: Client) -> None:
    _visit(desk, spies, SHOP)
    _allow(helper, SHOP, "clean")
    assert "heliotrope" not in _read(desk, spies.url(SHOP, "/look"), "owner")["text"]
    assert _of(spies.with_cookie, SHOP) == set()


@pytest.mark.one_browser("firefox", "the server and shared code decide it")
def test_a_page_that_leads_to_a_site_without_logins_is_opened_there_without(
    desk: Desk, spies: Sites, helper: Client
) -> None:
    _visit(desk, spies, SHOP, OTHER)
    _allow(helper, OTHER, "owner")
    _allow(helper, SHOP, "clean")
    page = _read(desk, spies.url(OTHER, "/away"), "owner")
    assert page["url"] == spies.url(SHOP, "/look")
    assert "heliotrope" not in page["text"]
    assert (_of(spies.with_cookie, OTHER), _of(spies.with_cookie, SHOP)) == ({"/away"}, set())


@pytest.mark.parametrize("session", ["clean", pytest.param("owner", marks=pytest.mark.long)])
def test_a_page_that_is_read_saves_no_file(desk: Desk, spies: Sites, helper: Client, session: str) -> None:
    desk.browser.downloads.mkdir(exist_ok=True)
    before = set(desk.browser.downloads.iterdir())
    _allow(helper, SHOP, session)
    page = _read(desk, spies.url(SHOP, "/saving"), session)
    assert WORDS.split(",")[0] in page["text"]
    assert _read(desk, spies.url(SHOP, "/file"), session)["code"] == "load_failed"
    assert set(desk.browser.downloads.iterdir()) == before


def test_a_page_of_the_owner_saves_its_file(desk: Desk, spies: Sites) -> None:
    desk.browser.downloads.mkdir(exist_ok=True)
    before = set(desk.browser.downloads.iterdir())
    page = desk.browser.page(spies.url(SHOP, "/saving"))
    until(lambda: set(desk.browser.downloads.iterdir()) > before, "a file is saved")
    page.close()
