"""Ask or Act: what the owner chose in the composer decides what a request may hold."""

import pytest

from tests.agents.acting.shop import Shop
from tests.agents.acting.test_errands import DONE, GOAL, WORDS, script
from tests.client import Client, allow
from tests.e2e.axe import axe_violations
from tests.e2e.browser import Page, check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat
from tests.e2e.test_errand_cards import MAY_NOT_ACT
from tests.stand_ins.model_server import ModelServer, tool

pytestmark = pytest.mark.one_browser("chromium", "the server decides it")

ACTING = "document.querySelector('#mode-act').checked"
ALT_M = "document.dispatchEvent(new KeyboardEvent('keydown', {code: 'KeyM', altKey: true, bubbles: true}))"
ACTOR_MAY_ACT = f"{MAY_NOT_ACT}; Device.objects.filter(label='Actor').update(act_use=True)"  # and no other browser


def test_what_keeps_penny_from_acting_is_said_with_a_button(desk: Desk) -> None:
    desk.penny.manage("shell", "-v", "0", "-c", MAY_NOT_ACT)
    panel = desk.panel.page
    visible(panel, "label.off:has(#mode-act)")
    panel.click("label:has(#mode-act)")
    visible(panel, "#mode-help")
    assert panel.evaluate(ACTING) is False
    assert text_of(panel, "#mode-state")
    assert str(panel.evaluate("document.querySelector('#mode-help').href")).startswith(desk.penny.url)
    check_layout(panel, f"{desk.browser.name}-mode")
    assert axe_violations(panel) == []
    panel.click("label:has(#mode-ask)")
    shows(panel, "!document.querySelector('#mode-help')", "the reason is gone")


def test_only_in_act_mode_a_request_can_act(desk: Desk, model: ModelServer) -> None:
    mart = Shop()
    pairing = desk.penny.pair("Actor")
    desk.penny.manage("shell", "-v", "0", "-c", ACTOR_MAY_ACT)
    chat = Chat(desk.browser, desk.penny)
    with Client(pairing, tools=mart.tools, answers=allow("run")):
        shows(chat.page, "!document.querySelector('label.off')", "Act can be chosen")
        script(model, tool("click", ref=2), DONE)
        model.requests.clear()
        chat.ask(WORDS)
        assert all("act" not in request.tools and "click" not in request.tools for request in model.requests)
        assert (mart.managed, mart.acts) == ([], [])
        _act(chat.page)
        chat.ask(WORDS)
        assert len(mart.acts) == 1
        assert any("click" in request.tools and GOAL in request.everything for request in model.requests)
        assert axe_violations(chat.page, "document.querySelector('.composer')") == []
        chat.ask("/act off")
        shows(chat.page, f"!{ACTING}", "Ask again")
    chat.close()


def _act(page: Page) -> None:
    page.evaluate(ALT_M)
    shows(page, ACTING, "Act is chosen")
