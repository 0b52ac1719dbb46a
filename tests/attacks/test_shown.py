"""Script injections in everything that is shown, in a real Chromium: nothing runs, and nothing is asked for elsewhere."""

import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page as Tab

from tests import model_server
from tests import penny as pennies
from tests.attacks import surfaces as s
from tests.attacks.eye import ACT, Eye, Sink
from tests.attacks.payloads import SINK, payloads
from tests.attacks.rows import raw_id, raw_texts
from tests.attacks.surfaces import Seen, Surface
from tests.e2e.panel import Panel
from tests.model_server import ModelServer, Reply
from tests.penny import ROOT, Penny, environment, with_model
from tests.waiting import until

EVERY = 55  # of the usual run; the long one takes all payloads, in rounds
ROUNDS = 8
RAW = raw_texts()
WEB = [s.feed, s.dialogs, s.chat]
OWN_PAGES = [s.panel]
OF_THE_EXTENSION = {s.panel: "panel_url", s.panel_asks: "panel_url", s.stream: "panel_url", s.options: "options_url"}
EVERYWHERE: list[Surface] = [
    s.feed, s.dialogs, s.panel, s.panel_asks, s.chat, s.chat_asks, s.stream, s.options, s.lists, s.admin, s.runs, s.answered,
]  # fmt: skip


@dataclass
class Hostile:
    """A Penny in whose database these payloads stand wherever words can be, and whose model says them."""

    penny: Penny
    texts: list[str]


@contextmanager
def hostile(start: int, step: int) -> Iterator[Hostile]:
    texts = [payload.text for payload in payloads()[start::step]]
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-")))
        model = stack.enter_context(model_server.running())
        say(model, texts)
        penny = stack.enter_context(pennies.running(data, **with_model(model.url)))
        fill(penny, start, step)
        yield Hostile(penny, texts)


def say(model: ModelServer, texts: list[str]) -> None:
    words = [*(f"{text}\n" for text in texts), s.LAST_WORD]
    model.on(lambda _: True, Reply(tokens=words, hangs=True))


def fill(penny: Penny, *how: int | str) -> None:
    command = [sys.executable, "-m", "tests.attacks.rows", *map(str, how)]
    env = environment(penny.data, DJANGO_SETTINGS_MODULE="penny_site.settings")
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def eye() -> Iterator[Eye]:
    sink = Sink()
    found = Eye(sink)
    try:
        yield found
    finally:
        found.quit()
        sink.close()


@pytest.fixture(scope="module")
def filled(eye: Eye) -> Iterator[Hostile]:
    with hostile(0, EVERY) as found, paired(eye, found.penny):
        yield found


@contextmanager
def paired(eye: Eye, penny: Penny) -> Iterator[None]:
    """Sign in to the web pages and pair the extension."""
    eye.sign_in(penny.url, dict(penny.http.cookies))
    opened = Panel(eye)
    opened.pair(penny, "Eye")
    try:
        yield
    finally:
        opened.unpair()
        opened.close()


def look(eye: Eye, penny: Penny, surfaces: Sequence[Surface], seen: Seen, *, has_policy: bool = True) -> None:
    """Walk through the surfaces, each in a new tab."""

    def go() -> None:
        for surface in surfaces:
            with eye.tab(has_policy=has_policy) as tab:
                if surface in OF_THE_EXTENSION:
                    tab.goto(getattr(eye, OF_THE_EXTENSION[surface]))
                surface(tab, penny.url, seen)

    eye.forget()
    eye.call(go)


def assert_calm(eye: Eye, seen: Seen) -> None:
    assert eye.ran == []
    assert eye.elsewhere == []
    assert eye.sink.hits == []
    assert eye.refused == [], "the policy had to refuse what should not have come so far"
    assert seen.wrong == []


def assert_calm_everywhere(eye: Eye, found: Hostile, *, is_whole: bool = False) -> None:
    """All payloads of a Penny stand on each surface, and none of them does anything."""
    seen, count = Seen(found.texts, is_whole), len(found.texts)
    look(eye, found.penny, EVERYWHERE, seen)
    assert_calm(eye, seen)
    least = dict.fromkeys(["feed", "dialog", "flows", "panel", "chat", "admin steps"], count)
    # Hosts and preferences are kept once each, however many payloads are cut to the same beginning.
    least |= dict.fromkeys(["devices", "preferences", "options"], round(0.9 * count))
    least |= dict.fromkeys([f"admin {model}" for model in s.MODELS], round(0.9 * count) if is_whole else 50)
    assert {surface: seen.rows.get(surface, 0) for surface in least if seen.rows.get(surface, 0) < least[surface]} == {}


def assert_calm_without_policy(eye: Eye, found: Hostile) -> None:
    seen = Seen(found.texts)
    look(eye, found.penny, [*WEB, *OWN_PAGES], seen, has_policy=False)
    assert_calm(eye, seen)
    assert min(seen.rows[surface] for surface in ("feed", "dialog", "chat", "panel")) >= len(found.texts)


