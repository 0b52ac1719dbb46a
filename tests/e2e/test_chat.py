"""Talk with Penny in the panel and on the chat page: reply, edit, search, stop, and repeat."""

import pytest

from tests.client import Client
from tests.e2e.browser import check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.panel import LAST, Chat
from tests.stand_ins.model_server import ModelServer, Reply
from tests.waiting import until

IN_VIEW = "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())"


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_message_is_replied_to_and_edited_on_both_surfaces(desk: Desk, model: ModelServer) -> None:
    panel = desk.panel.page
    desk.panel.ask("The first question")
    before = desk.panel.last_seq()
    panel.evaluate(f"{LAST}.querySelector('[data-act=quote]').click()")
    visible(panel, ".replies .quoted")
    check_layout(panel, f"{desk.browser.name}-quote")
    desk.panel.ask("A reply to that")
    assert panel.evaluate("!!document.querySelector('.replies')") is False
    shows(panel, f"document.querySelector('[data-seq=\"{before + 1}\"] .quoted')", "what was replied to")
    assert model.requests[-1].last_user.startswith("> ")
    mine = f"document.querySelector('[data-seq=\"{before + 1}\"]')"
    panel.evaluate(f"{mine}.querySelector('[data-act=edit]').click()")
    shows(panel, "document.querySelector('#composer').value === 'A reply to that'", "the words to be edited")
    panel.fill("#composer", "")
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    shows(chat, f"{mine}?.querySelector('.quoted')", "what was replied to")
    chat.evaluate(f"{mine}.querySelector('[data-act=quote]').click()")
    visible(chat, ".replies .quoted")
    chat.fill("#composer", "A reply from the page")
    chat.press("#composer", "Enter")
    shows(
        chat,
        f"document.querySelector('[data-seq=\"{before + 3}\"] .quoted')?.textContent.includes('A reply to that')",
        "the reply",
    )
    until(lambda: desk.panel.last_seq() >= before + 4, "the panel has the answer too")
    chat.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_conversation_is_searched_on_both_surfaces_and_leads_to_the_match(desk: Desk) -> None:
    desk.panel.ask("A needle in the hay")
    for _ in range(3):
        desk.panel.ask("Only hay")
    desk.panel.page.click("#search")
    desk.panel.page.fill("#search-words", "NEEDLE")
    hit = "[...document.querySelectorAll('.hit')].at(-1)"
    shows(desk.panel.page, hit, "what was found")
    check_layout(desk.panel.page, f"{desk.browser.name}-search")
    seq = int(desk.panel.page.evaluate(f"{hit}.dataset.found"))
    desk.panel.page.evaluate(f"{hit}.click()")
    shows(desk.panel.page, f"document.activeElement?.dataset.seq === '{seq}' && {IN_VIEW}", "the message")
    chat = Chat(desk.browser, desk.penny).page
    chat.click("#search")
    chat.fill("#search-words", "needle hay")
    shows(chat, hit, "what was found")
    chat.evaluate(f"{hit}.click()")
    shows(chat, f"document.activeElement?.dataset.seq === '{seq}' && {IN_VIEW}", "the message")
    chat.close()


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_turn_can_be_stopped_and_its_model_request_ends(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(tokens=("It ", "goes ", "on "), hangs=True))
    before = desk.panel.last_seq()
    desk.panel.say("Never end")
    until(lambda: "goes" in desk.panel.streaming(), "the answer begins")
    desk.panel.stop()
    assert desk.panel.answer_after(before)
    kind = desk.panel.page.evaluate("[...document.querySelectorAll('.message.out[data-seq]')].at(-1).dataset.kind")
    assert kind == "cancelled"
    assert model.requests[-1].answered.wait(5)
    assert model.requests[-1].closed_early
    visible(desk.panel.page, '.message[data-kind="cancelled"] [data-action="ask-again"]')
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    visible(chat, '.message[data-kind="cancelled"] [data-action="ask-again"]')
    chat.close()


@pytest.mark.one_browser("firefox", "the server decides it")
def test_a_turn_that_failed_is_tried_again_in_the_panel_and_in_the_web_page(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401), times=2)
    before = desk.panel.last_seq()
    desk.panel.say("Try until it works")
    desk.panel.answer_after(before)
    again = f'.message[data-kind="failure"]:not([data-seq="{before}"]) [data-action="ask-again"]'
    visible(desk.panel.page, again)
    desk.panel.page.click(again)
    until(lambda: desk.panel.last_seq() >= before + 4, "it failed once more")
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    again = '.message[data-kind="failure"] [data-action="ask-again"]'
    visible(chat, again)
    assert chat.evaluate(f"document.querySelectorAll({again!r}).length") == 1
    chat.click(again)
    until(lambda: desk.panel.last_seq() >= before + 6, "it was answered")
    kind = "[...document.querySelectorAll('.message.out[data-seq]')].at(-1).dataset.kind"
    assert desk.panel.page.evaluate(kind) == "chat"
    assert desk.panel.messages().count("Try until it works") == 3
    until(
        lambda: not chat.evaluate(f"!!document.querySelector({again!r})"),
        "nothing is left to try",
    )
    chat.close()


@pytest.mark.one_browser("chromium", "the server decides it")
def test_what_is_said_elsewhere_appears_here_too(desk: Desk) -> None:
    with desk.penny.client("Phone") as phone:
        phone.ask("Said on the phone")
        assert "Phone" in desk.panel.wait_message("Said on the phone")
        desk.panel.ask("Said at the desk")
        until(lambda: _has(phone, "Said at the desk"), "the phone shows it")


def _has(client: Client, words: str) -> bool:
    return any(words in str(getattr(frame, "message", "")) for frame in client.frames)


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_conversation_is_there_when_the_panel_opens_again(desk: Desk) -> None:
    answer = desk.panel.ask("Remember this line")
    desk.panel.page.goto(desk.browser.panel_url)
    desk.panel.wait_connected()
    assert answer.strip() in desk.panel.wait_message(answer.strip())


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_failing_model_ends_in_a_message_that_says_so(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401))
    before = desk.panel.last_seq()
    desk.panel.say("Will this work?")
    desk.panel.answer_after(before)
    kind = desk.panel.page.evaluate("[...document.querySelectorAll('.message.out[data-seq]')].at(-1).dataset.kind")
    assert kind == "failure"


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_temporary_question_is_answered_and_leaves_nothing_behind(desk: Desk, model: ModelServer) -> None:
    chat = Chat(desk.browser, desk.penny).page
    last = desk.panel.last_seq()
    for page in (desk.panel.page, chat):
        page.click("#temporary")
        page.fill("#composer", "Nobody keeps this")
        check_layout(page, f"{desk.browser.name}-temporary-{'chat' if page is chat else 'panel'}")
        page.press("#composer", "Enter")
        shows(page, "document.querySelector('.message.out.temporary')", "the answer")
        page.fill("#composer", "And what follows?")
        page.press("#composer", "Enter")
        shows(page, "document.querySelectorAll('.message.out.temporary').length === 2", "the answer to what follows")
        assert "Nobody keeps this" in model.requests[-1].everything
        page.click("#temporary")
        assert desk.panel.last_seq() == last
    assert chat.evaluate("document.querySelectorAll('.message.temporary').length") == 4
    desk.panel.page.click("#temporary-forget")
    shows(desk.panel.page, "!document.querySelector('.message.temporary')", "nothing of it")
    chat.goto(f"{desk.penny.url}/chat/")
    assert "Nobody keeps this" not in text_of(chat, "body")
    chat.close()
