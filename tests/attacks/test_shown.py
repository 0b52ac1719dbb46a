"""Script injections in all that Penny shows, in a real Chromium.

Nothing runs, and nothing loads from elsewhere.
"""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

import pytest
from playwright.sync_api import Page as Tab

from tests.attacks import extension_surfaces as x
from tests.attacks import surfaces as s
from tests.attacks.eye import ACT, Eye, Sink
from tests.attacks.hostile_penny import Hostile, fill, hostile
from tests.attacks.payloads import SINK, payloads
from tests.attacks.row_values import raw_id, raw_texts
from tests.attacks.sightings import NEVER, Sightings, Surface
from tests.e2e.panel import Panel
from tests.penny import Penny
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
    s.background,
    s.permissions,
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
# ALL: surfaces that show the text of every payload. MOST: those that show nine in ten, because hosts and preferences
# are stored once, however many payloads are cut to the same beginning. Other surfaces show rendered text or a part.
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
        "digests",
        "interests/learned",
        "activity/routine",
        "permissions/feeds",
        "permissions/browsers",
        "permissions/programs",
        "permissions/skills",
        "skill that waits",
        "skill edit/",
        "skill versions/1/",
        "trial of a skill",
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
    "web": ["preferences", "permissions/sites", "permissions/record"],
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


@pytest.fixture(scope="module")
def eye() -> Iterator[Eye]:
    sink = Sink()
    new_eye = Eye(sink)
    try:
        yield new_eye
    finally:
        new_eye.quit()
        sink.close()


@pytest.fixture(scope="module")
def filled(eye: Eye) -> Iterator[Hostile]:
    with hostile(0, EVERY) as penny, paired(eye, penny):
        yield penny


@pytest.fixture(scope="module")
def round_of_all(eye: Eye, request: pytest.FixtureRequest) -> Iterator[Hostile]:
    with hostile(request.param, ROUNDS) as penny, paired(eye, penny):
        yield penny


@contextmanager
def paired(eye: Eye, hostile_penny: Hostile) -> Iterator[None]:
    eye.site = hostile_penny.site
    eye.sign_in(hostile_penny.penny.url, dict(hostile_penny.penny.http.cookies))
    with closing(Panel(eye)) as panel:
        panel.pair(hostile_penny.penny, "Eye")
    try:
        yield  # without a panel, which would name each page that is opened
    finally:
        with closing(Panel(eye)) as panel:
            panel.unpair()


def look(eye: Eye, penny: Penny, surfaces: Sequence[Surface], sightings: Sightings, *, has_policy: bool = True) -> None:
    """Walk through the surfaces, each in a new tab, and print what happened on each."""
    eye.forget()
    for surface in surfaces:
        counts_before = eye.counts
        payloads_before = {name: set(indices) for name, indices in sightings.visible_payloads.items()}
        started = time.monotonic()
        eye.call(walk, eye, penny, surface, sightings, has_policy)
        ran, elsewhere, hits, blocked = (now - then for now, then in zip(eye.counts, counts_before, strict=True))
        counts = {
            name: f"{len(indices)} in {sightings.rows.get(name, 0)}"
            for name, indices in sightings.visible_payloads.items()
            if indices != payloads_before.get(name)
        }
        print(
            f"{surface.__name__}: of {len(sightings.texts)} payloads {counts}; {ran} ran, {elsewhere} asked elsewhere, "
            f"{hits} reached the sink, "
            f"{blocked} refused; {time.monotonic() - started:.0f} s"
        )


def walk(eye: Eye, penny: Penny, surface: Surface, sightings: Sightings, has_policy: bool) -> None:
    with eye.tab(has_policy=has_policy) as tab:
        if surface in PAGES:
            tab.goto(getattr(eye, PAGES[surface]))
        surface(tab, penny.url, sightings)


def assert_calm(eye: Eye, sightings: Sightings) -> None:
    assert eye.ran == []
    assert eye.elsewhere == []
    assert eye.sink.hits == []
    assert eye.refused == [], "the policy had to refuse what should not have come so far"
    assert sightings.wrong == []


def assert_calm_on(eye: Eye, hostile_penny: Hostile, part: str, *, is_whole: bool = False) -> None:
    """Assert that every surface of this part shows the payloads and none of them acts."""
    sightings, count = Sightings(hostile_penny.texts, is_whole, hostile_penny.site), len(hostile_penny.texts)
    look(eye, hostile_penny.penny, ALL_OF[part], sightings)
    assert_calm(eye, sightings)
    lists = [f"admin {model}" for model in s.MODELS] if is_whole and part == "admin" else []
    assert missing(sightings, ALL[part], count) == {}
    assert missing(sightings, [*MOST[part], *lists], round(0.9 * count)) == {}
    assert {name: sightings.rows[name] for name in ONE_EACH if sightings.rows.get(name, count) < count} == {}


