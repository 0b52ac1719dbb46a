"""The options page: what Penny may touch, managed in the browser; and that nobody but the extension's own pages can do
so.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from devices import protocol
from tests.client import Client
from tests.e2e.browser import Page, look, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

COFFEE = "coffee.example"
LOOK_ALIKE = "xn--coffe-fsa.example"  # coffeé.example
API = "(globalThis.browser ?? chrome)"


class Options:
    """The options page in a tab, used by its controls and read from what stands on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        visible(page, "#sites")

    def row(self, host: str) -> str:
        return f'.grant[data-host="{host}"]'

    def wait(self, host: str, state: str | None) -> None:
        """Wait until the page shows this state of a host, or None when it is not listed."""
        find = f"(document.querySelector({json.dumps(self.row(host))})?.dataset.state ?? null) === {json.dumps(state)}"
        shows(self.page, find, f"{host} as {state}")

    def press(self, host: str, action: str) -> None:
        button = f'{self.row(host)} [data-action="{action}"]'
        self.wait_until_free(button)
        self.page.press(button, "Enter")

    def wait_until_free(self, selector: str) -> None:
        """Wait until what was done before is over: a row does one thing at a time."""
        shows(
            self.page,
            f"document.querySelector({json.dumps(selector)}).getAttribute('aria-disabled') === 'false'",
            "a row that is free",
        )

    def add(self, host: str) -> None:
        shows(self.page, "document.querySelector('#add-grant').getAttribute('aria-disabled') === 'false'", "no saving")
        self.page.fill("#grant-host", host)
        self.page.press("#grant-host", "Enter")

    def choose(self, selector: str, value: str) -> None:
        self.wait_until_free(selector)
        found = json.dumps(selector)
        self.page.evaluate(
            f"(select => {{ select.value = {json.dumps(value)}; select.dispatchEvent(new Event('change', "
            f"{{bubbles: true}})) }})"
            f"(document.querySelector({found}))"
        )

    @property
    def focused(self) -> str:
        return str(
            self.page.evaluate("(e => e.getAttribute('aria-label') || e.innerText || e.id)(document.activeElement)")
        )

    def sticking_out(self, width: int) -> list[str]:
        """Return what does not fit into a page of that width."""
        shown = "[...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.matches('.unseen'))"
        with self.page.seen_at(width):
            return list(
                self.page.evaluate(
                    f"{shown}.filter(e => e.getBoundingClientRect().right > {width} + 0.5).map(e => e.outerHTML)"
                )
            )


@pytest.fixture
def options(desk: Desk) -> Iterator[Options]:
    page = desk.browser.page(f"{desk.browser.origin}/options.html")
    yield Options(page)
    page.close()


@contextmanager
def elsewhere(desk: Desk) -> Iterator[Client]:
    """Another device of the owner."""
    with desk.penny.client("Another device") as client:
        yield client


def grant(client: Client, host: str, state: protocol.GrantState = "allowed", scope: protocol.Scope = "always") -> None:
    client.send(protocol.GrantSet(host=host, capability="read", state=state, scope=scope))
    client.expect(protocol.Ack, ref=host)


def rows(client: Client) -> dict[str, tuple[str, str]]:
    """Return state and session of every host, as the server told another device last."""
    told = client.seen(protocol.GrantsSync)
    return {grant.host: (grant.state, grant.session) for grant in told[-1].grants} if told else {}


def test_a_grant_made_elsewhere_appears_and_is_blocked_revoked_and_brought_back(desk: Desk, options: Options) -> None:
    with elsewhere(desk) as other:
        grant(other, COFFEE)
        options.wait(COFFEE, "allowed")
        options.press(COFFEE, "state")
        until(lambda: rows(other) == {COFFEE: ("blocked", "owner")}, "the server has it blocked")
        options.wait(COFFEE, "blocked")
        assert options.focused.startswith("Allow")
        options.press(COFFEE, "state")
        options.wait(COFFEE, "allowed")
        options.choose(f"{options.row(COFFEE)} select", "clean")
        until(lambda: rows(other) == {COFFEE: ("allowed", "clean")}, "the server has a clean session")
        options.press(COFFEE, "revoke")
        until(lambda: rows(other) == {}, "the server has no grant")
        options.wait(COFFEE, None)
        visible(options.page, "#undo")
        until(lambda: options.focused.startswith("Undo"), "the keyboard is at Undo")
        options.page.press("#undo button", "Enter")
        until(lambda: rows(other) == {COFFEE: ("allowed", "clean")}, "the server has it back")
        options.wait(COFFEE, "allowed")
        until(lambda: COFFEE in options.focused, "the row has the keyboard")


