"""Old and odd pages are read as they should be, or refused for the right reason; whatever they do, no tab stays and no
focus moves.
"""

import json
from collections.abc import Iterator
from itertools import cycle, islice

import pytest

from devices.protocol import GrantSet, GrantsSync
from tests.e2e.calling import Call, called
from tests.e2e.conftest import Desk
from tests.stand_ins.odd_pages import ODD, PAGES
from tests.stand_ins.sites import Sites
from tests.waiting import until

FAILING = ("/file", "/teapot", "/forbidden", "/broken", "/hangs-up", "/round", "/attachment", "/forever")
READABLE = ("/ar", "/words.txt", "/beforeunload", "/print", "/focus", "/consent", "/frames", "/app")
MANY = 500
# Runs in a page of the extension: notes on it each time that another tab or another window than the owner's comes to
# the front.
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
    """The desk, with the site of the odd pages allowed and the owner signed in there; the focus is watched."""
    shown = desk.browser.page(web.url(ODD, "/sign-in"))
    shown.close()
    desk.panel.page.evaluate(WATCH)
    with desk.penny.client("Helper") as helper:
        helper.send(GrantSet(host=ODD, capability="read", state="allowed", scope="always"))
        helper.expect(GrantsSync)
        yield desk
    assert desk.panel.page.evaluate(MOVES) == ""


def test_odd_pages_are_read_as_they_should_be(odd: Desk, web: Sites) -> None:
    tabs = odd.browser.urls()
    calls = [Call(web.url(ODD, path), session=page.session) for path, page in PAGES.items()]
    found = called(odd.penny, f"Desk {odd.browser.name}", calls)
    wrong = {
        path: problem
        for (path, page), said in zip(PAGES.items(), found, strict=True)
        if (problem := page.problem(said, path))
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
    found = [said for batch in batches for said in called(odd.penny, f"Desk {odd.browser.name}", batch)]
    failed = [path for path, said in zip(paths, found, strict=True) if "code" in said]
    assert {*failed} == {*FAILING}
    assert len(failed) >= MANY // 3
    until(lambda: sorted(odd.browser.urls()) == sorted(tabs), "every tab is closed")