def missing(sightings: Sightings, surfaces: Sequence[str], least: int) -> dict[str, list[str]]:
    """Return five missing payloads for each surface that shows fewer than `least`."""
    visible = sightings.visible_payloads
    incomplete = {name: visible.get(name, set()) for name in surfaces if len(visible.get(name, ())) < least}
    return {
        name: [text for index, text in enumerate(sightings.texts) if index not in indices][:5]
        for name, indices in incomplete.items()
    }


def assert_calm_without_policy(eye: Eye, hostile_penny: Hostile, surfaces: Sequence[Surface]) -> None:
    sightings = Sightings(hostile_penny.texts, site=hostile_penny.site)
    look(eye, hostile_penny.penny, surfaces, sightings, has_policy=False)
    assert_calm(eye, sightings)
    assert (
        missing(sightings, [name for name in ONE_EACH if name in sightings.visible_payloads], len(hostile_penny.texts))
        == {}
    )


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


# The harness detects what runs: with both defences off payloads run, with either of them on none does.
# -----------------------------------


APPEND = """texts => texts.forEach(text => {
  const place = document.createElement('div')
  document.body.append(place)
  place.innerHTML = text
})"""


def raw_chat(tab: Tab, home: str, sightings: Sightings) -> None:
    """The page as it would be if neither the server nor its own script sanitised."""
    s.connect(tab, home)
    tab.evaluate(APPEND, RAW)
    tab.evaluate(ACT.replace("OWN", repr(NEVER)))
    tab.wait_for_timeout(300)


def raw_pages(tab: Tab, home: str, sightings: Sightings) -> None:
    for index, text in enumerate(RAW):
        if index % 6 == 0 and "refresh" not in text:
            tab.goto(f"{home}/thoughts/{raw_id(index)}/")
            tab.evaluate(ACT.replace("OWN", repr(NEVER)))


def raw_panel(tab: Tab, home: str, sightings: Sightings) -> None:
    """Show unsanitised messages in the side panel, which sanitises by itself."""
    tab.wait_for_selector(".message[data-seq]")
    for _ in RAW:  # the panel may take what it stored before in parts, too
        if tab.locator(".message").count() > len(RAW) * 4 / 3:
            break
        tab.evaluate(s.OLDER, 1)
    sightings.act(tab, "panel", ".message", x.own_elements(home))


def panel_without_its_gate(tab: Tab, home: str, sightings: Sightings) -> None:
    tab.wait_for_selector(".message[data-seq]")
    tab.evaluate(APPEND, RAW)
    tab.evaluate(ACT.replace("OWN", repr(NEVER)))
    tab.wait_for_timeout(300)


PAGES |= {raw_panel: "panel_url", panel_without_its_gate: "panel_url"}


@pytest.fixture(scope="module")
def raw(filled: Hostile) -> Penny:
    fill(filled.penny, "main_raw()")
    return filled.penny


def test_without_both_defences_payloads_run_and_ask_elsewhere(eye: Eye, raw: Penny) -> None:
    look(eye, raw, [raw_chat, raw_pages], Sightings(RAW), has_policy=False)
    assert len(set(eye.ran)) > len(RAW) / 10
    assert eye.elsewhere
    assert eye.sink.hits


def test_the_policy_alone_stops_what_was_not_sanitised(eye: Eye, raw: Penny) -> None:
    look(eye, raw, [raw_chat, raw_pages], Sightings(RAW))
    assert eye.ran == []
    assert eye.sink.hits == []
    assert len(eye.refused) > len(RAW) / 10


@pytest.mark.parametrize("has_policy", [True, False], ids=["with its policy", "by its gate alone"])
def test_the_panel_shows_nothing_that_runs_even_if_the_server_did_not_sanitise(
    eye: Eye, raw: Penny, has_policy: bool
) -> None:
    sightings = Sightings(RAW)
    look(eye, raw, [raw_panel], sightings, has_policy=has_policy)
    eye.refused.clear()  # the gate takes the HTML apart in a document that shows nothing, but has the policy too
    assert_calm(eye, sightings)
    assert sightings.rows["panel"] > len(RAW)


def test_without_its_gate_and_its_policy_payloads_run_in_the_panel(eye: Eye, raw: Penny) -> None:
    look(eye, raw, [panel_without_its_gate], Sightings(RAW), has_policy=False)
    assert len(set(eye.ran)) > len(RAW) / 10
    look(eye, raw, [panel_without_its_gate], Sightings(RAW))
    assert eye.ran == []
    assert eye.refused


def connect_ahead(tab: Tab, home: str, sightings: Sightings) -> None:
    tab.goto(f"{home}/chat/")
    tab.evaluate(f"document.body.innerHTML = '<link rel=preconnect href=https://{SINK}>'")


def test_a_connection_that_is_made_ahead_is_seen_though_no_policy_stops_it(eye: Eye, filled: Hostile) -> None:
    look(eye, filled.penny, [connect_ahead], Sightings([]))
    until(
        lambda: f"TLS for {SINK}" in eye.sink.hits, "the sink has the connection"
    )  # more connections follow, so this is the last test
