import threading
from collections.abc import Iterator

from tests.agents.pages.seeing import is_picture_request, see
from tests.client import Client
from tests.e2e.axe import wrong_with
from tests.e2e.browser import Page, look, shows, text_of, visible
from tests.e2e.conftest import Desk
from tests.e2e.firefox import Firefox
from tests.stand_ins.model_server import ModelServer, Reply, text
from tests.stand_ins.sites import Sites
from tests.waiting import until

LONG = " ".join(f"word{number}" for number in range(60))


# How long the text of the answer that is being written was, each time that it had grown.
GROWTH = """(() => {
  const grown = (window.grown = [])
  new MutationObserver(() => {
    const length = document.querySelector('.message.turn .text.streaming')?.innerText.length ?? 0
    if (length > (grown.at(-1) ?? 0)) grown.push(length)
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
  return true
})()"""


def test_an_answer_grows_word_by_word_and_ends_as_a_message(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(LONG, every_s=0.03))
    before = desk.panel.last_seq()
    assert desk.panel.page.evaluate(GROWTH)
    desk.panel.say("Say many words")
    assert desk.panel.answer_after(before).strip().endswith("word59")
    assert desk.panel.page.evaluate("window.grown.length") >= 4
    assert desk.panel.messages()[-2:] == ["Say many words", LONG]


def test_markdown_is_shown_as_markup_and_html_as_text(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text('**Bold** and <b onclick="x()">raw</b> and <img src=x onerror=alert(1)>'))
    desk.panel.ask("Use markup")
    last = ".message.out[data-seq]:last-of-type .text"
    assert text_of(desk.panel.page, f"{last} strong") == "Bold"
    assert desk.panel.page.evaluate("document.querySelectorAll('.message .text b, .message .text img').length") == 0


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
IN_VIEW = "(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.activeElement.getBoundingClientRect())"
LAST = "[...document.querySelectorAll('.message.out[data-seq]')].at(-1)"


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
    look(desk.panel.page, f"{desk.browser.name}-rich")
    look(chat, f"{desk.browser.name}-rich-web")
    chat.close()


def test_markdown_is_shown_as_such_while_it_is_being_written(desk: Desk, model: ModelServer) -> None:
    was_looked_at = threading.Event()

    def written() -> Iterator[str]:
        yield from ("**Bold** ", "words ", "and ")
        was_looked_at.wait(60)
        yield "the rest"

    model.on(lambda _: True, lambda _: Reply(tokens=written()))
    before = desk.panel.last_seq()
    desk.panel.say("Write it slowly")
    shows(
        desk.panel.page,
        "document.querySelector('.turn .streaming strong')?.textContent === 'Bold'",
        "bold words of a running answer",
    )
    assert "*" not in desk.panel.streaming()
    was_looked_at.set()
    assert desk.panel.answer_after(before).strip().endswith("Bold words and the rest")


def test_a_message_is_replied_to_and_edited_on_both_surfaces(desk: Desk, model: ModelServer) -> None:
    panel = desk.panel.page
    desk.panel.ask("The first question")
    before = desk.panel.last_seq()
    panel.evaluate(f"{LAST}.querySelector('[data-act=quote]').click()")
    visible(panel, ".replies .quoted")
    look(panel, f"{desk.browser.name}-quote")
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
    visible(chat, "#replies .quoted")
    chat.fill("#words", "A reply from the page")
    chat.press("#words", "Enter")
    shows(
        chat,
        f"document.querySelector('[data-seq=\"{before + 3}\"] .quoted')?.textContent.includes('A reply to that')",
        "the reply",
    )
    until(lambda: desk.panel.last_seq() >= before + 4, "the panel has the answer too")
    chat.close()


def test_the_conversation_is_searched_on_both_surfaces_and_leads_to_what_is_found(desk: Desk) -> None:
    desk.panel.ask("A needle in the hay")
    for _ in range(3):
        desk.panel.ask("Only hay")
    desk.panel.page.click("#search")
    desk.panel.page.fill("#search-words", "NEEDLE")
    hit = "[...document.querySelectorAll('.hit')].at(-1)"
    shows(desk.panel.page, hit, "what was found")
    look(desk.panel.page, f"{desk.browser.name}-search")
    seq = int(desk.panel.page.evaluate(f"{hit}.dataset.found"))
    desk.panel.page.evaluate(f"{hit}.click()")
    shows(desk.panel.page, f"document.activeElement?.dataset.seq === '{seq}' && {IN_VIEW}", "the message")
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    shows(chat, "document.querySelector('#connection').dataset.state === 'connected'", "a connected chat")
    chat.click("#search")
    chat.fill("#search-words", "needle hay")
    shows(chat, hit, "what was found")
    chat.evaluate(f"{hit}.click()")
    shows(chat, f"document.activeElement?.id === 'm{seq}' && {IN_VIEW}", "the message")
    chat.close()


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


