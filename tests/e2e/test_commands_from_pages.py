"""No web page, and no script of the extension in a page, can command the extension."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.browser import Page, shows
from tests.e2e.conftest import Desk
from tests.e2e.options import API, COFFEE, another_device, grants_by_host, send_grant
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

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


# Tries every way from a page to an extension with every command. The result is a list of [way, outcome].
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


# Runs as the extension's own script in a page, which shares the page's process.
INSIDE = """async commands => {
  const api = globalThis.browser ?? chrome, replies = []
  for (const command of commands) replies.push(await api.runtime.sendMessage(command).catch(() => null) ?? null)
  const port = api.runtime.connect({ name: 'panel' })
  const connection = await new Promise(end => {
    port.onMessage.addListener(() => end('open')); port.onDisconnect.addListener(() => end('closed'))
  })
  const stored = await api.storage.local.get(null).then(Object.keys, () => 'refused')
  return { replies, connection, stored }
}"""


@pytest.fixture
def caller(desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    """A page of a granted site that has tried all commands. `data-tried` holds the outcomes."""
    names = {"ID": desk.browser.origin.rpartition("/")[2], "HOME": desk.browser.origin, "COMMANDS": COMMANDS}
    html = CALLER
    for name, value in names.items():
        html = html.replace(f" = {name},", f" = {json.dumps(value)},")
    monkeypatch.setitem(sites.ROUTES, (COFFEE, "/caller"), lambda *_: Answer(html))
    with another_device(desk.penny) as other:
        send_grant(other, COFFEE)
    page = desk.browser.page(web.url(COFFEE, "/caller"))
    shows(page, "document.body.dataset.tried", "the outcomes of its attempts")
    yield page
    page.close()


def assert_untouched(desk: Desk) -> None:
    """Assert that no command had an effect.

    A turn passes the background, so it has handled all earlier commands.
    """
    desk.panel.ask("Are you there?")
    assert desk.panel.state == "connected"
    shows(desk.panel.page, "document.querySelector('#status').hidden", "nothing wrong: no page switched reading off")
    assert not any("word from the page" in text for text in desk.panel.messages())
    with another_device(desk.penny) as other:
        send_grant(other, "lab.example", "blocked")
        expected = {COFFEE: ("allowed", "owner"), "lab.example": ("blocked", "owner")}
        until(lambda: grants_by_host(other) == expected, "only the owner's grants are there")
    listed = desk.penny.http.get("/setup/").text
    assert "Taken over" not in listed
    assert "Stop sharing" not in desk.penny.http.get("/memory/history/").text


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
    outcome = desk.panel.page.evaluate(
        f"{API}.tabs.query({{ url: 'http://{COFFEE}/*' }}).then(tabs => {inject}).then(done => done[0].result)"
    )
    assert outcome["replies"] == [None] * len(COMMANDS)
    assert outcome["connection"] == "closed"
    if desk.browser.name == "chromium":  # Firefox cannot hide its storage from such a script
        assert outcome["stored"] == "refused"
    assert_untouched(desk)
