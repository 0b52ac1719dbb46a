"""Script injections in everything that is shown, in a real Chromium: nothing runs, and nothing is asked for
elsewhere.
"""

import math
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page as Tab

from tests import penny as pennies
from tests.attacks import extension_surfaces as x
from tests.attacks import surfaces as s
from tests.attacks.eye import ACT, Eye, Sink
from tests.attacks.payloads import SINK, payloads
from tests.attacks.row_values import PER_GATHERING, raw_id, raw_texts
from tests.attacks.seen import NEVER, Seen, Surface
from tests.commands import ROOT, environment
from tests.e2e.panel import Panel
from tests.penny import Penny, with_model
from tests.stand_ins import model_server, sites
from tests.stand_ins.model_server import ModelServer, Reply, Request
from tests.stand_ins.serving import Answer
from tests.waiting import until

EVERY = 110  # of the usual run; the long one takes all payloads, in rounds
ROUNDS = 8
RAW = raw_texts()
WEB: list[Surface] = [
    s.feed,
    s.dialogs,
    s.evidence,
    s.chat,
    s.chat_asks,
    s.lists,
    s.kept,
    s.sources,
    s.runs,
    s.answered,
    s.signed_out,
]
ADMIN: list[Surface] = [s.admin, s.forms_of_the_admin, s.confirmations]
EXTENSION: list[Surface] = [x.panel, x.panel_asks, x.stream]
INCLUDED: list[Surface] = [x.final, x.share_titles, x.share_pages]
ALL_OF = {"web": WEB, "admin": ADMIN, "extension": [*EXTENSION, x.options], "included": INCLUDED}
SANITISED: list[Surface] = [s.feed, s.dialogs, s.chat, x.panel]
PAGES = dict.fromkeys([*EXTENSION, *INCLUDED], "panel_url") | {x.options: "options_url"}  # of the extension
# What shows the words of every payload themselves, and what shows nine in ten of them: hosts and preferences are kept
# once each, however many payloads are cut to the same beginning. What is not named here shows what was rendered, or in
# the usual run only some of it.
ALL = {
    "web": [
        "feed",
        "dialog",
        "chat page",
        "chat",
        "asks",
        "devices",
        "watches",
        "posts",
        "digest",
        "taste",
        "schedules",
        "subscriptions",
        "sources",
        "imported files",
        "flows",
        "admin steps",
        "searches",
        "no such row",
    ],
    "admin": ["sure of devices/device", "sure of agents/schedule", *(f"form of {model}" for model in s.GATHERED_IN)],
    "extension": ["panel", "panel asks"],
    "included": ["panel title"],
}
MOST = {
    "web": ["preferences"],
    "admin": [f"sure of {model}" for model in ("thoughts/thought", "thoughts/preference", "devices/grant")],
    "extension": ["options"],
    "included": ["panel links", "panel text"],
}
ONE_EACH = [
    "feed",
    "dialog",
    "chat",
    "devices",
    "sources",
    "flows",
    "admin steps",
    "panel",
]  # with a row of its own for each payload


@dataclass
class Hostile:
    """A Penny in whose database these payloads stand wherever words can be, whose model says them, and a site whose
    pages hold them.
    """

    penny: Penny
    texts: list[str]
    site: str


@contextmanager
def hostile(start: int, step: int) -> Iterator[Hostile]:
    texts = [payload.text for payload in payloads()[start::step]]
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-")))
        model = stack.enter_context(model_server.run_model_server())
        say(model, texts)
        # Nobody makes vectors, without which nothing is folded beneath what it resembles: each payload has a card of
        # its own.
        penny = stack.enter_context(
            pennies.run_penny(data, **with_model(model.url), PENNY_EMBEDDING_MODEL="openai-compatible:nobody")
        )
        web = stack.enter_context(sites.run_sites())
        stack.enter_context(site_of(texts))
        fill(penny, start, step)
        yield Hostile(penny, texts, f"http://127.0.0.1:{web.port}")


def say(model: ModelServer, texts: list[str]) -> None:
    """Have the model say one part of the payloads and be done, or all of them without an end."""
    everything = Reply(tokens=[*(f"{text}\n" for text in texts), x.LAST_WORD], hangs=True)

    def answer(request: Request) -> Reply:
        part = re.search(r"Say part (\d+)\.", request.last_user)
        start = int(part[1]) * PER_GATHERING if part else 0
        return Reply(tokens=[f"{text}\n\n" for text in texts[start : start + PER_GATHERING]]) if part else everything

    model.on(lambda _: True, answer)


