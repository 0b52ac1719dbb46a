"""Words of several lines stand in any kind of field once, as they came, and its own undo takes them out again."""

import re
from collections.abc import Iterator

import pytest

from tests.e2e.bar import Bar
from tests.e2e.browser import Page, shows
from tests.e2e.conftest import Desk
from tests.e2e.pages.case import HOST, CasePages, case, path_of
from tests.stand_ins.model_server import ModelServer, text
from tests.stand_ins.serving import serving
from tests.waiting import until

EDITORS = [case("editors", "editors")]
WORDS = "kind 🙂 and\n\nשלום to the"
BEFORE, AFTER = "Hello brave world", f"Hello {WORDS} world"
USUAL = ("textarea", "contenteditable", "lexical", "prosemirror")  # one of each kind
OTHERS = ("input", "react", "plaintext", "draft", "tiptap", "quill", "codemirror", "slate", "ckeditor")
FIELDS = [*USUAL, *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)]
CHOOSE = """((root) => {
  const field = root.querySelector('input, textarea, [contenteditable]:not([contenteditable=false])');
  field.focus();
  if ('value' in field) return field.setSelectionRange(6, 11) ?? true;
  const lines = document.createTreeWalker(field, NodeFilter.SHOW_TEXT);
  while (lines.nextNode() && !lines.currentNode.data.includes('brave'));
  const at = lines.currentNode.data.indexOf('brave');
  getSelection().setBaseAndExtent(lines.currentNode, at, lines.currentNode, at + 5);
  return true;
})"""
UNDO_MOST = 4


@pytest.fixture
def editors(desk: Desk) -> Iterator[Page]:
    with serving(CasePages(EDITORS)) as pages:
        tab = desk.browser.page(pages.url(HOST, path_of(EDITORS, EDITORS[0])))
        tab.evaluate("(window.faults = [], addEventListener('error', ({ message }) => window.faults.push(message)), 1)")
        shows(tab, "document.title === 'ready'", "the editors are there", 60)
        yield tab
        tab.close()


@pytest.fixture
def bar(desk: Desk, editors: Page, model: ModelServer) -> Bar:
    model.on(lambda request: "do one task on a passage" in request.everything, text(WORDS))
    return Bar(desk.browser, editors, path_of(EDITORS, EDITORS[0]))


def text_in(page: Page, field: str) -> str:
    """Return what the field's own script holds, each break of lines as one."""
    return re.sub(r"\s*\n\s*", "\n", str(page.evaluate(f"texts.{field}()"))).strip()


@pytest.mark.parametrize("field", FIELDS)
def test_words_replace_a_part_once_and_go_again_with_undo(bar: Bar, editors: Page, field: str) -> None:
    assert text_in(editors, field) == BEFORE
    editors.evaluate(f"{CHOOSE}(document.querySelector('#{field}'))")
    bar.call("Shorter").page.key("1")
    bar.wait("Replace").page.key("Enter")
    bar.wait_gone()
    expected = re.sub(r"\s*\n\s*", " " if field == "input" else "\n", AFTER)
    until(lambda: text_in(editors, field) == expected, f"the words are in {field}", 5)
    for _ in range(UNDO_MOST):
        if text_in(editors, field) != BEFORE:
            editors.key("Control+z")
    until(lambda: text_in(editors, field) == BEFORE, f"{field} has what it had", 5)
    editors.key("y")
    until(lambda: "y" in text_in(editors, field), "typing goes on", 5)
    assert editors.evaluate("window.faults") == []


@pytest.mark.one_browser("chromium", "shared code writes into the field")
def test_an_empty_editor_that_plain_typing_breaks_gets_every_line(bar: Bar, editors: Page) -> None:
    editors.evaluate("document.querySelector('#draftempty [contenteditable]').focus()")
    bar.call("Write").page.key("x")
    editors.key("Enter")
    bar.wait("Insert").page.key("Enter")
    bar.wait_gone()
    until(lambda: text_in(editors, "draftempty") == re.sub(r"\n+", "\n", WORDS), "the words are there", 5)
    assert editors.evaluate("window.faults") == []
