"""What an answer looks like while it grows and afterwards, and how the conversation scrolls."""

import threading
from collections.abc import Iterator

import pytest

from tests.e2e.browser import check_layout, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.firefox import Firefox
from tests.e2e.panel import LAST, Chat
from tests.stand_ins.model_server import ModelServer, Reply, text
from tests.stand_ins.sites import Sites

LONG = " ".join(f"word{number}" for number in range(60))


# Records the length of the running answer whenever it has grown.
GROWTH = """(() => {
  const grown = (window.grown = [])
  new MutationObserver(() => {
    const length = document.querySelector('.message.turn .text.streaming')?.innerText.length ?? 0
    if (length > (grown.at(-1) ?? 0)) grown.push(length)
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
  return true
})()"""


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_an_answer_grows_word_by_word_and_ends_as_a_message(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(LONG, every_s=0.03))
    before = desk.panel.last_seq()
    assert desk.panel.page.evaluate(GROWTH)
    desk.panel.say("Say many words")
    assert "word59" in desk.panel.answer_after(before)
    assert desk.panel.page.evaluate("window.grown.length") >= 4
    assert desk.panel.messages()[-2:] == ["Say many words", LONG]


GAP_AT_RIGHT = """(() => {{
  const [block, words] = [document.querySelector({!r}), document.createRange()]
  words.selectNodeContents(block)
  return block.getBoundingClientRect().right - words.getBoundingClientRect().right
}})()"""


@pytest.mark.one_browser("firefox", "Firefox aligns the words of a list's items by the list")
def test_markdown_is_shown_as_markup_and_html_as_text(desk: Desk, model: ModelServer) -> None:
    words = '**Bold** and <b onclick="x()">raw</b> and <img src=x onerror=alert(1)>\n\nمياه'
    model.on(lambda _: True, text(f"{words}\n\n| Machine | Year |\n|---|---|\n| مياه | 1948 |"))
    desk.panel.ask("Use markup")
    last = ".message.out[data-seq]:last-of-type .text"
    assert text_of(desk.panel.page, f"{last} strong") == "Bold"
    assert desk.panel.page.evaluate("document.querySelectorAll('.message .text b, .message .text img').length") == 0
    # A right-to-left paragraph begins at the right.
    assert desk.panel.page.evaluate(GAP_AT_RIGHT.format(f"{last} p:last-of-type")) < 1
    # The cells of a column stand below each other.
    assert desk.panel.page.evaluate(GAP_AT_RIGHT.format(f"{last} td")) > 20


RICH = r"""Levers press by **spring** and the law \(F = kx\).

| Machine | Year | Pressure |
|---|---|---|
| Gaggia | 1948 | 9 bar |

```python
print("nine **bars**")
```

$$p = \frac{F}{A}$$"""


MUCH = "\n\n".join(
    f"Paragraph {number} of a long answer, in words enough for several lines where it is narrow."
    for number in range(60)
)


