"""An ask on the panel and the web chat: the first answer decides for both."""

import re
import time
from collections.abc import Iterator

import pytest

from tests.e2e.browser import check_layout, shows, texts_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat, Surface
from tests.stand_ins.articles import GRIND, WATER
from tests.stand_ins.sites import Sites
from tests.waiting import until

SITE = "coffee.example"


@pytest.fixture
def chat(desk: Desk) -> Iterator[Chat]:
    chat = Chat(desk.browser, desk.penny)
    yield chat
    chat.close()


def ask_on_both(desk: Desk, chat: Chat, web: Sites) -> int:
    """Start a turn on both surfaces for the same site; return the last `seq` before them."""
    before = desk.panel.last_seq()
    desk.panel.say(f"How is espresso brewed? {web.url(SITE, '/water')}")
    chat.say(f"How is it ground? {web.url(SITE, '/grind')}")
    return before


def wait_one_prompt(desk: Desk, chat: Chat) -> None:
    """Wait until both turns wait and both surfaces show a single ask."""
    waiting = (
        "[...document.querySelectorAll('.message.turn .busy')].filter(e => "
        f"e.innerText.includes('Waiting for your answer about {SITE}'))"
    )
    for surface in (desk.panel, chat):
        shows(surface.page, f"{waiting}.length === 2", "that both turns wait")
        assert surface.wait_ask() == SITE
        assert (texts_of(surface.page, ".ask .more"), len(texts_of(surface.page, ".ask"))) == ([], 1)


def wait_gone(*surfaces: Surface) -> None:
    for surface in surfaces:
        shows(surface.page, "!document.querySelector('.ask, .later')", "no question any more")


def words_after(desk: Desk, seq: int) -> str:
    later = f"[...document.querySelectorAll('.message.out[data-seq]')].filter(e => Number(e.dataset.seq) > {seq})"
    return str(desk.panel.page.evaluate(f"{later}.map(e => e.innerText).join(' ')"))


def answers_after(desk: Desk, seq: int) -> list[str]:
    find = (
        "[...document.querySelectorAll('.message.out[data-seq]')].filter(e => Number(e.dataset.seq) > "
        f"{seq}).map(e => e.innerText)"
    )
    shows(desk.panel.page, f"{find}.length >= 2", "both answers", 60)  # a find may be told besides
    return list(desk.panel.page.evaluate(find))


def granted_hosts(desk: Desk) -> list[str]:
    page_html = desk.penny.http.get("/admin/devices/grant/").text
    return [part.partition("<")[0] for part in page_html.partition('id="result_list"')[2].split('/change/">')[1:]]


@pytest.mark.one_browser("firefox", "the server decides it")
@pytest.mark.parametrize("answered_on", ["the panel", pytest.param("the web chat", marks=pytest.mark.long)])
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
    wait_gone(desk.panel, chat)
    answers = " ".join(answers_after(desk, before))
    assert WATER.paragraphs[0] in answers
    assert GRIND.paragraphs[0] in answers
    assert [web.visited(SITE, path) for path in ("/water", "/grind")] == [1, 1]
    assert granted_hosts(desk) == [SITE]


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_no_on_one_surface_holds_for_the_other(desk: Desk, chat: Chat, web: Sites) -> None:
    before = ask_on_both(desk, chat, web)
    wait_one_prompt(desk, chat)
    chat.decide("dismiss")
    wait_gone(desk.panel, chat)
    answers_after(desk, before)
    assert (web.visits, granted_hosts(desk)) == ([], [])


@pytest.mark.one_browser("chromium", "the server decides it")
def test_silence_on_both_surfaces_takes_the_question_away_and_a_late_yes_asks_the_message_again(
    desk: Desk, chat: Chat, web: Sites
) -> None:
    desk.penny.set(ASK_S=5)
    try:
        before = ask_on_both(desk, chat, web)
        desk.panel.wait_ask()
        chat.wait_ask()
        answers_after(desk, before)
        wait_gone(desk.panel, chat)
    finally:
        desk.penny.set(ASK_S=60)
    assert (web.visits, granted_hosts(desk)) == ([], [])
    late = f"[data-seq='{before + 3}'] [data-action='allow-late'], [data-seq='{before + 4}'] [data-action='allow-late']"
    for surface in (desk.panel, chat):
        shows(surface.page, f'document.querySelectorAll("{late}").length === 2', "two buttons")
        check_layout(surface.page, f"late-ask-{type(surface).__name__}", widths=(400, 1280))
    page = desk.browser.page(f"{desk.penny.url}/activity/")
    visible(page, "[action^='/asks/late/'] [value=allow]")
    check_layout(page, "late-ask-activity", widths=(400, 1280))
    page.close()
    last = desk.panel.last_seq()
    chat.page.click(late)
    shows(desk.panel.page, f'!document.querySelector("{late}")', "that both are over, which ask about one site")
    until(lambda: len(web.visits) == 1, "the page is read")
    for surface in (desk.panel, chat):
        shows(surface.page, f"!!document.querySelector('.message.out[data-seq=\"{last + 2}\"]')", "its answer")
    assert granted_hosts(desk) == [SITE]


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_task_s_question_stands_aside_on_both_surfaces_until_a_word_answers_it(desk: Desk, web: Sites) -> None:
    task = {
        "kind": "task",
        "task": f"How is it ground? {web.url(SITE, '/grind')}",
        "how": "daily",
        "at": "08:00",
        "in_quiet_hours": "on",
    }
    before, listed = desk.panel.last_seq(), "/activity/routine/"
    desk.penny.set(ASK_S=1)
    try:
        desk.penny.post("/activity/routine/new/", **task)
        schedule = re.findall(r"/activity/routine/\d+/(?=run/)", desk.penny.http.get(listed).text)[
            0
        ]  # tasks come first
        desk.penny.post(f"{schedule}run/")
        visible(desk.panel.page, ".later")
        time.sleep(3)  # far longer than the ask of a turn would be shown
        chat = Chat(desk.browser, desk.penny)  # connects only now
        for surface in (desk.panel, chat):
            visible(surface.page, ".later")
            assert surface.page.evaluate("document.querySelector('.later').getBoundingClientRect().height") == 32
            assert texts_of(surface.page, ".ask") == []
        chat.say("yes")
        wait_gone(desk.panel, chat)
        until(lambda: web.visited(SITE, "/grind"), "that the task reads the page")
        until(lambda: GRIND.paragraphs[0] in words_after(desk, before), "the task's answer")
        chat.close()
    finally:
        desk.penny.set(ASK_S=60)
    assert web.visited(SITE, "/grind") == 1
    desk.penny.post(f"{schedule}delete/")
