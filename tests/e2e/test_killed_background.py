"""The background of the extension is killed in the middle of errands: no act happens twice."""

import random
import re
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from urllib.parse import unquote, urlsplit

import pytest

from devices import protocol as p
from tests.client import Client
from tests.e2e.browser import shows
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.test_acting import allow_acting
from tests.e2e.test_demo_errand import SWITCH
from tests.stand_ins.model_server import ModelServer, Reply, Request, tool
from tests.stand_ins.serving import Answer, serving
from tests.stand_ins.sites import Sites
from tests.waiting import until

HOST = "shop.example"
ACTS, ERRAND_S = 12, 150
BUTTON = re.compile(r"\[(\d+) button (?:Odd|Even) item")
IN = re.compile(r"Item (\d+) is in")
PAGE = """<!doctype html><meta charset=utf-8><title>List</title><h1>List</h1>
<button aria-expanded="false">Odd item</button><button aria-expanded="false">Even item</button><p id="newest"></p>
<script>
let item = 1
for (const button of document.querySelectorAll('button')) button.addEventListener('click', () => {
  void fetch(`/noted/${item}`)
  document.querySelector('#newest').textContent = `Item ${item} is in`
  item += 1
})
</script>"""


class ListSite(Sites):
    """A page whose buttons take one item after the other. It notes each: an act that came twice is one more."""

    def answer(self, host: str, target: str) -> Answer:
        path = unquote(urlsplit(target).path)
        self.visits.append((host, path))
        return Answer(PAGE) if path == "/list" else Answer("noted")

    def counts(self) -> Counter[int]:
        return Counter(int(path.rpartition("/")[2]) for _, path in self.visits if path.startswith("/noted/"))


@pytest.fixture
def listing() -> Iterator[ListSite]:
    with serving(ListSite()) as listing:
        yield listing


def take_all(request: Request) -> Reply:
    newest = max([0, *map(int, IN.findall(request.everything))])
    if newest >= ACTS:
        return tool("done", outcome="partial", summary="All are in, and nothing was sent.")
    buttons = BUTTON.findall(request.everything)
    return tool("click", ref=buttons[newest % 2]) if buttons else tool("look")


NUMBER = "from agents.models import Errand; print(Errand.objects.latest('created_at').number)"


@pytest.fixture
def acting_desk(desk: Desk) -> Iterator[Desk]:
    label = f"Desk {desk.browser.name}"
    desk.penny.manage("shell", "-v", "0", "-c", SWITCH.format(label=label, on=True))
    desk.penny.set(ACT_STEPS_MAX=200)
    desk.penny.set(ACT_RATE_MINUTE=10_000)
    shows(desk.panel.page, "!!document.querySelector('#mode-act') && !document.querySelector('label.off')", "may act")
    desk.panel.page.click("label:has(#mode-act)")
    allow_acting(desk)
    yield desk
    desk.panel.page.click("label:has(#mode-ask)")
    desk.penny.set(ACT_STEPS_MAX=60)
    desk.penny.set(ACT_RATE_MINUTE=40)
    desk.penny.manage("shell", "-v", "0", "-c", SWITCH.format(label=label, on=False))


@pytest.mark.parametrize("kills", [1, pytest.param(50, marks=pytest.mark.long)])
# Firefox keeps the background of this extension as long as it runs
@pytest.mark.parametrize("browser", ["chromium"], indirect=True)
def test_no_act_happens_twice_though_the_background_is_killed_at_any_moment(
    acting_desk: Desk, model: ModelServer, listing: ListSite, kills: int
) -> None:
    assert isinstance(acting_desk.browser, Chromium)
    url = listing.url(HOST, "/list")
    model.on(lambda request: "act" in request.tools and not request.tool_results, tool("act", where=url, goal="Enter"))
    model.on(lambda request: "click" in request.tools, take_all)
    dice, left = random.Random(kills), kills
    with acting_desk.penny.client("Watcher") as watcher:
        while left:
            listing.visits.clear()
            watcher.frames.clear()
            acting_desk.panel.say(f"Take all items on {url}")
            left -= killed_errand(acting_desk.browser, listing, watcher, dice, left)
            counts = listing.counts()
            assert counts == Counter(range(1, len(counts) + 1)), counts
            acts = int(acting_desk.penny.manage("shell", "-v", "0", "-c", NUMBER))
            assert len(counts) <= acts
            assert end_of(watcher) in ("partial", "outcome_unknown")
            assert end_of(watcher) == "outcome_unknown" or len(counts) == ACTS


def killed_errand(browser: Chromium, listing: ListSite, watcher: Client, dice: random.Random, most: int) -> int:
    """Wait for the end of an errand, and kill the background at random acts; return how often that was."""

    def has_come_to(acts: int) -> bool:
        return listing.counts().total() >= acts or bool(end_of(watcher))

    kills = 0
    while kills < most:
        target = listing.counts().total() + dice.randint(1, 9)
        until(partial(has_come_to, target), "acts are made", ERRAND_S)
        time.sleep(dice.uniform(0, 0.2))
        if end_of(watcher):
            break
        browser.kill_background()
        kills += 1
    until(lambda: end_of(watcher), "the errand ends", ERRAND_S)
    return kills


def end_of(watcher: Client) -> str:
    """Return why the errand ended, or its state at the end; "" while it is open."""
    errands = [frame.errand for frame in watcher.frames_of(p.ErrandChanged)]
    ended = [errand for errand in errands if errand.state not in ("running", "waiting", "paused")]
    return (ended[-1].code or ended[-1].state) if ended else ""