@pytest.mark.one_browser("firefox", "both browsers draw the same views")
def test_code_tables_and_formulas_are_shown_for_what_they_are_on_both_surfaces(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(RICH))
    desk.panel.ask("Say it with everything")
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    for page in (desk.panel.page, chat):
        shows(page, f"{LAST}.querySelectorAll('.formula math').length === 2", "two formulas")
        shows(page, f"{LAST}.querySelector('.formula mfrac')", "a fraction")
        assert page.evaluate(f"{LAST}.querySelector('.code pre').textContent.trim()") == 'print("nine **bars**")'
        assert page.evaluate(f"[...{LAST}.querySelectorAll('td')].map(e => e.dataset.column)") == [
            "Machine",
            "Year",
            "Pressure",
        ]
        assert page.evaluate(f"{LAST}.querySelector('strong').textContent") == "spring"
    check_layout(desk.panel.page, f"{desk.browser.name}-rich")
    check_layout(chat, f"{desk.browser.name}-rich-web")
    chat.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_markdown_is_shown_as_such_while_it_is_being_written(desk: Desk, model: ModelServer) -> None:
    may_go_on = threading.Event()

    def stream_tokens() -> Iterator[str]:
        yield from ("**Bold** ", "words ", "and ")
        may_go_on.wait(60)
        yield "the rest"

    model.on(lambda _: True, lambda _: Reply(tokens=stream_tokens()))
    before = desk.panel.last_seq()
    desk.panel.say("Write it slowly")
    shows(
        desk.panel.page,
        "document.querySelector('.turn .streaming strong')?.textContent === 'Bold'",
        "bold words of a running answer",
    )
    assert "*" not in desk.panel.streaming()
    may_go_on.set()
    assert "Bold words and the rest" in desk.panel.answer_after(before)


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_long_answer_shows_its_beginning_and_a_short_one_its_end(desk: Desk, model: ModelServer) -> None:
    long = "\n\n".join(f"Paragraph {number} of a long answer." for number in range(60))
    model.on(lambda _: True, text(long, every_s=0.01))
    desk.panel.ask("Say a lot")
    box = "document.querySelector('#log').getBoundingClientRect()"
    shows(
        desk.panel.page,
        f"Math.abs({LAST}.getBoundingClientRect().top - {box}.top) < 40",
        "the beginning of the long answer",
    )
    visible(desk.panel.page, "#newest")
    model.reset()
    desk.panel.ask("Say little")
    shows(desk.panel.page, f"{LAST}.getBoundingClientRect().bottom <= {box}.bottom", "the end of the short answer")
    shows(desk.panel.page, "!document.querySelector('#newest')", "no way to the newest, which is there")


# The pixels of the conversation below the visible part.
BELOW = "(box => box.scrollHeight - box.scrollTop - box.clientHeight)(document.querySelector('#log'))"


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_scrolling_up_while_an_answer_grows_holds_on_both_surfaces(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(MUCH))
    desk.panel.ask("Say a lot")
    model.reset()
    model.on(lambda _: True, text(f"{LONG} {LONG}", every_s=0.02))
    chat = Chat(desk.browser, desk.penny).page
    for page in (desk.panel.page, chat):
        before = desk.panel.last_seq()
        desk.panel.say("Say it slowly")
        page.evaluate("document.querySelector('#log').focus()")
        answer = f"document.querySelector('.message.turn .text, .message.out[data-seq=\"{before + 2}\"]')"
        shows(page, f"{answer}?.textContent.includes('word3') && {BELOW} < 48", "the end of what grows")
        for _ in range(3):
            page.key("ArrowUp")
        shows(page, f"{BELOW} > 60", "what was said before")
        desk.panel.answer_after(before)
        shows(page, f"{LAST}?.dataset.seq === '{before + 2}'", "the answer")
        shows(page, f"{BELOW} > 60", "what was said before, still")
    chat.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_web_chat_that_is_made_narrower_stays_at_its_end(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(MUCH))
    desk.panel.ask("Say a lot")
    model.reset()
    desk.panel.ask(f"And little. {LONG}")
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    for width in (1000, 460, 800, 500):
        with chat.at_size(width, 700):
            shows(chat, f"innerWidth === {width} && {BELOW} < 2", "the end")
    chat.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_panel_is_legible_in_light_and_dark_and_when_narrow(desk: Desk) -> None:
    desk.panel.ask("Show yourself")
    check_layout(desk.panel.page, f"{desk.browser.name}-panel")


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_the_sidebar_stands_beside_a_page(desk: Desk, web: Sites) -> None:
    """Opens Firefox's real sidebar.

    The driver cannot open Chromium's side panel, which shows the same page.
    """
    page = desk.browser.page(web.url("coffee.example", "/water"))
    if isinstance(desk.browser, Firefox):
        assert desk.browser.sidebar_screenshot("firefox-sidebar", 360).stat().st_size > 20_000
        desk.browser.hide_sidebar()
    page.close()
    assert desk.panel.state == "connected"
