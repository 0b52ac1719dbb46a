"""After idle minutes the socket is still open and the extension still answers."""

import time

import pytest

from devices import protocol as p
from tests.client import Client, allow
from tests.e2e.conftest import Desk
from tests.stand_ins.articles import WATER
from tests.stand_ins.sites import Sites
from tests.waiting import until

ASLEEP_S = 185.0
ANSWERED_S = 5.0


@pytest.mark.long
def test_after_minutes_of_nothing_a_tool_call_is_answered_within_seconds(desk: Desk, web: Sites) -> None:
    """The panel is closed, so only the extension itself keeps its background awake."""
    url = web.url("coffee.example", "/water")
    panel_url = desk.browser.panel_url
    desk.panel.close()
    try:
        with desk.penny.client("Phone", answers=allow()) as phone:
            time.sleep(ASLEEP_S)
            turn = phone.say(f"How is espresso brewed? {url}")
            until(lambda: _says(phone, "Reading "), "the call is made", every_s=0.01)
            began = time.monotonic()
            until(lambda: _says(phone, "Writing"), "the page was read", 30, every_s=0.01)
            took_s = time.monotonic() - began
            answer = phone.expect(p.TurnDone, 30, turn_id=turn).message
    finally:
        desk.panel.page = desk.browser.page(panel_url)
    print(f"{desk.browser.name}: call and reading took {took_s:.1f} s")
    assert WATER.paragraphs[0] in answer.text
    assert took_s <= ANSWERED_S


def _says(client: Client, words: str) -> bool:
    return any(frame.text.startswith(words) for frame in client.frames_of(p.TurnStatus))
