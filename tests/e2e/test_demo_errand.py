"""The errand of the demonstration: a keyboard goes into a basket, with the owner's yes, in the built extension."""

from collections.abc import Iterator

import pytest

from tests.demo.__main__ import ERRAND
from tests.demo.script import scripted
from tests.demo.sites import SHOP, DemoSites
from tests.e2e.browser import shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.stand_ins.model_server import ModelServer
from tests.stand_ins.serving import serving
from tests.waiting import until

pytestmark = pytest.mark.one_browser("chromium", "shared code acts; the long run takes both")

SWITCH = "from devices.models import Device; Device.objects.filter(label='{label}').update(act_use={on})"
ASK = '.ask button[data-decision="allow"]:enabled'


@pytest.fixture
def market() -> Iterator[DemoSites]:
    with serving(DemoSites()) as market:
        yield market


@pytest.fixture
def acting_desk(desk: Desk, model: ModelServer, market: DemoSites) -> Iterator[Desk]:
    """The desk whose browser may act, switched to Act."""
    label = f"Desk {desk.browser.name}"
    model.on(lambda _: True, scripted(market.url(SHOP, "/keyboard")))
    desk.penny.manage("shell", "-v", "0", "-c", SWITCH.format(label=label, on=True))
    shows(desk.panel.page, "!!document.querySelector('#mode-act') && !document.querySelector('label.off')", "may act")
    desk.panel.page.click("label:has(#mode-act)")
    yield desk
    desk.panel.page.click("label:has(#mode-ask)")
    desk.penny.manage("shell", "-v", "0", "-c", SWITCH.format(label=label, on=False))


def test_the_keyboard_is_put_into_the_basket_after_two_questions_and_the_last_page_is_read(
    acting_desk: Desk, market: DemoSites, model: ModelServer
) -> None:
    panel, before = acting_desk.panel, acting_desk.panel.last_seq()
    panel.say(ERRAND.format(url=market.url(SHOP, "/keyboard")))
    assert panel.wait_ask().startswith(SHOP)
    assert "May Penny act on" in text_of(panel.page, ".ask .question")
    assert (SHOP, "/keyboard") not in market.visits
    panel.decide("run")
    visible(panel.page, ASK)
    assert "Add to basket" in text_of(panel.page, ".ask")
    assert (SHOP, "/basket") not in market.visits
    panel.page.click(ASK)
    until(lambda: (SHOP, "/basket") in market.visits, "the form was sent")
    answer = panel.answer_after(before, 60)
    assert "The quiet keyboard is in the basket." in answer
    assert market.visits.count((SHOP, "/basket")) == 1
    [written] = [request.last_user for request in model.requests if "Handed over:" in request.last_user]
    readings = written.partition("Readings:\n")[2].splitlines()[0]
    assert "In your basket: Quiet mechanical keyboard" in readings


def test_a_no_leaves_the_basket_empty(acting_desk: Desk, market: DemoSites) -> None:
    panel, before = acting_desk.panel, acting_desk.panel.last_seq()
    panel.say(ERRAND.format(url=market.url(SHOP, "/keyboard")))
    panel.wait_ask()
    panel.decide("run")
    visible(panel.page, ASK)
    panel.page.click('.ask button[data-decision="dismiss"]:enabled')
    panel.answer_after(before, 60)
    assert (SHOP, "/basket") not in market.visits
