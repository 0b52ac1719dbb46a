"""The owner of a page that Penny acts on stops her, takes the page and gives it back, on the page itself."""

import base64
import io
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any
from uuid import uuid4

import pytest
from PIL import Image

from devices.protocol import Ack, GrantSet
from tests.agents.acting.terminal import terminal
from tests.e2e.acting_shop import ELSEWHERE, HOST, ActingShop
from tests.e2e.browser import Page, shows
from tests.e2e.chromium import Chromium
from tests.e2e.conftest import Desk
from tests.e2e.options import Options
from tests.e2e.page_calls import call_browser_tools
from tests.e2e.test_acting import act, allow_acting, look
from tests.e2e.test_page_tools import count_pixels
from tests.stand_ins.serving import serving
from tests.waiting import until

pytestmark = pytest.mark.one_browser("chromium", "shared code draws the pill; the long run takes both")

PILL = "[...document.documentElement.children].filter((one) => one.popover === 'manual').length"
ACTS = "Object.getOwnPropertyNames(window).some((name) => name.startsWith('penny'))"  # what answers its dialogs
COPPER = (168, 79, 35)
HAND_BACK, STOP = (70, 35), (165, 35)  # from the right and the bottom
HOVER = {"do": "hover", "ref": "6"}


@pytest.fixture(scope="module")
def mart() -> Iterator[ActingShop]:
    with serving(ActingShop()) as mart:
        yield mart


