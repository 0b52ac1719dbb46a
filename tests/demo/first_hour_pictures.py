"""Take pictures of the first hour: the page after the link, the first interest, the first question, the first find."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from tests.demo.sites import DemoSites
from tests.e2e.browser import SCHEMES, Page, visible
from tests.e2e.chromium import Chromium
from tests.penny import run_penny

WIDTHS = (1280, 400)
ALLOW = "#looking button[value='allow-always']"


def take_first_hour(sites: DemoSites) -> None:
    """Save demo-first-hour-*.png. The Penny and the browser are new, as they are for a newcomer."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="penny-first-hour-")))
        penny = stack.enter_context(run_penny(data))
        penny.set(SEARCH_TEMPLATE=sites.search_template)
        browser = Chromium()
        stack.callback(browser.quit)
        page = browser.page(penny.manage("sign_in_link").strip())
        visible(page, ".steps")
        _take(page, "1-connect")
        panel = browser.page(browser.panel_url)
        panel.click("#connect")
        visible(page, "#first-preference")
        _take(page, "2-box")
        page.click("[data-example]:nth-child(2)")
        page.press("#first-preference", "Enter")
        visible(page, ALLOW, 60)
        _take(page, "3-question")
        while not page.evaluate("!!document.querySelector('.card')"):
            visible(page, f":is({ALLOW}, .card)", 60)
            page.evaluate(f"document.querySelector({ALLOW!r})?.click()")
        _take(page, "4-find")


def _take(page: Page, name: str) -> None:
    for width in WIDTHS:
        for scheme in SCHEMES:
            page.screenshot(f"demo-first-hour-{name}-{width}-{scheme}", width, scheme=scheme)