def below(box: str) -> str:
    """How many pixels of a box that scrolls are below those in view."""
    return f"(box => box.scrollHeight - box.scrollTop - box.clientHeight)(document.querySelector('{box}'))"


def test_who_goes_up_while_an_answer_grows_is_not_pulled_back_on_either_surface(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(MUCH))
    desk.panel.ask("Say a lot")
    model.reset()
    model.on(lambda _: True, text(f"{LONG} {LONG}", every_s=0.02))
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    shows(chat, "document.querySelector('#connection').dataset.state === 'connected'", "a connected chat")
    for page, box, growing in ((desk.panel.page, "#log", ".message.turn .text"), (chat, "#scroll", ".running .words")):
        before = desk.panel.last_seq()
        desk.panel.say("Say it slowly")
        page.evaluate(f"document.querySelector('{box}').focus()")
        answer = f"document.querySelector('{growing}, .message.out[data-seq=\"{before + 2}\"]')"
        shows(page, f"{answer}?.textContent.includes('word3') && {below(box)} < 48", "the end of what grows")
        for _ in range(3):
            page.key("ArrowUp")
        shows(page, f"{below(box)} > 60", "what was said before")
        desk.panel.answer_after(before)
        shows(page, f"{LAST}?.dataset.seq === '{before + 2}'", "the answer")
        shows(page, f"{below(box)} > 60", "what was said before, still")
    chat.close()


def test_a_web_chat_that_is_made_narrower_stays_at_its_end(desk: Desk, model: ModelServer) -> None:
    model.on(lambda _: True, text(MUCH))
    desk.panel.ask("Say a lot")
    model.reset()
    desk.panel.ask(f"And little. {LONG}")
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    for width in (1000, 460, 800, 500):
        with chat.seen_at(width, 700):
            shows(chat, f"innerWidth === {width} && {below('#scroll')} < 2", "the end")
    chat.close()


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
    visible(desk.panel.page, '.message[data-kind="cancelled"] [data-action="ask-again"]')
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    visible(chat, ".cancelled .ask-again:not([hidden])")
    chat.close()


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
    visible(chat, ".failure .ask-again:not([hidden])")
    assert chat.evaluate("document.querySelectorAll('.failure .ask-again:not([hidden])').length") == 1
    chat.click(".failure .ask-again:not([hidden])")
    until(lambda: desk.panel.last_seq() >= before + 6, "it was answered")
    kind = "[...document.querySelectorAll('.message.out[data-seq]')].at(-1).dataset.kind"
    assert desk.panel.page.evaluate(kind) == "chat"
    assert desk.panel.messages().count("Try until it works") == 3
    until(
        lambda: not chat.evaluate("!!document.querySelector('.failure .ask-again:not([hidden]), .pending')"),
        "nothing is left to try",
    )
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
    look(desk.panel.page, f"{desk.browser.name}-panel")


def test_the_sidebar_stands_beside_a_page(desk: Desk, web: Sites) -> None:
    """In Firefox the real sidebar; Chromium's real side panel cannot be opened by this driver, its page is the same."""
    page = desk.browser.page(web.url("coffee.example", "/water"))
    if isinstance(desk.browser, Firefox):
        assert desk.browser.sidebar_screenshot("firefox-sidebar", 360).stat().st_size > 20_000
        desk.browser.hide_sidebar()
    page.close()
    assert desk.panel.state == "connected"


def test_a_file_goes_along_and_is_answered_from(desk: Desk, model: ModelServer) -> None:
    attach = """(() => {
      const files = new DataTransfer();
      files.items.add(new File(['Espresso is brewed at 93 degrees.'], 'notes.txt', { type: 'text/plain' }));
      const field = document.querySelector('#attach-files');
      field.files = files.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()"""
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    shows(chat, "document.querySelector('#connection').dataset.state === 'connected'", "a connected chat")
    for page, field, send in ((desk.panel.page, "#composer", "#send"), (chat, "#words", "#send")):
        before = desk.panel.last_seq()
        page.evaluate(attach)
        shows(page, "document.querySelector('ul.files')?.innerText.includes('notes.txt')", "the file that goes along")
        page.fill(field, "How hot?")
        look(page, f"{desk.browser.name}-attached-{field[1:]}")
        page.click(send)
        shows(desk.panel.page, f"!!document.querySelector('[data-seq=\"{before + 2}\"]')", "the answer")
        assert "93 degrees" in model.requests[-1].everything
        shows(
            page,
            f"document.querySelector('[data-seq=\"{before + 1}\"] .files')?.innerText.includes('notes.txt')",
            "its name",
        )
        assert "notes.txt" not in str(page.evaluate("document.querySelector('ul.files')?.innerText || ''"))
    chat.close()