def test_a_site_is_added_by_name_and_a_refusal_says_why(desk: Desk, options: Options) -> None:
    with elsewhere(desk) as other:
        options.add("https://Shop.Example/a?b")
        until(lambda: rows(other) == {"shop.example": ("allowed", "owner")}, "the server has the host")
        options.wait("shop.example", "allowed")
        refused = {
            desk.penny.url: "own address",
            "github.io": "public suffix",
            "me@shop.example": "user name",
            "  ": "first",
        }
        for wrong, why in refused.items():
            options.add(wrong)
            shows(options.page, f"document.querySelector('#add-problem').innerText.includes({json.dumps(why)})", why)
            assert options.focused == "grant-host"
        assert set(rows(other)) == {"shop.example"}


def test_the_page_can_be_read_at_every_width_in_light_and_dark(desk: Desk, options: Options) -> None:
    with elsewhere(desk) as other:
        grant(other, COFFEE)
        grant(other, "lab.example", "blocked")
        grant(other, "coffeé.example")
        grant(other, "a-rather-long-name-of-a-shop-for-espresso-machines.shop.example", scope="hour")
    options.wait(LOOK_ALIKE, "allowed")
    assert LOOK_ALIKE in text_of(options.page, "#grants")
    assert "coffeé" not in text_of(options.page, "#grants")
    look(options.page, f"{desk.browser.name}-options", 1500, (250, 400, 1200))
    assert options.sticking_out(250) == []
    options.page.fill("#search", "LAB")
    shows(options.page, "document.querySelectorAll('.grant').length === 1", "only what was searched for")
    assert "1 of 4" in text_of(options.page, ".search")


def test_every_control_has_a_name_and_the_export_holds_what_the_server_says(desk: Desk, options: Options) -> None:
    with elsewhere(desk) as other:
        grant(other, COFFEE)
        options.wait(COFFEE, "allowed")
        saved = json.loads(options.page.download("#export"))
        assert [entry["host"] for entry in saved["grants"]] == [COFFEE]
        assert saved["server"] == desk.penny.url
    named = "e => (e.getAttribute('aria-label') || e.innerText || e.labels?.[0]?.innerText || '').trim()"
    controls = "[...document.querySelectorAll('button, input, select, a')].filter(e => e.checkVisibility())"
    assert options.page.evaluate(f"{controls}.filter(e => !({named})(e)).map(e => e.outerHTML)") == []


def test_the_panels_menu_leads_to_where_the_browser_is_renamed_and_its_switch_turned(desk: Desk) -> None:
    desk.panel.page.click("#menu")
    desk.panel.page.click("#options")
    address = f"{desk.browser.origin}/options.html"
    until(lambda: address in desk.browser.urls(), "the options page is open")
    desk.browser.close(address)
    page = desk.browser.page(address)
    page.fill("#label", "Kitchen")
    page.press("#label", "Enter")
    shows(page, "document.querySelector('#rename-outcome').innerText === 'Saved.'", "that it is saved")
    page.click("#tool-use")
    until(lambda: "off" in text_of(page, "#status"), "reading is off")
    listed = desk.penny.http.get("/setup/").text
    assert "Kitchen" in listed
    page.click("#tool-use")
    page.fill("#label", f"Desk {desk.browser.name}")
    page.press("#label", "Enter")
    until(lambda: f"Desk {desk.browser.name}" in desk.penny.http.get("/setup/").text, "the old name is back")
    page.close()


def test_unpairing_removes_everything_that_is_kept(desk: Desk, options: Options) -> None:
    with elsewhere(desk) as other:
        grant(other, COFFEE)
    desk.panel.page.fill("#composer", "A draft")
    shows(
        options.page, f"{API}.storage.local.get('draft').then(({{draft}}) => draft === 'A draft')", "the draft is kept"
    )
    kept = f"{API}.storage.local.get(null).then(kept => Object.keys(kept))"
    until(lambda: {"pairing", "grants", "draft"} <= set(options.page.evaluate(kept)), "things are kept")
    options.page.press("#forget", "Enter")
    until(lambda: options.focused == "Keep it", "the keyboard is where it does no harm")
    options.page.press("#forget-confirm", "Enter")
    visible(options.page, "#unpaired")
    until(lambda: options.page.evaluate(kept) == [], "nothing is kept")
    assert options.focused == "Sites and settings"
    options.page.screenshot(f"{desk.browser.name}-options-unpaired", 400, 600)
    visible(desk.panel.page, "#code")
    desk.panel.pair(desk.penny, f"Desk {desk.browser.name}")