@contextmanager
def site_of(texts: list[str]) -> Iterator[None]:
    """Serve the payloads as what people read on pages: as plain text, and as links; nothing of it is markup there."""
    routes: dict[tuple[str, str], sites.Route] = {}
    for number, start in enumerate(range(0, len(texts), x.PER_PAGE)):
        some = texts[start : start + x.PER_PAGE]
        links = "".join(
            f'<p>About <a href="https://{SINK}/{quote(text, safe="")}">{escape(text)}</a>.</p>' for text in some
        )
        page = f"<!doctype html><title>links/{number} {escape(some[0])}</title><main>{links}</main>"
        plain = Answer("\n".join(some), kind="text/plain; charset=utf-8", headers={"X-Content-Type-Options": "nosniff"})
        routes["127.0.0.1", f"/text/{number}"] = always(plain)
        routes["127.0.0.1", f"/links/{number}"] = always(Answer(page))
    sites.ROUTES.update(routes)
    try:
        yield
    finally:
        for route in routes:
            del sites.ROUTES[route]


def always(answer: Answer) -> sites.Route:
    return lambda _web, _query: answer


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
    with hostile(0, EVERY) as found, paired(eye, found):
        yield found


@pytest.fixture(scope="module")
def round_of_all(eye: Eye, request: pytest.FixtureRequest) -> Iterator[Hostile]:
    with hostile(request.param, ROUNDS) as found, paired(eye, found):
        yield found


@contextmanager
def paired(eye: Eye, found: Hostile) -> Iterator[None]:
    """Sign in to the web pages and pair the extension."""
    eye.site = found.site
    eye.sign_in(found.penny.url, dict(found.penny.http.cookies))
    opened = Panel(eye)
    opened.pair(found.penny, "Eye")
    try:
        yield
    finally:
        opened.unpair()
        opened.close()


def look(eye: Eye, penny: Penny, surfaces: Sequence[Surface], seen: Seen, *, has_policy: bool = True) -> None:
    """Walk through the surfaces, each in a new tab, and print what each did."""
    eye.forget()
    for surface in surfaces:
        before, known = eye.counts, {name: set(found) for name, found in seen.shown.items()}
        started = time.monotonic()
        eye.call(walk, eye, penny, surface, seen, has_policy)
        ran, elsewhere, hits, refused = (now - then for now, then in zip(eye.counts, before, strict=True))
        shown = {
            name: f"{len(found)} in {seen.rows.get(name, 0)}"
            for name, found in seen.shown.items()
            if found != known.get(name)
        }
        print(
            f"{surface.__name__}: of {len(seen.texts)} payloads {shown}; {ran} ran, {elsewhere} asked elsewhere, "
            f"{hits} reached the sink, "
            f"{refused} refused; {time.monotonic() - started:.0f} s"
        )


def walk(eye: Eye, penny: Penny, surface: Surface, seen: Seen, has_policy: bool) -> None:
    with eye.tab(has_policy=has_policy) as tab:
        if surface in PAGES:
            tab.goto(getattr(eye, PAGES[surface]))
        surface(tab, penny.url, seen)


def assert_calm(eye: Eye, seen: Seen) -> None:
    assert eye.ran == []
    assert eye.elsewhere == []
    assert eye.sink.hits == []
    assert eye.refused == [], "the policy had to refuse what should not have come so far"
    assert seen.wrong == []


def assert_calm_on(eye: Eye, found: Hostile, part: str, *, is_whole: bool = False) -> None:
    """The payloads of a Penny stand on each surface of this part, and none of them does anything."""
    seen, count = Seen(found.texts, is_whole, found.site), len(found.texts)
    look(eye, found.penny, ALL_OF[part], seen)
    assert_calm(eye, seen)
    lists = [f"admin {model}" for model in s.MODELS] if is_whole and part == "admin" else []
    assert missing(seen, ALL[part], count) == {}
    assert missing(seen, [*MOST[part], *lists], round(0.9 * count)) == {}
    assert {name: seen.rows[name] for name in ONE_EACH if seen.rows.get(name, count) < count} == {}


