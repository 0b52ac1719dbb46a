"""Odd pages are read or fail with the right code, leave no tab and move no focus."""

import json
from collections.abc import Iterator
from itertools import cycle, islice

import pytest

from tests.e2e.calling import Call, read_pages
from tests.e2e.conftest import Desk
from tests.stand_ins.odd_pages import ODD, PAGES
from tests.stand_ins.sites import Sites
from tests.waiting import until

pytestmark = pytest.mark.one_browser("chromium", "shared code reads the pages")

FAILING = ("/file", "/teapot", "/forbidden", "/broken", "/hangs-up", "/round", "/attachment", "/forever")
READABLE = ("/ar", "/words.txt", "/beforeunload", "/print", "/focus", "/consent", "/frames", "/app")
MANY = 500
# Runs in a page of the extension: records every time that another tab or window gets the focus.
WATCH = """(() => {
  const api = globalThis.browser ?? globalThis.chrome
  const note = document.documentElement.dataset
  note.moves = ''
  api.windows.getCurrent().then(({ id }) => { note.own = id })
  api.tabs.onActivated.addListener(({ tabId }) => { note.moves += `tab ${tabId} ` })
  api.windows.onFocusChanged.addListener(id => { note.moves += `window ${id} ` })
  return true
})()"""
MOVES = "(({ moves, own }) => moves.replaceAll(`window ${own} `, ''))(document.documentElement.dataset)"


@pytest.fixture
def odd(desk: Desk, web: Sites) -> Iterator[Desk]:
    """The desk, with a grant for the odd site and the owner signed in there.

    It checks that no focus moves.
    """
    tab = desk.browser.page(web.url(ODD, "/sign-in"))
    tab.close()
    desk.panel.page.evaluate(WATCH)
    with desk.penny.client("Helper") as helper:
        helper.allow_site(ODD)
        yield desk
    assert desk.panel.page.evaluate(MOVES) == ""


def test_odd_pages_are_read_as_expected(odd: Desk, web: Sites) -> None:
    tabs = odd.browser.urls()
    calls = [Call(web.url(ODD, path), session=page.session) for path, page in PAGES.items()]
    results = read_pages(odd.penny, f"Desk {odd.browser.name}", calls)
    wrong = {
        path: problem
        for (path, page), result in zip(PAGES.items(), results, strict=True)
        if (problem := page.problem(result, path))
    }
    assert not wrong, json.dumps(wrong, indent=1, ensure_ascii=False)
    assert web.visited(ODD, "/consent/accepted") == 0
    assert sorted(odd.browser.urls()) == sorted(tabs)


@pytest.mark.long
def test_five_hundred_calls_leave_no_tab_and_move_no_focus(odd: Desk, web: Sites) -> None:
    tabs = odd.browser.urls()
    paths = list(
        islice(
            (
                path
                for good, other, bad in zip(cycle(READABLE), cycle(READABLE[3:]), cycle(FAILING))
                for path in (good, other, bad)
            ),
            MANY,
        )
    )
    calls = [Call(web.url(ODD, path), deadline_s=2 if path == "/forever" else 60) for path in paths]
    batches = [calls[start : start + 50] for start in range(0, MANY, 50)]
    results = [result for batch in batches for result in read_pages(odd.penny, f"Desk {odd.browser.name}", batch)]
    failed = [path for path, result in zip(paths, results, strict=True) if "code" in result]
    assert {*failed} == {*FAILING}
    assert len(failed) >= MANY // 3
    until(lambda: sorted(odd.browser.urls()) == sorted(tabs), "every tab is closed")
