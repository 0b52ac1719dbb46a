"""Explain a passage, rewrite a part of a field, and write into one, in the page itself."""

from collections.abc import Iterator

import pytest

from tests.e2e.bar import HOST, Bar
from tests.e2e.browser import Page
from tests.e2e.conftest import Desk
from tests.stand_ins import sites
from tests.stand_ins.serving import Answer
from tests.stand_ins.sites import Sites
from tests.waiting import until

NOTES = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta http-equiv="content-security-policy" content="default-src 'none'">
<title>Notes</title><body><p id="rain">Rain falls on the northern hills in autumn. Nobody minds.</p>
<textarea id="note" rows="4" cols="40">Dear Ada, the meeting is moved. See you.</textarea>
<input id="line" size="40" value="Dear Ada, the meeting is moved.">
<input id="short" maxlength="12" value="moved">
<div id="letter" contenteditable="true">Dear Ada, the meeting is moved.</div>
<textarea id="empty"></textarea><input id="secret" type="password" value="moved">
</body></html>"""
SENTENCE = "Rain falls on the northern hills in autumn."


@pytest.fixture
def notes(desk: Desk, web: Sites, monkeypatch: pytest.MonkeyPatch) -> Iterator[Page]:
    monkeypatch.setitem(sites.ROUTES, ("lab.example", "/notes"), lambda *_: Answer(NOTES))
    tab = desk.browser.page(web.url("lab.example", "/notes"))
    yield tab
    tab.close()


@pytest.fixture
def bar(desk: Desk, notes: Page) -> Bar:
    return Bar(desk.browser, notes, "/notes")


def choose(page: Page, selector: str, word: str) -> None:
    """Select a word of a field, or of a passage."""
    page.evaluate(
        f"(() => {{ const at = document.querySelector('{selector}'); at.focus();"
        f" if ('value' in at) {{ const start = at.value.indexOf('{word}');"
        f" at.setSelectionRange(start, start + '{word}'.length); return true }}"
        f" const range = document.createRange(); const start = at.firstChild.data.indexOf('{word}');"
        f" range.setStart(at.firstChild, start); range.setEnd(at.firstChild, start + '{word}'.length);"
        " getSelection().removeAllRanges(); getSelection().addRange(range); return true })()"
    )


def value_of(page: Page, selector: str) -> str:
    return str(page.evaluate(f"(at => at.value ?? at.innerText)(document.querySelector('{selector}'))"))


def test_a_passage_is_explained_where_it_stands_and_the_page_stays_as_it_was(bar: Bar, notes: Page) -> None:
    choose(notes, "#rain", SENTENCE)
    before = notes.evaluate("document.documentElement.outerHTML")
    bar.call("Explain").page.key("Enter")
    bar.wait("Written by")
    assert f"Plainly: {SENTENCE}" in bar.text
    assert "Replace" not in bar.text
    assert notes.evaluate(f"document.documentElement.outerHTML.replace({HOST}.outerHTML, '')") == before
    assert notes.evaluate(f"{HOST}.shadowRoot === null")
    notes.key("Escape")
    bar.wait_gone()
    assert notes.evaluate("getSelection().toString()") == SENTENCE


@pytest.mark.parametrize("field", ["#note", "#line", "#letter"])
def test_a_part_of_a_field_is_rewritten_and_its_own_undo_takes_it_back(bar: Bar, notes: Page, field: str) -> None:
    choose(notes, field, "the meeting is moved.")
    before = value_of(notes, field)
    bar.call("Shorter").page.key("1")
    bar.wait("Replace").page.key("Enter")
    bar.wait_gone()
    after = before.replace("the meeting is moved.", "Plainly: the meeting is moved.")
    until(lambda: value_of(notes, field) == after, "the field has the words", 5)
    notes.key("Control+z")
    until(lambda: value_of(notes, field) == before, "the field has what it had", 5)
    notes.key("y")
    until(lambda: len(value_of(notes, field)) != len(before), "typing goes on", 5)


@pytest.mark.one_browser("chromium", "shared code writes into the field")
def test_words_are_written_into_an_empty_field(bar: Bar, notes: Page) -> None:
    notes.evaluate("document.querySelector('#empty').focus()")
    bar.call("Write")
    for letter in "Hi Bo":
        notes.key(letter)
    notes.key("Enter")
    bar.wait("Insert").page.key("Enter")
    bar.wait_gone()
    assert "Hi Bo" in value_of(notes, "#empty")


@pytest.mark.one_browser("chromium", "shared code writes into the field")
def test_what_does_not_fit_is_said_before_it_is_written(bar: Bar, notes: Page) -> None:
    choose(notes, "#short", "moved")
    bar.call("Shorter").page.key("1")
    bar.wait("Replace").page.key("Enter")
    bar.wait("room for 12 more characters")
    assert value_of(notes, "#short") == "moved"
    notes.key("Escape")
    bar.wait_gone()


@pytest.mark.one_browser("firefox", "shared code writes into the field")
def test_a_password_is_never_chosen(bar: Bar, notes: Page) -> None:
    notes.evaluate("document.querySelector('#secret').select()")
    bar.call("click into a field, first").page.key("Escape")
    bar.wait_gone()


@pytest.mark.one_browser("firefox", "shared code writes into the field")
def test_a_field_that_changed_meanwhile_is_left_alone(bar: Bar, notes: Page) -> None:
    choose(notes, "#note", "moved")
    bar.call("Shorter").page.key("1")
    bar.wait("Replace")
    notes.evaluate("document.querySelector('#note').value = 'Quite another text.'")
    notes.key("Enter")
    bar.wait("another one by now")
    assert value_of(notes, "#note") == "Quite another text."
    notes.key("Escape")
    bar.wait_gone()
