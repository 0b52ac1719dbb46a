"""An errand on the panel and the chat page: its questions, its steps, and the owner's hand on it."""

from collections.abc import Iterator

import pytest

from devices import protocol as p
from tests.agents.acting.conftest import MAY_ACT
from tests.agents.acting.shop import HOST, Shop
from tests.agents.acting.test_errands import DONE, script
from tests.agents.acting.test_steering import begin, end_of
from tests.client import Client, allow
from tests.e2e.axe import axe_violations
from tests.e2e.browser import shows, text_of, texts_of
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat
from tests.stand_ins.model_server import ModelServer, text, tool

MAY_NOT_ACT = "from devices.models import Device; Device.objects.update(act_use=False)"


@pytest.fixture
def chat_page(desk: Desk) -> Iterator[Chat]:
    chat_page = Chat(desk.browser, desk.penny)
    yield chat_page
    chat_page.close()


@pytest.fixture
def counted() -> Shop:
    return Shop(needs={"2": ["buy"]})


@pytest.fixture
def shopper(desk: Desk, counted: Shop) -> Iterator[Client]:
    """A browser of the owner's that may act, played by the test."""
    pairing = desk.penny.pair("Shopper")
    desk.penny.manage("shell", "-v", "0", "-c", MAY_ACT)
    with Client(pairing, tools=counted.tools, answers=allow("run")) as client:
        yield client
    desk.penny.manage("shell", "-v", "0", "-c", MAY_NOT_ACT)


@pytest.mark.one_browser("chromium", "the server decides it")
def test_the_owner_answers_approves_and_gives_the_page_back_on_any_surface(
    desk: Desk, chat_page: Chat, shopper: Client, model: ModelServer, counted: Shop
) -> None:
    script(
        model,
        tool("ask", question="Which colour?", options=["Black", "White"]),
        tool("click", ref=2),
        tool("take_over", why="sign_in"),
        DONE,
    )
    turn_id = begin(shopper)
    for surface in (desk.panel, chat_page):
        shows(surface.page, "document.querySelector('#ask-question')?.innerText.includes('makes Penny ask')", "it asks")
        assert text_of(surface.page, "#ask-reason") == "Which colour?"
    assert axe_violations(desk.panel.page, "'.ask'") == []  # both surfaces have the same markup
    shows(chat_page.page, "!document.querySelector('.own-answer button:disabled:not(.primary)')", "it can be answered")
    chat_page.page.click(".own-answer .buttons button")
    for surface in (desk.panel, chat_page):
        shows(surface.page, "document.querySelector('#ask-question')?.innerText.startsWith('Buy this')", "it asks")
        assert "ada@home.example" in text_of(surface.page, ".sent")
        assert texts_of(surface.page, ".ask .buttons button") == ["No", "Approve"]
    assert axe_violations(chat_page.page, "'.ask'") == []
    assert counted.acts == []
    shows(desk.panel.page, "!document.querySelector('.ask button:disabled')", "it can be answered")
    desk.panel.page.click(".ask [data-decision='allow']")
    for surface in (desk.panel, chat_page):
        shows(surface.page, "document.querySelector('.errand .now')?.innerText.startsWith('Sign in')", "it waits")
        assert HOST in text_of(surface.page, ".errand .head")
    assert axe_violations(desk.panel.page, "'.errand'") == []
    chat_page.page.click("[data-steer='hand_back']")
    assert isinstance(end_of(shopper, turn_id), p.TurnDone)
    assert len(counted.acts) == 1
    shows(desk.panel.page, "!document.querySelector('.errand')", "the errand is over")


@pytest.mark.one_browser("firefox", "the server decides it")
def test_escape_pressed_twice_stops_an_errand(desk: Desk, shopper: Client, model: ModelServer, counted: Shop) -> None:
    script(model, text("I think about it for a long time, word by word.", every_s=5), tool("click", ref=2))
    turn_id = begin(shopper)
    shows(desk.panel.page, "document.querySelector('.errand')", "the errand is shown")
    desk.panel.page.press("#composer", "Escape", times=2)  # within a second
    assert end_of(shopper, turn_id).message.kind == "cancelled"
    assert counted.acts == []