def missing(seen: Seen, surfaces: Sequence[str], least: int) -> dict[str, list[str]]:
    """Return of those surfaces that show fewer payloads some that they do not show."""
    wanting = {name: seen.shown.get(name, set()) for name in surfaces if len(seen.shown.get(name, ())) < least}
    return {
        name: [text for index, text in enumerate(seen.texts) if index not in shown][:5]
        for name, shown in wanting.items()
    }


def assert_calm_without_policy(eye: Eye, found: Hostile, surfaces: Sequence[Surface]) -> None:
    seen = Seen(found.texts, site=found.site)
    look(eye, found.penny, surfaces, seen, has_policy=False)
    assert_calm(eye, seen)
    assert missing(seen, [name for name in ONE_EACH if name in seen.shown], len(found.texts)) == {}


def test_there_are_more_than_eight_thousand_payloads() -> None:
    assert len({re.sub(r"\d+", "", payload.text) for payload in payloads()}) > 8000
    assert not any("google" in payload.text for payload in payloads())  # see the names that belong to the browser


@pytest.mark.parametrize(
    "part", ["web", "extension", pytest.param("admin", marks=pytest.mark.long)]
)  # what is included takes minutes
def test_nothing_of_what_is_shown_runs_or_asks_elsewhere(eye: Eye, filled: Hostile, part: str) -> None:
    assert_calm_on(eye, filled, part)


@pytest.mark.long
def test_nor_does_it_by_sanitising_alone(eye: Eye, filled: Hostile) -> None:
    assert_calm_without_policy(eye, filled, SANITISED)


@pytest.mark.long
@pytest.mark.parametrize("part", ALL_OF)
@pytest.mark.parametrize("round_of_all", range(ROUNDS), indirect=True)
def test_none_of_all_payloads_runs_or_asks_elsewhere(eye: Eye, round_of_all: Hostile, part: str) -> None:
    assert_calm_on(eye, round_of_all, part, is_whole=True)


@pytest.mark.long
@pytest.mark.parametrize("round_of_all", range(ROUNDS), indirect=True)
def test_nor_does_any_by_sanitising_alone(eye: Eye, round_of_all: Hostile) -> None:
    assert_calm_without_policy(eye, round_of_all, SANITISED[:3])


# The harness sees what runs: with both defences off it does, with either of them on it does not.
# -----------------------------------


def raw_chat(tab: Tab, home: str, seen: Seen) -> None:
    s.connect(tab, home)
    tab.evaluate(s.EARLIER, math.ceil(len(RAW) * 4 / 3 / 50))
    tab.evaluate(ACT.replace("OWN", repr(NEVER)))
    tab.wait_for_timeout(300)


def raw_pages(tab: Tab, home: str, seen: Seen) -> None:
    for index, text in enumerate(RAW):
        if index % 3 == 0 and "refresh" not in text:
            tab.goto(f"{home}/thoughts/{raw_id(index)}/")
            tab.evaluate(ACT.replace("OWN", repr(NEVER)))


def raw_panel(tab: Tab, home: str, seen: Seen) -> None:
    """What the server did not sanitise, in the side panel, which sanitises by itself."""
    tab.wait_for_selector(".message[data-seq]")
    tab.evaluate(x.OLDER, math.ceil(len(RAW) * 4 / 3 / 50))
    seen.act(tab, "panel", ".message", x.own(home))


APPEND = """texts => texts.forEach(text => {
  const place = document.createElement('div')
  document.body.append(place)
  place.innerHTML = text
})"""


def panel_without_its_gate(tab: Tab, home: str, seen: Seen) -> None:
    tab.wait_for_selector(".message[data-seq]")
    tab.evaluate(APPEND, RAW)
    tab.evaluate(ACT.replace("OWN", repr(NEVER)))
    tab.wait_for_timeout(300)


PAGES |= {raw_panel: "panel_url", panel_without_its_gate: "panel_url"}


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
def test_the_panel_shows_nothing_that_runs_even_if_the_server_did_not_sanitise(
    eye: Eye, raw: Penny, has_policy: bool
) -> None:
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
    until(
        lambda: f"TLS for {SINK}" in eye.sink.hits, "the sink has the connection"
    )  # and more of them, so that this is the last test