class Errand:
    """An errand in the tab in front of the owner."""

    def __init__(self, desk: Desk, page: Page) -> None:
        self.desk, self.page, self.errand, self.tab = desk, page, str(uuid4()), ""

    def manage(self, do: str) -> tuple[str, dict[str, Any]]:
        return "manage_tab", {"errand": self.errand, "do": do, "host": HOST}

    def make(self, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
        own = [(tool, dict(arguments)) for tool, arguments in calls]
        for _, arguments in own:
            if self.tab and "tab" in arguments:
                arguments["tab"] = self.tab
        return call_browser_tools(self.desk.penny, f"Desk {self.desk.browser.name}", own)

    def begin(self, pool: ThreadPoolExecutor, pill: str = f"{PILL} === 1") -> "Future[list[dict[str, Any]]]":
        """Take the tab in front, and wait in it for longer than the test does."""
        wait = act({"do": "wait", "until": "ms", "value": "", "ms": 25_000})
        running = pool.submit(self.make, self.manage("adopt"), look(), wait, act(HOVER))
        shows(self.page, f"{pill} && {ACTS}", "the pill, and the act")
        return running


@contextmanager
def errand_in_front(desk: Desk, mart: ActingShop) -> Iterator[Errand]:
    allow_acting(desk)
    page = desk.browser.page(mart.url(HOST, "/keyboards"))
    errand = Errand(desk, page)
    try:
        yield errand
    finally:
        errand.make(errand.manage("release"))
        page.close()


def test_the_owner_uses_the_page_and_gives_it_back(desk: Desk, mart: ActingShop) -> None:
    with errand_in_front(desk, mart) as errand, ThreadPoolExecutor(1) as pool:
        running = errand.begin(pool)
        errand.page.evaluate("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }))")
        errand.page.key("Tab")
        assert not running.done()
        errand.page.key("a")
        adopted, snapshot, wait, hover = running.result(20)
        assert not adopted["is_own"]
        assert "Penny is acting" not in snapshot["text"]
        assert [wait["code"], hover["code"]] == ["owner_took_over", "owner_took_over"]
        errand.tab = adopted["tab"]
        errand.page.press_at(*HAND_BACK)
        until(lambda: errand.make(act(HOVER))[0].get("state") == "done", "Penny may act again")
        assert errand.page.evaluate(PILL) == 1


COVERS = {
    "a modal dialog": "document.body.insertAdjacentHTML('beforeend', '<dialog id=over>Choose</dialog>');"
    "document.querySelector('#over').showModal()",
    "a popover over all": "document.body.insertAdjacentHTML('beforeend', '<div id=over popover=manual style=\"inset: 0;"
    " width: 100%; height: 100%\">All</div>'); document.querySelector('#over').showPopover()",
}


@pytest.mark.parametrize("cover", ["a modal dialog", pytest.param("a popover over all", marks=pytest.mark.long)])
def test_stop_ends_the_act_that_runs_and_all_others_above_what_the_page_opens(
    desk: Desk, mart: ActingShop, cover: str
) -> None:
    with errand_in_front(desk, mart) as errand, ThreadPoolExecutor(1) as pool:
        running = errand.begin(pool)
        errand.page.evaluate(f"(() => {{ {COVERS[cover]} }})()")
        errand.page.press_at(*STOP)
        _, _, wait, hover = running.result(20)
        assert [wait.get("code"), hover.get("code")] == ["cancelled", "cancelled"], (wait, hover)


def test_the_pill_stands_above_a_dialog_that_was_open_before(desk: Desk, mart: ActingShop) -> None:
    with errand_in_front(desk, mart) as errand, ThreadPoolExecutor(1) as pool:
        errand.page.evaluate(f"(() => {{ {COVERS['a modal dialog']} }})()")
        running = errand.begin(pool, "document.querySelectorAll('#over > div').length === 1")
        errand.page.press_at(*STOP)
        assert running.result(20)[2].get("code") == "cancelled"


def where_the_pill_is(page: Page) -> str:
    is_there = [
        f"document.elementFromPoint({x}, {y})?.popover === 'manual'"
        for x in ("40", "innerWidth - 40")
        for y in ("innerHeight - 35", "35")
    ]
    corners = page.evaluate(f"[{', '.join(is_there)}]")
    names = ["bottom left", "top left", "bottom right", "top right"]
    return " and ".join(name for name, is_here in zip(names, corners, strict=True) if is_here)


LEFT_END = """[...Array(innerWidth).keys()].find((x) =>
document.elementFromPoint(x, innerHeight - 35)?.popover === 'manual')"""


def test_its_owner_moves_the_pill_by_mouse_and_by_keyboard(desk: Desk, mart: ActingShop) -> None:
    with errand_in_front(desk, mart) as errand, ThreadPoolExecutor(1) as pool:
        running, page = errand.begin(pool), errand.page
        assert where_the_pill_is(page) == "bottom right"
        page.press_at(page.evaluate("innerWidth") - page.evaluate(LEFT_END) - 30, 35)
        assert where_the_pill_is(page) == "bottom left"
        page.key("Enter")
        assert where_the_pill_is(page) == "top left"
        assert not running.done()
        page.key("Tab")
        page.key("Enter")
        assert running.result(20)[2].get("code") == "cancelled"


def test_the_pill_makes_room_for_an_act(desk: Desk, mart: ActingShop) -> None:
    with errand_in_front(desk, mart) as errand:
        errand.page.evaluate(
            "document.querySelector('#quiet').style.cssText = 'position: fixed; right: 9px; bottom: 9px'"
        )
        adopted, _, hover = errand.make(errand.manage("adopt"), look(), act(HOVER))
        assert (adopted.get("tab") is not None, hover.get("state")) == (True, "done")
        assert where_the_pill_is(errand.page) == "bottom left"


def test_no_picture_of_the_page_shows_the_border_or_the_pill(desk: Desk, mart: ActingShop, options: Options) -> None:
    with desk.penny.client("Helper") as helper:
        helper.send(GrantSet(host=HOST, capability="read", state="allowed", scope="always"))
        helper.expect(Ack, ref=HOST)
    options.page.click("#pictures")
    shows(options.page, "document.querySelector('#pictures').checked", "that pictures may be taken")
    desk.panel.wait_connected()
    with errand_in_front(desk, mart) as errand:
        _, picture = errand.make(errand.manage("adopt"), ("screenshot_page", {"area": "visible"}))
        image = Image.open(io.BytesIO(base64.b64decode(picture["image"].partition(",")[2]))).convert("RGB")
        assert count_pixels(image, (255, 255, 255)) > 1_000
        assert count_pixels(image, COPPER) == 0
        assert where_the_pill_is(errand.page) == "bottom right"
    options.page.click("#pictures")


MAY_ACT = "from devices.models import Device; Device.objects.filter(kind='browser').update(act_use=True)"


def test_a_person_at_the_terminal_sees_the_page_in_a_tab_with_the_border(desk: Desk, mart: ActingShop) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", MAY_ACT)
    allow_acting(desk)
    url = mart.url(HOST, "/keyboards")
    with terminal(desk.penny, url, "--json") as hands:
        first = hands.expect("snapshot")
        assert (first["url"], first["title"], first["part"]) == (url, "Keyboards", 1)
        assert "[5 button" in first["text"]
        assert "Penny is acting" not in first["text"]
        if isinstance(desk.browser, Chromium):
            shows(desk.browser.opened_at(url), f"{PILL} === 1", "the border")
        assert hands.say("find add to basket")["matches"][0]["line"].startswith("[")
        basket = hands.say("go /basket")
        assert (basket["event"], basket["url"], basket["has_navigated"]) == ("effect", mart.url(HOST, "/basket"), True)
        assert hands.say("go back")["url"] == url
        assert hands.say("go reload")["event"] == "effect"
        assert hands.say("wait quiet")["url"] == url
        assert "Quiet keyboard" in hands.say("read")["text"]
        assert hands.say(f"go {mart.url(ELSEWHERE, '/maker')}")["code"] == "other_site"
        assert hands.say("go /unsubscribe")["code"] == "does_something"
        assert hands.say("quit")["code"] == ""
    assert url not in desk.browser.urls()
    assert mart.visited(ELSEWHERE, "/maker") == 0
