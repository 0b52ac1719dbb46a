"""Attach files and pictures to a message, in the panel and on the chat page."""

import pytest

from tests.agents.pages.seeing import is_picture_request, see
from tests.e2e.axe import axe_violations
from tests.e2e.browser import Page, check_layout, shows
from tests.e2e.conftest import Desk
from tests.e2e.panel import Chat
from tests.stand_ins.model_server import ModelServer


@pytest.mark.one_browser("chromium", "the server decides it")
def test_a_file_is_sent_along_and_answered_from(desk: Desk, model: ModelServer) -> None:
    attach = """(() => {
      const files = new DataTransfer();
      files.items.add(new File(['Espresso is brewed at 93 degrees.'], 'notes.txt', { type: 'text/plain' }));
      const field = document.querySelector('#attach-files');
      field.files = files.files;
      field.dispatchEvent(new Event('change', { bubbles: true }));
    })()"""
    chat = Chat(desk.browser, desk.penny).page
    for page in (desk.panel.page, chat):
        before = desk.panel.last_seq()
        page.evaluate(attach)
        shows(page, "document.querySelector('ul.files')?.innerText.includes('notes.txt')", "the file that goes along")
        page.fill("#composer", "How hot?")
        check_layout(page, f"{desk.browser.name}-attached-{'chat' if page is chat else 'panel'}")
        page.click("#send")
        shows(desk.panel.page, f"!!document.querySelector('[data-seq=\"{before + 2}\"]')", "the answer")
        assert "93 degrees" in model.requests[-1].everything
        shows(
            page,
            f"document.querySelector('[data-seq=\"{before + 1}\"] .files')?.innerText.includes('notes.txt')",
            "its name",
        )
        assert "notes.txt" not in str(page.evaluate("document.querySelector('ul.files')?.innerText || ''"))
    chat.close()


@pytest.mark.one_browser("chromium", "both browsers draw the same views")
def test_a_picture_is_sent_along_and_shown_on_both_surfaces_also_after_a_reload(desk: Desk, model: ModelServer) -> None:
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
    chat = Chat(desk.browser, desk.penny).page
    for page, other in ((desk.panel.page, chat), (chat, desk.panel.page)):
        before = desk.panel.last_seq()
        page.evaluate(paste)
        shows(
            page,
            "document.querySelector('ul.files :is(img, canvas)')?.getBoundingClientRect().width > 0",
            "the picture that goes along",
        )
        check_layout(page, f"{desk.browser.name}-picture-along-{'chat' if page is chat else 'panel'}")
        page.click("#send")
        shows(desk.panel.page, f"!!document.querySelector('[data-seq=\"{before + 2}\"]')", "the answer")
        [request] = [request for request in model.requests if is_picture_request(request)][-1:]
        assert ("What is this?" in request.last_user, request.tools) == (True, [])
        picture = f"document.querySelector('[data-seq=\"{before + 1}\"] .pictured')"
        shows(page, f"{picture}?.getBoundingClientRect().width > 100", "the picture that was sent")
        shows(
            other,
            f"{picture}?.querySelector('img')?.naturalWidth === 640",
            "the same on the other surface, as Penny encoded it",
        )
    check_enlarged_picture(desk.panel.page, f"{desk.browser.name}-picture-large")
    check_layout(desk.panel.page, f"{desk.browser.name}-picture-panel")
    check_layout(chat, f"{desk.browser.name}-picture-chat")
    chat.goto(f"{desk.penny.url}/chat/")
    shows(chat, f"{picture}?.querySelector('img')?.naturalWidth === 640", "the picture after it was opened again")
    chat.close()


def check_enlarged_picture(panel: Page, name: str) -> None:
    """Enlarge the last picture, show its own size, and restore the focus with Escape."""
    picture = "[...document.querySelectorAll('button.pictured')].at(-1)"
    panel.evaluate(f"({picture}.focus(), {picture}.click())")
    large = "document.querySelector('dialog[open] img')"
    check_layout(panel, name)
    with panel.at_size(480):
        shows(
            panel,
            f"(width => width > 400 && width < 480)({large}.getBoundingClientRect().width)",
            "all of it, as large as may be",
        )
    panel.click("dialog [data-action='own-size']")
    with panel.at_size(480):
        shows(panel, f"{large}.getBoundingClientRect().width === 640", "its own size")
    assert axe_violations(panel, "document.querySelector('dialog')") == []
    panel.key("Escape")
    shows(panel, f"!document.querySelector('dialog') && document.activeElement === {picture}", "the focus where it was")
