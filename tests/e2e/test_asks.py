"""An ask on the panel and the web chat: the first answer decides for both."""

import json
import re
import time
from collections.abc import Iterator

import pytest

from tests.e2e.browser import Page, shows, text_of, texts_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.panel import Decision
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.sites import Sites
from tests.waiting import until

SITE = "coffee.example"
ANSWERS: dict[Decision, str] = {
    "once": "Allow once",
    "run": "For this task",
    "hour": "For an hour",
    "always": "Always",
    "block": "Block",
    "dismiss": "Not now",
}


class Chat:
    """The web chat in a tab, used by typing and clicking, and read from its text."""

    ask = "#asks .ask"

    def __init__(self, page: Page) -> None:
        self.page = page

    def say(self, text: str) -> None:
        self.page.fill("#words", text)
        self.page.press("#words", "Enter")

    def decide(self, decision: Decision) -> None:
        find = (
            f"[...document.querySelectorAll('#asks button')].find(e => e.innerText === {json.dumps(ANSWERS[decision])})"
        )
        self.page.evaluate(f"{find}.click()")

    def wait_gone(self) -> None:
        shows(self.page, f"!document.querySelector({json.dumps(self.ask)})", "no question any more")


@pytest.fixture
def chat(desk: Desk) -> Iterator[Chat]:
    page = desk.browser.page(f"{desk.penny.url}/chat/")
    visible(page, "#connection[data-state=connected]")
    yield Chat(page)
    page.close()


def ask_on_both(desk: Desk, chat: Chat, web: Sites) -> int:
    """Start a turn on both surfaces for the same site; return the last `seq` before them."""
    before = desk.panel.last_seq()
    desk.panel.say(f"How is espresso brewed? {web.url(SITE, '/water')}")
    chat.say(f"How is it ground? {web.url(SITE, '/grind')}")
    return before


def wait_one_prompt(desk: Desk, chat: Chat) -> None:
    """Wait until both turns wait and both surfaces show a single ask."""
    for page, turns in ((desk.panel.page, ".message.turn .busy"), (chat.page, ".running .busy")):
        waiting = (
            f"[...document.querySelectorAll('{turns}')].filter(e => e.innerText.includes('Waiting for your answer "
            f"about {SITE}'))"
        )
        shows(page, f"{waiting}.length === 2", "that both turns wait")
    assert desk.panel.wait_ask() == SITE
    assert text_of(chat.page, f"{chat.ask} .question b") == SITE
    assert [texts_of(desk.panel.page, ".ask .more"), texts_of(chat.page, f"{chat.ask} .others:not([hidden])")] == [
        [],
        [],
    ]
    assert [len(texts_of(page, ".ask")) for page in (desk.panel.page, chat.page)] == [1, 1]


def answers_after(desk: Desk, seq: int) -> list[str]:
    find = (
        "[...document.querySelectorAll('.message.out[data-seq]')].filter(e => Number(e.dataset.seq) > "
        f"{seq}).map(e => e.innerText)"
    )
    shows(desk.panel.page, f"{find}.length === 2", "both answers", 60)
    return list(desk.panel.page.evaluate(find))


def granted_hosts(desk: Desk) -> list[str]:
    page_html = desk.penny.http.get("/admin/devices/grant/").text
    return [part.partition("<")[0] for part in page_html.partition('id="result_list"')[2].split('/change/">')[1:]]


@pytest.mark.parametrize("answered_on", ["the panel", "the web chat"])
def test_the_first_answer_on_either_surface_is_for_both_turns(
    desk: Desk, chat: Chat, web: Sites, answered_on: str
) -> None:
    before = ask_on_both(desk, chat, web)
    wait_one_prompt(desk, chat)
    assert web.visits == []
    if answered_on == "the panel":
        desk.panel.decide("always")
    else:
        chat.decide("hour")
    chat.wait_gone()
    until(lambda: not texts_of(desk.panel.page, ".ask"), "the panel's question is gone")
    answers = " ".join(answers_after(desk, before))
    assert WATER.paragraphs[0] in answers
    assert GRIND.paragraphs[0] in answers
    assert [web.visited(SITE, path) for path in ("/water", "/grind")] == [1, 1]
    assert granted_hosts(desk) == [SITE]


def test_a_no_on_one_surface_holds_for_the_other(desk: Desk, chat: Chat, web: Sites) -> None:
    before = ask_on_both(desk, chat, web)
    wait_one_prompt(desk, chat)
    chat.decide("dismiss")
    until(lambda: not texts_of(desk.panel.page, ".ask"), "the panel's question is gone")
    answers_after(desk, before)
    assert (web.visits, granted_hosts(desk)) == ([], [])


def test_silence_on_both_surfaces_takes_the_question_away_and_stores_nothing(
    desk: Desk, chat: Chat, web: Sites
) -> None:
    desk.penny.set("ASK_S", 5)
    try:
        before = ask_on_both(desk, chat, web)
        desk.panel.wait_ask()
        visible(chat.page, chat.ask)
        answers_after(desk, before)
        chat.wait_gone()
        until(lambda: not texts_of(desk.panel.page, ".ask"), "the panel's question is gone")
    finally:
        desk.penny.set("ASK_S", 60)
    assert (web.visits, granted_hosts(desk)) == ([], [])


def test_a_task_s_question_stands_on_both_surfaces_until_a_word_answers_it(desk: Desk, web: Sites) -> None:
    task = {
        "kind": "task",
        "task": f"How is it ground? {web.url(SITE, '/grind')}",
        "how": "daily",
        "at": "08:00",
        "in_quiet_hours": "on",
    }
    before, listed = desk.panel.last_seq(), "/activity/routine/"
    desk.penny.set("ASK_S", 1)
    try:
        desk.penny.post("/activity/routine/new/", **task)
        schedule = re.findall(r"/activity/routine/\d+/(?=run/)", desk.penny.http.get(listed).text)[
            0
        ]  # tasks come first
        desk.penny.post(f"{schedule}run/")
        assert desk.panel.wait_ask() == SITE
        time.sleep(3)  # far longer than the ask of a turn would be shown
        page = desk.browser.page(f"{desk.penny.url}/chat/")  # connects only now
        visible(page, Chat.ask)
        assert text_of(page, f"{Chat.ask} .question b") == SITE
        assert texts_of(desk.panel.page, ".ask .question b") == [SITE]
        Chat(page).say("yes")
        Chat(page).wait_gone()
        until(lambda: not texts_of(desk.panel.page, ".ask"), "the panel's question is gone")
        until(lambda: GRIND.paragraphs[0] in " ".join(desk.panel.messages()), "the task's answer")
        page.close()
    finally:
        desk.penny.set("ASK_S", 60)
    assert web.visited(SITE, "/grind") == 1
    assert desk.panel.last_seq() > before
    desk.penny.post(f"{schedule}delete/")