def test_a_picture_goes_along_and_is_shown_on_both_surfaces_and_when_they_are_opened_again(
    desk: Desk, model: ModelServer
) -> None:
    paste = """(() => new Promise((done) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
      const context = canvas.getContext('2d');
      [context.fillStyle, context.font] = ['navy', '48px sans-serif'];
      context.fillRect(0, 0, 640, 400);
      context.fillStyle = 'orange';
      context.fillText('A lever machine', 40, 200);
      canvas.toBlob((blob) => {
        const files = new DataTransfer();
        files.items.add(new File([blob], 'stove.png', { type: 'image/png' }));
        const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: files });
        document.querySelector('textarea').dispatchEvent(event);
        done(true);
      });
    }))()"""
    see(model)
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    shows(chat, "document.querySelector('#connection').dataset.state === 'connected'", "a connected chat")
    for page, other in ((desk.panel.page, chat), (chat, desk.panel.page)):
        before = desk.panel.last_seq()
        page.evaluate(paste)
        shows(
            page,
            "document.querySelector('ul.files :is(img, canvas)')?.getBoundingClientRect().width > 0",
            "the picture that goes along",
        )
        look(page, f"{desk.browser.name}-picture-along-{'chat' if page is chat else 'panel'}")
        page.click("#send")
        shows(desk.panel.page, f"!!document.querySelector('[data-seq=\"{before + 2}\"]')", "the answer")
        [asked] = [request for request in model.requests if is_picture_request(request)][-1:]
        assert ("What is this?" in asked.last_user, asked.tools) == (True, [])
        shown = f"document.querySelector('[data-seq=\"{before + 1}\"] .pictured')"
        shows(page, f"{shown}?.getBoundingClientRect().width > 100", "the picture that was sent")
        shows(
            other,
            f"{shown}?.querySelector('img')?.naturalWidth === 640",
            "the same on the other surface, as Penny encoded it",
        )
    enlarged(desk.panel.page, f"{desk.browser.name}-picture-large")
    look(desk.panel.page, f"{desk.browser.name}-picture-panel")
    look(chat, f"{desk.browser.name}-picture-chat")
    chat.goto(f"{desk.penny.url}/chat/")
    shows(chat, f"{shown}?.querySelector('img')?.naturalWidth === 640", "the picture after it was opened again")
    chat.close()


def enlarged(panel: Page, name: str) -> None:
    """The last picture is shown large, in its own size too, and goes away by Escape to where the focus was."""
    picture = "[...document.querySelectorAll('button.pictured')].at(-1)"
    panel.evaluate(f"({picture}.focus(), {picture}.click())")
    large = "document.querySelector('dialog[open] img')"
    look(panel, name)
    with panel.seen_at(480):
        shows(
            panel,
            f"(width => width > 400 && width < 480)({large}.getBoundingClientRect().width)",
            "all of it, as large as may be",
        )
    panel.click("dialog [data-action='own-size']")
    with panel.seen_at(480):
        shows(panel, f"{large}.getBoundingClientRect().width === 640", "its own size")
    assert wrong_with(panel, "document.querySelector('dialog')") == []
    panel.key("Escape")
    shows(panel, f"!document.querySelector('dialog') && document.activeElement === {picture}", "the focus where it was")


def test_a_temporary_question_is_answered_and_leaves_nothing_behind(desk: Desk, model: ModelServer) -> None:
    chat = desk.browser.page(f"{desk.penny.url}/chat/")
    shows(chat, "document.querySelector('#connection').dataset.state === 'connected'", "a connected chat")
    last = desk.panel.last_seq()
    for page, field in ((desk.panel.page, "#composer"), (chat, "#words")):
        page.click("#temporary")
        page.fill(field, "Nobody keeps this")
        look(page, f"{desk.browser.name}-temporary-{field[1:]}")
        page.press(field, "Enter")
        shows(page, "document.querySelector('.message.out.temporary')", "the answer")
        page.fill(field, "And what follows?")
        page.press(field, "Enter")
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