def test_a_site_allowed_for_an_hour_in_the_panel_says_how_long_and_when_it_was_used(
    desk: Desk, options: Options, web: Sites
) -> None:
    before = desk.panel.last_seq()
    desk.panel.say(f"How is espresso brewed? {web.url(COFFEE, '/water')}")
    desk.panel.page.fill("#composer", "Words that are being written")
    assert desk.panel.wait_ask() == COFFEE
    assert desk.panel.page.evaluate("document.activeElement.id") == "composer"
    badge = f"({API}.action ?? {API}.browserAction).getBadgeText({{}})"
    until(lambda: options.page.evaluate(badge) == "1", "the button says that a question waits")
    assert set(texts_of(desk.panel.page, ".ask button")) == {
        "Allow once",
        "For this task",
        "For an hour",
        "Always",
        "Block",
        "Not now",
    }
    look(desk.panel.page, f"{desk.browser.name}-ask", 700)
    desk.panel.decide("hour")
    assert desk.panel.page.evaluate("document.querySelector('#composer').value") == "Words that are being written"
    desk.panel.page.fill("#composer", "")
    desk.panel.answer_after(before)
    options.wait(COFFEE, "allowed")
    facts = f"document.querySelector('{options.row(COFFEE)}').innerText"
    shows(
        options.page,
        f"{facts}.includes('for an hour, until') && {facts}.includes('last used')",
        "how long, and the last use",
    )
    until(lambda: options.page.evaluate(badge) == "", "nothing waits")


def test_the_shortcuts_and_what_is_kept_here_stand_on_the_page(desk: Desk, options: Options) -> None:
    shows(
        options.page,
        "document.querySelector('#shortcut-list')?.innerText.includes('Open the sidebar')",
        "the shortcut of the sidebar",
    )
    assert "" not in texts_of(options.page, "#shortcut-list dd")
    desk.panel.page.fill("#composer", "Seven words that are kept for later")
    shows(
        options.page,
        "document.querySelector('#kept-list').innerText.includes('35 characters')",
        "how long the draft is",
    )
    desk.panel.page.fill("#composer", "")
    shows(options.page, "document.querySelector('#kept-list').innerText.includes('none')", "that no draft is kept")


# Who may not manage it
# ------------------------------------------------------------------------------------------------------

EVIL = {"host": "evil.example", "capability": "read", "state": "allowed", "scope": "always", "session": "owner"}
COMMANDS: list[dict[str, Any]] = [
    {"type": "set_tool_use", "on": False},
    {
        "type": "set_grant",
        "grant": {
            "host": "evil.example",
            "capability": "read",
            "state": "allowed",
            "scope": "always",
            "session": "owner",
        },
    },
    {"type": "revoke_grant", "grant": {"host": COFFEE, "capability": "read"}},
    {"type": "rename", "label": "Taken over"},
    {"type": "set_history", "on": True},
    {"type": "send", "text": "A word from the page"},
    {"type": "forget_everything"},
    {"type": "unpair"},
]

