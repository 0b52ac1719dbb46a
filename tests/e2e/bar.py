"""The bar at what the owner chose in a page: called as by its key, and read in its closed tree."""

import json
import time
from typing import Any

from tests.e2e.browser import Browser, Page
from tests.e2e.chromium import Chromium
from tests.e2e.firefox import Firefox, FirefoxPage
from tests.waiting import until

HOST = "document.querySelector('html > div[popover=manual]')"
SEEN_S = 0.35  # a press before that does not count


class Bar:
    """`page`: the tab in front, whose address holds `part`."""

    def __init__(self, browser: Browser, page: Page, part: str) -> None:
        self.browser, self.page, self.part = browser, page, part

    def call(self, shows: str) -> "Bar":
        """Press its key, and wait until it shows these words and takes presses."""
        if isinstance(self.browser, Firefox):
            keys = "[...document.querySelectorAll('keyset[id^=ext-keyset] key')]"
            self.browser.chrome(f"{keys}.find(one => one.getAttribute('key') === 'E').doCommand()")
        else:
            assert isinstance(self.browser, Chromium)
            tab = f"tabs.find(({{ url }}) => url?.includes({json.dumps(self.part)}))"
            self.browser.in_background(
                f"chrome.tabs.query({{}}).then((tabs) => void chrome.commands.onCommand.dispatch('bar', {tab}))"
            )
        return self.wait(shows)

    def wait(self, shows: str) -> "Bar":
        until(lambda: shows in self.text, f"the bar shows {shows!r}", deadline_s=20)
        time.sleep(SEEN_S)
        return self

    def wait_gone(self) -> None:
        until(lambda: not self.is_there, "the bar is gone")

    @property
    def is_there(self) -> bool:
        return bool(self.page.evaluate(f"{HOST} !== null"))

    @property
    def text(self) -> str:
        return str(
            self.inside(
                "[...root.querySelectorAll('button, .words, .note, .card')].map((one) => "
                "one.checkVisibility() ? one.innerText : '').join(' | ')"
            )
            or ""
        )

    def inside(self, expression: str) -> Any:
        """Evaluate an expression on `root`, which the page's own scripts cannot reach."""
        if isinstance(self.page, FirefoxPage):
            script = f"const root = {HOST}?.openOrClosedShadowRoot;"
            return self.page.in_system(f"{script} return root ? {expression} : ''")
        assert isinstance(self.browser, Chromium)
        root = "chrome.dom.openOrClosedShadowRoot(host)"
        call = f"() => {{ const host = {HOST}; const root = host && {root}; "
        call += f"return root ? {expression} : '' }}"
        tab = f"tabs.find(({{ url }}) => url?.includes({json.dumps(self.part)}))"
        return self.browser.in_background(
            f"chrome.tabs.query({{}}).then((tabs) => chrome.scripting.executeScript({{ target: {{ tabId: {tab}.id }}, "
            f"func: {call} }})).then(([frame]) => frame.result)"
        )
