from tests.client import Client
from tests.e2e.browser import text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.firefox import Firefox
from tests.model_server import ModelServer, Reply, text
from tests.sites import Sites
from tests.waiting import until

LONG = " ".join(f"word{number}" for number in range(60))


def test_an_answer_grows_word_by_word_and_ends_as_a_message(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(LONG, every_s=0.03))
    before = desk.panel.last_seq()
    desk.panel.say("Say many words")
    lengths: list[int] = []

    def grown() -> bool:
        length = len(desk.panel.streaming())
        if length and (not lengths or length > lengths[-1]):
            lengths.append(length)
        return len(lengths) >= 4

    until(grown, "the text has grown three times while it was being written")
    assert desk.panel.answer_after(before).strip().endswith("word59")
    assert desk.panel.messages()[-2:] == ["Say many words", LONG]


def test_markdown_is_shown_as_markup_and_html_as_text(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text('**Bold** and <b onclick="x()">raw</b> and <img src=x onerror=alert(1)>'))
    desk.panel.ask("Use markup")
    last = ".message.out[data-seq]:last-of-type .text"
    assert text_of(desk.panel.page, f"{last} strong") == "Bold"
    assert desk.panel.page.evaluate("document.querySelectorAll('.message .text b, .message .text img').length") == 0


def test_a_turn_can_be_stopped_and_the_model_is_let_go(desk: Desk, model: ModelServer) -> None:
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
    visible(chat, ".ask-again:not([hidden])")
    assert chat.evaluate("document.querySelectorAll('.ask-again:not([hidden])').length") == 1
    chat.click(".ask-again:not([hidden])")
    until(lambda: desk.panel.last_seq() >= before + 6, "it was answered")
    kind = "[...document.querySelectorAll('.message.out[data-seq]')].at(-1).dataset.kind"
    assert desk.panel.page.evaluate(kind) == "chat"
    assert desk.panel.messages().count("Try until it works") == 3
    until(lambda: not chat.evaluate("!!document.querySelector('.ask-again:not([hidden]), .pending')"), "nothing is left to try")
    chat.close()


def test_what_is_said_elsewhere_appears_here_too(desk: Desk) -> None:
    with desk.penny.client("Phone") as phone:
        phone.ask("Said on the phone")
        assert "Phone" in desk.panel.wait_message("Said on the phone")
        desk.panel.ask("Said at the desk")
        until(lambda: _has(phone, "Said at the desk"), "the phone shows it")


def _has(client: Client, words: str) -> bool:
    return any(words in str(getattr(frame, "message", "")) for frame in client.frames)


def test_the_conversation_is_there_when_the_panel_opens_again(desk: Desk) -> None:
    answer = desk.panel.ask("Remember this line")
    desk.panel.page.goto(desk.browser.panel_url)
    desk.panel.wait_connected()
    assert answer.strip() in desk.panel.wait_message(answer.strip())


def test_a_failing_model_ends_in_a_message_that_says_so(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, Reply(status=401))
    before = desk.panel.last_seq()
    desk.panel.say("Will this work?")
    desk.panel.answer_after(before)
    kind = desk.panel.page.evaluate("[...document.querySelectorAll('.message.out[data-seq]')].at(-1).dataset.kind")
    assert kind == "failure"


def test_the_panel_is_legible_in_light_and_dark_and_when_narrow(desk: Desk) -> None:
    desk.panel.ask("Show yourself")
    for scheme in ("light", "dark"):
        desk.panel.page.screenshot(f"{desk.browser.name}-panel-{scheme}", 400, scheme=scheme)
    desk.panel.page.screenshot(f"{desk.browser.name}-panel-narrow", 240)
    assert desk.panel.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_sidebar_stands_beside_a_page(desk: Desk, web: Sites) -> None:
    """In Firefox the real sidebar; Chromium's real side panel cannot be opened by this driver, its page is the same."""
    page = desk.browser.page(web.url("coffee.example", "/water"))
    if isinstance(desk.browser, Firefox):
        assert desk.browser.sidebar_screenshot("firefox-sidebar", 360).stat().st_size > 20_000
        desk.browser.hide_sidebar()
    page.close()
    assert desk.panel.state == "connected"