# Every way from a page to an extension that browsers know, each with every command. What came of it is a list of [way,
# outcome].
CALLER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A page that calls</title><body><script>
const id = ID, home = HOME, commands = COMMANDS, tried = []
const ended = new Promise(end => setTimeout(() => end('nothing'), 1500))
async function attempt(way, act) {
  try { tried.push([way, await Promise.race([act(), ended]) ?? 'nothing']) } catch { tried.push([way, 'refused']) }
}
const runtimes = [globalThis.chrome?.runtime, globalThis.browser?.runtime]
const element = (name, url) => new Promise(end => {
  const found = document.createElement(name)
  found.onload = () => end('loaded'); found.onerror = () => end('refused')
  found.src = url; document.body.append(found)
})
function connected(runtime) {
  const port = runtime.connect(id, { name: 'panel' })
  return new Promise(end => { port.onMessage.addListener(() => end('heard')); port.onDisconnect.addListener(() => \
end('refused')) })
}
function say(command) {
  postMessage(command, '*'); postMessage({ source: 'penny', ...command }, '*')
  new BroadcastChannel('penny').postMessage(command)
  for (const name of ['penny', 'command', command.type]) {
    document.dispatchEvent(new CustomEvent(name, { detail: command, bubbles: true }))
    dispatchEvent(new CustomEvent(name, { detail: command }))
  }
}
async function all() {
  const frame = document.createElement('iframe')
  frame.src = home + '/options.html'; document.body.append(frame)
  let opened = null
  const work = [attempt('window', async () => void (opened = open(home + '/options.html'))),
    attempt('picture', () => element('img', home + '/icon/16.png')),
    attempt('script', () => element('script', home + '/background.js')),
    attempt('file', async () => { await fetch(home + '/manifest.json'); return 'loaded' }),
    ...runtimes.map(runtime => attempt('port', () => connected(runtime)))]
  for (const command of commands) {
    say(command); frame.contentWindow.postMessage(command, '*'); opened?.postMessage(command, '*')
    for (const runtime of runtimes) work.push(attempt('message', () => runtime.sendMessage(id, command)))
  }
  await Promise.all([...work, ended])
  opened?.close()
  document.body.dataset.tried = JSON.stringify(tried)
}
all()
</script></body></html>"""

# What the extension's own script tries in a page, for its process is the page's.
INSIDE = """async commands => {
  const api = globalThis.browser ?? chrome, said = []
  for (const command of commands) said.push(await api.runtime.sendMessage(command).catch(() => null) ?? null)
  const port = api.runtime.connect({ name: 'panel' })
  const heard = await new Promise(end => {
    port.onMessage.addListener(() => end('heard')); port.onDisconnect.addListener(() => end('closed'))
  })
  const kept = await api.storage.local.get(null).then(Object.keys, () => 'refused')
  return { said, heard, kept }
}"""


@pytest.fixture
def caller(desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page of a granted site that has tried to command the extension; what came of it is in its `data-tried`."""
    names = {"ID": desk.browser.origin.rpartition("/")[2], "HOME": desk.browser.origin, "COMMANDS": COMMANDS}
    html = CALLER
    for name, value in names.items():
        html = html.replace(f" = {name},", f" = {json.dumps(value)},")
    monkeypatch.setitem(sites.ROUTES, (COFFEE, "/caller"), lambda *_: Answer(html))
    with elsewhere(desk) as other:
        grant(other, COFFEE)
    page = desk.browser.page(web.url(COFFEE, "/caller"))
    shows(page, "document.body.dataset.tried", "what came of its attempts")
    yield page
    page.close()


def assert_untouched(desk: Desk) -> None:
    """A turn goes round through the background, so that whatever was asked of it before is done by now."""
    desk.panel.ask("Are you there?")
    assert desk.panel.status.startswith("Connected")
    assert "off" not in desk.panel.status
    assert not any("word from the page" in text for text in desk.panel.messages())
    with elsewhere(desk) as other:
        grant(other, "lab.example", "blocked")
        expected = {COFFEE: ("allowed", "owner"), "lab.example": ("blocked", "owner")}
        until(lambda: rows(other) == expected, "only the owner's grants are there")
    listed = desk.penny.http.get("/setup/").text
    assert "Taken over" not in listed
    assert "Stop sharing" not in desk.penny.http.get("/history/").text


def test_no_web_page_can_command_the_extension(desk: Desk, caller: Page) -> None:
    tried = json.loads(caller.evaluate("document.body.dataset.tried"))
    ways = {way for way, _ in tried}
    assert ways == {"window", "picture", "script", "file", "port", "message"}
    assert [entry for entry in tried if entry[1] not in ("refused", "nothing")] == []
    assert [url for url in desk.browser.urls() if url.endswith("/options.html")] == []
    assert_untouched(desk)


def test_the_extensions_own_script_in_a_page_cannot_command_it(desk: Desk, caller: Page) -> None:
    inject = (
        f"{API}.scripting.executeScript({{ target: {{ tabId: tabs[0].id }}, func: {INSIDE}, args: "
        f"[{json.dumps(COMMANDS)}] }})"
    )
    found = desk.panel.page.evaluate(
        f"{API}.tabs.query({{ url: 'http://{COFFEE}/*' }}).then(tabs => {inject}).then(done => done[0].result)"
    )
    assert found["said"] == [None] * len(COMMANDS)
    assert found["heard"] == "closed"
    if desk.browser.name == "chromium":  # Firefox has no way to keep its storage from such a script
        assert found["kept"] == "refused"
    assert_untouched(desk)