def test_there_are_more_than_eight_thousand_payloads() -> None:
    assert len({re.sub(r"\d+", "", payload.text) for payload in payloads()}) > 8000
    assert not any("google" in payload.text for payload in payloads())  # see the names that belong to the browser


def test_nothing_of_what_is_shown_runs_or_asks_elsewhere(eye: Eye, filled: Hostile) -> None:
    assert_calm_everywhere(eye, filled)


def test_nor_does_it_by_sanitising_alone(eye: Eye, filled: Hostile) -> None:
    assert_calm_without_policy(eye, filled)


@pytest.mark.long
@pytest.mark.parametrize("start", range(ROUNDS))
def test_none_of_all_payloads_runs_or_asks_elsewhere(eye: Eye, start: int) -> None:
    with hostile(start, ROUNDS) as found, paired(eye, found.penny):
        assert_calm_everywhere(eye, found, is_whole=True)
        assert_calm_without_policy(eye, found)


# The harness sees what runs: with both defences off it does, with either of them on it does not. -----------------------------------


def raw_chat(tab: Tab, home: str, seen: Seen) -> None:
    s.connect(tab, home)
    tab.evaluate(s.EARLIER, math.ceil(len(RAW) * 4 / 3 / 50))
    tab.evaluate(ACT.replace("OWN", repr(s.NEVER)))
    tab.wait_for_timeout(300)


def raw_pages(tab: Tab, home: str, seen: Seen) -> None:
    for index, text in enumerate(RAW):
        if index % 3 == 0 and "refresh" not in text:
            tab.goto(f"{home}/thoughts/{raw_id(index)}/")
            tab.evaluate(ACT.replace("OWN", repr(s.NEVER)))


def raw_panel(tab: Tab, home: str, seen: Seen) -> None:
    """What the server did not sanitise, in the side panel, which sanitises by itself."""
    tab.wait_for_selector(".message[data-seq]")
    tab.evaluate(s.OLDER, math.ceil(len(RAW) * 4 / 3 / 50))
    seen.act(tab, "panel", ".message", s.own(home))


APPEND = """texts => texts.forEach(text => {
  const place = document.createElement('div')
  document.body.append(place)
  place.innerHTML = text
})"""


def panel_without_its_gate(tab: Tab, home: str, seen: Seen) -> None:
    tab.wait_for_selector(".message[data-seq]")
    tab.evaluate(APPEND, RAW)
    tab.evaluate(ACT.replace("OWN", repr(s.NEVER)))
    tab.wait_for_timeout(300)


OF_THE_EXTENSION |= {raw_panel: "panel_url", panel_without_its_gate: "panel_url"}


@pytest.fixture(scope="module")
def raw(filled: Hostile) -> Penny:
    fill(filled.penny, "raw")
    return filled.penny


def test_without_both_defences_payloads_run_and_ask_elsewhere(eye: Eye, raw: Penny) -> None:
    look(eye, raw, [raw_chat, raw_pages], Seen(RAW), has_policy=False)
    assert len(set(eye.ran)) > len(RAW) / 10
    assert eye.elsewhere
    assert eye.sink.hits


def test_the_policy_alone_stops_what_was_not_sanitised(eye: Eye, raw: Penny) -> None:
    look(eye, raw, [raw_chat, raw_pages], Seen(RAW))
    assert eye.ran == []
    assert eye.sink.hits == []
    assert len(eye.refused) > len(RAW) / 10


@pytest.mark.parametrize("has_policy", [True, False], ids=["with its policy", "by its gate alone"])
def test_the_panel_shows_nothing_that_runs_even_if_the_server_did_not_sanitise(eye: Eye, raw: Penny, has_policy: bool) -> None:
    seen = Seen(RAW)
    look(eye, raw, [raw_panel], seen, has_policy=has_policy)
    eye.refused.clear()  # the gate takes the HTML apart in a document that shows nothing, but has the policy too
    assert_calm(eye, seen)
    assert seen.rows["panel"] > len(RAW)


def test_without_its_gate_and_its_policy_payloads_run_in_the_panel(eye: Eye, raw: Penny) -> None:
    look(eye, raw, [panel_without_its_gate], Seen(RAW), has_policy=False)
    assert len(set(eye.ran)) > len(RAW) / 10
    look(eye, raw, [panel_without_its_gate], Seen(RAW))
    assert eye.ran == []
    assert eye.refused


def connect_ahead(tab: Tab, home: str, seen: Seen) -> None:
    tab.goto(f"{home}/chat/")
    tab.evaluate(f"document.body.innerHTML = '<link rel=preconnect href=https://{SINK}>'")


def test_a_connection_that_is_made_ahead_is_seen_though_no_policy_stops_it(eye: Eye, filled: Hostile) -> None:
    look(eye, filled.penny, [connect_ahead], Seen([]))
    until(lambda: f"TLS for {SINK}" in eye.sink.hits, "the sink has the connection")  # and more of them, so that this is the last test
